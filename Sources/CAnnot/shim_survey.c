#define _GNU_SOURCE
#include "shim_survey.h"

#include <string.h>

#include "got_entries.h"
#include "got_write.h"
#include "loaded_image.h"
#include "resolve.h"
#include "symbol_search.h"

/// What is passed along in a survey.
typedef struct surveying {
  survey *it;
  sought_symbol sought;
  survey_image **end;
  survey_image *scope_end;  ///< the last image known to have been loaded at start-up
  const struct dl_phdr_info *info;  ///< of the image that is looked at
  dynamic_section section;
  survey_image *image;
  survey_entry **entry_end;
  survey_definition **definition_end;
  dynamic_section main_section;
} surveying;

static const char *copy_text(arena *memory, const char *text) {
  return text ? arena_copy(memory, text, strlen(text) + 1) : NULL;
}

static void take_entry(const got_entry *entry, void *context) {
  surveying *work = context;
  const ElfW(Sym) *symbol = &work->section.symbols[entry->symbol];
  if (symbol->st_shndx == SHN_UNDEF && symbol->st_value)
    work->image->canonical = work->info->dlpi_addr + symbol->st_value;
  if (entry->kind == GOT_OTHER) {
    work->image->pointers++;
    return;
  }
  survey_entry *made = arena_take(&work->it->memory, sizeof *made);
  if (!made) return;
  *made = (survey_entry){.place = entry->place,
                         .value = __atomic_load_n(entry->place, __ATOMIC_ACQUIRE),
                         .is_unbound = entry->is_unbound};
  made->version = copy_text(
      &work->it->memory, symbol_version_of(work->info, &work->section, entry->symbol).name);
  *work->entry_end = made;
  work->entry_end = &made->next;
}

static void take_definition(size_t index, void *context) {
  surveying *work = context;
  const ElfW(Sym) *symbol = &work->section.symbols[index];
  survey_definition *made = arena_take(&work->it->memory, sizeof *made);
  if (!made) return;
  const symbol_version version = symbol_version_of(work->info, &work->section, index);
  *made = (survey_definition){.address = work->info->dlpi_addr + symbol->st_value,
                              .is_ifunc = (symbol->st_info & 15) == STT_GNU_IFUNC,
                              .is_hidden = version.is_hidden};
  made->version = copy_text(&work->it->memory, version.name);
  *work->definition_end = made;
  work->definition_end = &made->next;
}

static void take_code(const struct dl_phdr_info *info, survey_image *image) {
  image->code_start = UINTPTR_MAX;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (start < image->code_start) image->code_start = start;
    if (start + segment->p_memsz > image->code_end) image->code_end = start + segment->p_memsz;
  }
}

/// What the program needs, and all that stands before it, was loaded at start-up: the list grows at its end.
static void look_at_scope(surveying *work) {
  if (work->image->is_main) {
    if (work->image->has_symbols) work->main_section = work->section;
    work->scope_end = work->image;
  } else if (work->image->has_symbols && dynamic_section_needs(&work->main_section, &work->section)) {
    work->scope_end = work->image;
  }
}

/// Whether a program has no dynamic linker. One that is position-independent has a dynamic section all the same.
static bool is_static(const struct dl_phdr_info *info) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_INTERP) return false;
  return true;
}

static int survey_one(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  surveying *work = context;
  arena *memory = &work->it->memory;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  survey_image *made = arena_take(memory, sizeof *made);
  const char *name_copy = copy_text(memory, name);
  if (!made || !name_copy) return 0;
  const bool is_main = work->it->image_count++ == 0;
  *made = (survey_image){.name = is_main ? "" : name_copy, .is_main = is_main};
  *work->end = work->image = made;
  work->end = &made->next;
  work->entry_end = &made->entries;
  work->definition_end = &made->definitions;
  work->info = info;
  made->has_runtime = image_has_range(info, (memory_range){(uintptr_t)annot_runtime_entry, 1}, PF_X);
  made->is_relocated = image_is_relocated(info);
  made->has_symbols = dynamic_section_read(info, &work->section);
  if (is_main && is_static(info)) made->has_symbols = false;
  made->dynamic = work->section.address;
  take_code(info, made);
  look_at_scope(work);
  if (!made->has_symbols || !made->is_relocated) return 0;
  got_each_entry(info, &work->section, work->sought.name, take_entry, work);
  symbol_each_definition(info, &work->section, &work->sought, take_definition, work);
  return 0;
}

static void mark_scope(surveying *work) {
  for (survey_image *image = work->it->images; image; image = image->next) {
    image->is_first_scope = true;
    if (image == work->scope_end) return;
  }
}

bool survey_make(survey *it, const char *symbol) {
  size_t size = (size_t)128 << 10;
  for (;;) {
    *it = (survey){0};
    if (!arena_open(&it->memory, size)) return false;
    surveying work = {.it = it, .sought = symbol_to_seek(symbol), .end = &it->images};
    loader_iterate(survey_one, &work);
    if (arena_sufficed(&it->memory)) {
      mark_scope(&work);
      return true;
    }
    // Images may be loaded between two attempts: leave room for some.
    size = it->memory.wanted + it->memory.wanted / 4;
    arena_close(&it->memory);
  }
}

void survey_close(survey *it) { arena_close(&it->memory); }

const survey_image *survey_image_at(const survey *it, uintptr_t code) {
  for (const survey_image *image = it->images; image; image = image->next)
    if (code >= image->code_start && code < image->code_end) return image;
  return NULL;
}
