#define _GNU_SOURCE
#include "advice_reach.h"

#include <stdlib.h>
#include <string.h>

#include "advice_registry.h"
#include "calls.h"
#include "hook.h"
#include "joinpoint_walk.h"

static bool is_joinpoint(const annot_record *record) {
  static const char kind[] = "joinpoint";
  const annot_text actual = record->fields.kind;
  return actual.length == sizeof kind - 1 && !memcmp(actual.bytes, kind, sizeof kind - 1);
}

static annot_target target_of(const annot_record_fields *fields) {
  return (annot_target){
      .module = fields->module, .cls = fields->cls, .sel = fields->sel, .is_static = fields->is_static};
}

bool reach_open(declared_joinpoints *it) {
  *it = (declared_joinpoints){.snapshot = annot_snapshot_take()};
  if (!it->snapshot) return false;
  const size_t records = annot_snapshot_record_count(it->snapshot);
  it->names = call_allocate(records * sizeof *it->names);
  if (!it->names) return false;
  for (size_t i = 0; i < records; i++) {
    const annot_record record = annot_snapshot_record(it->snapshot, i);
    if (is_joinpoint(&record)) it->names[it->count++] = target_of(&record.fields);
  }
  return true;
}

void reach_close(declared_joinpoints *it) {
  free(it->names);
  annot_snapshot_free(it->snapshot);
}

/// What the join points of one name are like.
typedef struct objection {
  const registration *advice;
  const annot_target *name;
  bool is_wanted;
  bool is_refused;
} objection;

static void look_at(const annot_joinpoint_info *info, void *context) {
  objection *it = context;
  const annot_target actual = joinpoint_target(info);
  if (it->is_wanted || !annot_target_matches(it->name, &actual)) return;
  it->is_wanted = registration_matches(it->advice, info);
  it->is_refused = !it->is_wanted;
}

/// Whether the advice cannot run at the join points of a name that it matches: the records do not tell all.
static bool is_refused(const registration *advice, const annot_target *name) {
  if (!advice->advice.instance) return false;
  objection it = {.advice = advice, .name = name};
  annot_joinpoint_walk_infos(look_at, &it);
  return it.is_refused;
}

static size_t count_declared(const declared_joinpoints *it, const registration *advice) {
  size_t count = 0;
  for (size_t i = 0; i < it->count; i++)
    count += registration_names(advice, &it->names[i]) && !is_refused(advice, &it->names[i]);
  return count;
}

typedef struct permanent_count {
  const declared_joinpoints *declared;
  const registration *advice;
  size_t count;
} permanent_count;

static bool is_declared(const declared_joinpoints *it, const annot_target *name) {
  for (size_t i = 0; i < it->count; i++)
    if (annot_target_matches(name, &it->names[i])) return true;
  return false;
}

/// Counts join points that their owners registered and that no record declares.
static void count_permanent(hook *it, void *context) {
  permanent_count *work = context;
  if (!it->is_registered || !registration_matches(work->advice, it->info)) return;
  const annot_target own = joinpoint_target(it->info);
  work->count += !is_declared(work->declared, &own);
}

size_t reach_count(const declared_joinpoints *it, const registration *advice) {
  permanent_count permanent = {.declared = it, .advice = advice};
  registry_lock();
  hook_table_each(count_permanent, &permanent);
  registry_unlock();
  return permanent.count + count_declared(it, advice);
}

size_t annot_advice_reach(annot_advice_id id) {
  registry_lock();
  registration *it = registry_find(id);
  if (it) registration_retain(it);
  registry_unlock();
  if (!it) return 0;
  declared_joinpoints declared;
  const size_t reach = reach_open(&declared) ? reach_count(&declared, it) : 0;
  reach_close(&declared);
  registration_release(it);
  return reach;
}
