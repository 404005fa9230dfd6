#include "hook.h"

#include <stdlib.h>

#include "calls.h"
#include "dispatch.h"

enum { bucket_count = 1024 };

static hook *buckets[bucket_count];

static hook **bucket_of(const annot_joinpoint *joinpoint) {
  // Slots of one section are neighbours: dividing by their size spreads them one to a bucket.
  return &buckets[(uintptr_t)joinpoint / sizeof *joinpoint % bucket_count];
}

hook *hook_make(void) {
  hook *it = call_allocate(sizeof *it);
  if (it) atomic_init(&it->list, NULL);
  return it;
}

void hook_free_chain(hook *chain) {
  while (chain) {
    hook *next = chain->next;
    free(chain);
    chain = next;
  }
}

hook *hook_table_find(const annot_joinpoint *joinpoint) {
  for (hook *it = *bucket_of(joinpoint); it; it = it->next)
    if (it->joinpoint == joinpoint) return it;
  return NULL;
}

void hook_table_add(hook *spare, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  spare->base.dispatch = joinpoint_protect(info) ? dispatch_protected_call : dispatch_call;
  spare->joinpoint = joinpoint;
  spare->info = info;
  hook **bucket = bucket_of(joinpoint);
  spare->next = *bucket;
  *bucket = spare;
}

void hook_table_remove(hook *it) {
  hook **place = bucket_of(it->joinpoint);
  while (*place != it) place = &(*place)->next;
  *place = it->next;
  it->next = NULL;
}

hook *hook_table_take_unseen(uint64_t number) {
  hook *taken = NULL;
  for (size_t i = 0; i < bucket_count; i++)
    for (hook **place = &buckets[i]; *place;) {
      hook *it = *place;
      if (it->seen == 0 || it->seen >= number) {
        place = &it->next;
        continue;
      }
      *place = it->next;
      it->next = taken;
      taken = it;
    }
  return taken;
}

void hook_table_each(void (*visit)(hook *it, void *context), void *context) {
  for (size_t i = 0; i < bucket_count; i++)
    for (hook *it = buckets[i]; it; it = it->next) visit(it, context);
}
