#define _GNU_SOURCE
#include "interposition.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dynamic_section.h"
#include "got_write.h"
#include "loaded_image.h"

interposition *interposition_make(const char *symbol) {
  interposition *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  it->symbol = call_allocate(strlen(symbol) + 1);
  if (!it->symbol) {
    free(it);
    return NULL;
  }
  memcpy(it->symbol, symbol, strlen(symbol) + 1);
  return it;
}

bool interposition_has_shim(uintptr_t function, const void *context) {
  const interposition *it = context;
  for (size_t i = 0; i < it->shim_count; i++)
    if (it->shims[i] == function) return true;
  return false;
}

bool interposition_add_shim(interposition *it, uintptr_t function) {
  if (interposition_has_shim(function, it)) return true;
  uintptr_t *larger = call_allocate((it->shim_count + 1) * sizeof *larger);
  if (!larger) return false;
  if (it->shim_count) memcpy(larger, it->shims, it->shim_count * sizeof *larger);
  larger[it->shim_count] = function;
  free(it->shims);
  it->shims = larger;
  it->shim_count++;
  return true;
}

survey_known interposition_known(const interposition *it) {
  return (survey_known){
      .original = it->original, .ifunc = it->ifunc, .is_shim = interposition_has_shim, .context = it};
}

/// Makes room for all entries that a survey might add: nothing is allocated while they are written.
static bool make_room(interposition *it, const survey *surveyed) {
  size_t wanted = it->entry_count;
  for (const survey_image *image = surveyed->images; image; image = image->next)
    for (const survey_entry *entry = image->entries; entry; entry = entry->next) wanted++;
  if (wanted <= it->entry_capacity) return true;
  led_entry *larger = call_allocate(wanted * sizeof *larger);
  if (!larger) return false;
  if (it->entry_count) memcpy(larger, it->entries, it->entry_count * sizeof *larger);
  free(it->entries);
  it->entries = larger;
  it->entry_capacity = wanted;
  return true;
}

/// What is passed along while entries are led.
typedef struct leading {
  interposition *it;
  survey *surveyed;
  uintptr_t shim;
  bool *again;
} leading;

static survey_image *surveyed_image(const survey *it, const struct dl_phdr_info *info) {
  const uintptr_t dynamic = dynamic_section_address(info);
  survey_image *image = it->images;
  while (image && (!dynamic || image->dynamic != dynamic)) image = image->next;
  return image;
}

static led_entry *listed(interposition *it, const uintptr_t *place) {
  for (size_t i = 0; i < it->entry_count; i++)
    if (it->entries[i].place == place) return &it->entries[i];
  return NULL;
}

static void note(interposition *it, const survey_entry *entry, uintptr_t image, uintptr_t shim) {
  led_entry *led = listed(it, entry->place);
  if (!led) {
    led = &it->entries[it->entry_count++];
    *led = (led_entry){.place = entry->place, .saved = entry->value, .image = image};
  } else if (led->image != image || !interposition_has_shim(entry->value, it)) {
    // Of an image that took another's place, or bound by the dynamic linker since it was led.
    led->image = image;
    led->saved = entry->value;
  }
  led->led_to = shim;
}

static void lead_entry(leading *work, const survey_image *image, survey_entry *entry) {
  if (entry->verdict != ANNOT_SHIM_REACHED || entry->value == work->shim) return;
  const got_outcome outcome = got_replace(entry->place, entry->value, work->shim);
  if (outcome == GOT_CHANGED) *work->again = true;
  if (outcome == GOT_PROTECTED) entry->verdict = ANNOT_SHIM_PROTECTED;
  if (outcome != GOT_WRITTEN) return;
  note(work->it, entry, image->dynamic, work->shim);
  entry->value = work->shim;
}

static int lead_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  leading *work = context;
  survey_image *image = surveyed_image(work->surveyed, info);
  if (!image || !image->is_relocated) return 0;
  for (survey_entry *entry = image->entries; entry; entry = entry->next) {
    const memory_range range = {(uintptr_t)entry->place, sizeof *entry->place};
    if (image_has_range(info, range, PF_R | PF_W)) lead_entry(work, image, entry);
  }
  return 0;
}

static void forget_gone(interposition *it, const survey *surveyed) {
  size_t kept = 0;
  for (size_t i = 0; i < it->entry_count; i++) {
    const survey_image *image = surveyed->images;
    while (image && image->dynamic != it->entries[i].image) image = image->next;
    if (image) it->entries[kept++] = it->entries[i];
  }
  it->entry_count = kept;
}

bool interposition_lead(interposition *it, survey *surveyed, uintptr_t shim, bool *again) {
  forget_gone(it, surveyed);
  if (!make_room(it, surveyed)) return false;
  loader_iterate(lead_image, &(leading){it, surveyed, shim, again});
  return true;
}

static int restore_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  interposition *it = context;
  const uintptr_t dynamic = dynamic_section_address(info);
  for (size_t i = 0; i < it->entry_count; i++) {
    led_entry *entry = &it->entries[i];
    const memory_range range = {(uintptr_t)entry->place, sizeof *entry->place};
    if (!entry->place || entry->image != dynamic || !image_has_range(info, range, PF_R | PF_W)) continue;
    // What somebody else wrote there since is theirs and stays.
    const bool is_done = got_replace(entry->place, entry->led_to, entry->saved) != GOT_PROTECTED;
    if (is_done) entry->place = NULL;
  }
  return 0;
}

void interposition_restore(interposition *it) {
  if (it->entry_count == 0) return;
  loader_iterate(restore_image, it);
  size_t kept = 0;
  for (size_t i = 0; i < it->entry_count; i++)
    if (it->entries[i].place) it->entries[kept++] = it->entries[i];
  it->entry_count = kept;
}
