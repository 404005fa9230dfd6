// A deferred call: copies of an invocation's arguments, its place in its advice list, a hold on its image.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dispatch.h"

struct annot_deferred {
  const annot_joinpoint_info *info;
  annot_advice_list *list;
  dispatch_place place;
  atomic_bool spent;
  void *image;   // of dlopen, or null when the image cannot be unloaded
  void *result;  // in `storage`
  void **arguments;  // parameter_count addresses in `storage`
  unsigned char *storage;
  char **texts;  // copies of annot_string arguments, parameter_count of them, null where there is none
};

// A static executable has no dlopen and needs none: nothing is ever unloaded there.
extern void *dlopen(const char *, int) __attribute__((weak));
extern int dladdr(const void *, Dl_info *) __attribute__((weak));

/// Keeps the shared object that holds `info` loaded; null when that is not needed.
static void *hold_image(const annot_joinpoint_info *info) {
  Dl_info where;
  if (!dlopen || !dladdr || !dladdr(info, &where) || !where.dli_fname) return NULL;
  return dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static size_t aligned_up(size_t offset, const annot_type *type) {
  const size_t alignment = type->alignment ? type->alignment : 1;
  return (offset + alignment - 1) / alignment * alignment;
}

/// Lays out result and arguments in one block; `place`, if not null, is told where each goes.
static size_t lay_out(const annot_joinpoint_info *info, annot_deferred *place, size_t *alignment) {
  size_t end = info->result.size;
  size_t most = info->result.alignment > sizeof(void *) ? info->result.alignment : sizeof(void *);
  if (place) place->result = place->storage;
  for (uint32_t i = 0; i < info->parameter_count; i++) {
    const annot_type *type = &info->parameters[i].type;
    const size_t start = aligned_up(end, type);
    if (place) place->arguments[i] = place->storage + start;
    if (type->alignment > most) most = type->alignment;
    end = start + type->size;
  }
  *alignment = most;
  return (end + most - 1) / most * most;
}

static void explain(annot_error *error, annot_error_code code, const char *format, const char *name) {
  if (!error) return;
  *error = (annot_error){.code = code};
  snprintf(error->detail, sizeof error->detail, format, name);
}

static bool can_copy(const annot_type *type) {
  return type->kind != ANNOT_TYPE_NONTRIVIAL && type->kind != ANNOT_TYPE_REFERENCE;
}

/// The name of what cannot be copied bytewise, null when all can.
static const char *first_uncopyable(const annot_joinpoint_info *info) {
  for (uint32_t i = 0; i < info->parameter_count; i++)
    if (!can_copy(&info->parameters[i].type)) return info->parameters[i].name;
  return can_copy(&info->result) ? NULL : "the result";
}

static annot_deferred *deferred_make(const annot_joinpoint_info *info) {
  annot_deferred *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  it->info = info;
  size_t alignment;
  const size_t size = lay_out(info, NULL, &alignment);
  it->arguments = call_allocate(info->parameter_count * sizeof *it->arguments);
  it->texts = call_allocate(info->parameter_count * sizeof *it->texts);
  it->storage = aligned_alloc(alignment, size ? size : alignment);
  if (!it->arguments || !it->texts || !it->storage) {
    annot_deferred_free(it);
    return NULL;
  }
  memset(it->storage, 0, size);
  lay_out(info, it, &alignment);
  atomic_init(&it->spent, false);
  return it;
}

/// Whether a parameter is declared annot_string, perhaps with a qualifier.
static bool is_text(const annot_type *type) {
  return type->kind == ANNOT_TYPE_POINTER && strstr(type->text, "annot_string") && !strchr(type->text, '*');
}

/// Copies an argument, and its text if it is declared annot_string. Returns false when memory runs out.
static bool copy_argument(annot_deferred *it, uint32_t index, const void *argument) {
  const annot_type *type = &it->info->parameters[index].type;
  memcpy(it->arguments[index], argument, type->size);
  const char *text;
  if (!is_text(type)) return true;
  memcpy(&text, argument, sizeof text);
  if (!text) return true;
  it->texts[index] = strdup(text);
  memcpy(it->arguments[index], &it->texts[index], sizeof text);
  return it->texts[index] != NULL;
}

static bool copy_arguments(annot_deferred *it, void *const *arguments) {
  for (uint32_t i = 0; i < it->info->parameter_count; i++)
    if (!copy_argument(it, i, arguments[i])) return false;
  return true;
}

annot_deferred *annot_invocation_defer(annot_invocation *invocation, annot_error *error) {
  const annot_joinpoint_info *info = invocation->info;
  if (!invocation->may_proceed) {
    explain(error, ANNOT_ERROR_UNSUPPORTED, "%s: only around advice can set a call aside", info->sel);
    return NULL;
  }
  const char *uncopyable = first_uncopyable(info);
  if (uncopyable) {
    explain(error, ANNOT_ERROR_UNSUPPORTED,
            "%s is a reference or has a copy constructor: a call set aside can own only plain bytes",
            uncopyable);
    return NULL;
  }
  annot_deferred *it = deferred_make(info);
  if (!it || !copy_arguments(it, invocation->arguments)) {
    annot_deferred_free(it);
    explain(error, ANNOT_ERROR_MEMORY, "%s: no memory to set the call aside", info->sel);
    return NULL;
  }
  annot_advice_list_retain(invocation->list);
  it->list = invocation->list;
  it->place = invocation->place;
  it->image = hold_image(info);
  return it;
}

const annot_joinpoint_info *annot_deferred_info(const annot_deferred *deferred) { return deferred->info; }

void *annot_deferred_argument(annot_deferred *deferred, size_t index) {
  return index < deferred->info->parameter_count ? deferred->arguments[index] : NULL;
}

void *annot_deferred_result(annot_deferred *deferred) {
  return deferred->info->result.kind == ANNOT_TYPE_VOID ? NULL : deferred->result;
}

bool annot_deferred_proceed(annot_deferred *deferred) {
  if (atomic_exchange_explicit(&deferred->spent, true, memory_order_acq_rel)) return false;
  annot_invocation invocation = {.info = deferred->info,
                                 .arguments = deferred->arguments,
                                 .result = deferred->result,
                                 .list = deferred->list,
                                 .protect = joinpoint_protect(deferred->info)};
  dispatch_proceed(&invocation, deferred->place);
  return true;
}

void annot_deferred_free(annot_deferred *deferred) {
  if (!deferred) return;
  if (deferred->list) annot_advice_list_release(deferred->list);
  for (uint32_t i = 0; deferred->texts && i < deferred->info->parameter_count; i++) free(deferred->texts[i]);
  free(deferred->texts);
  free(deferred->arguments);
  free(deferred->storage);
  // Last: the join point's description may go away with its image.
  if (deferred->image) dlclose(deferred->image);
  free(deferred);
}
