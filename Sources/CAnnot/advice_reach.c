// How many join points advice applies to.

#include <string.h>

#include "advice_registry.h"
#include "annot/runtime.h"
#include "hook.h"

typedef struct reach_count {
  const registration *it;
  const annot_snapshot *snapshot;
  size_t reach;
} reach_count;

static annot_target target_of(const annot_record_fields *fields) {
  return (annot_target){
      .module = fields->module, .cls = fields->cls, .sel = fields->sel, .is_static = fields->is_static};
}

static bool is_joinpoint(const annot_record *record) {
  static const char kind[] = "joinpoint";
  const annot_text actual = record->fields.kind;
  return actual.length == sizeof kind - 1 && !memcmp(actual.bytes, kind, sizeof kind - 1);
}

/// How many records declare a join point that the target names.
static size_t count_records(const annot_snapshot *snapshot, const annot_target *wanted) {
  size_t count = 0;
  for (size_t i = 0; i < annot_snapshot_record_count(snapshot); i++) {
    const annot_record record = annot_snapshot_record(snapshot, i);
    const annot_target actual = target_of(&record.fields);
    count += is_joinpoint(&record) && annot_target_matches_pattern(wanted, &actual);
  }
  return count;
}

/// Counts join points that their owners registered and that no record declares.
static void count_permanent(hook *it, void *context) {
  reach_count *count = context;
  if (!it->permanent || !registration_matches(count->it, it->info)) return;
  const annot_target own = joinpoint_target(it->info);
  count->reach += count_records(count->snapshot, &own) == 0;
}

size_t annot_advice_reach(annot_advice_id id) {
  annot_snapshot *snapshot = annot_snapshot_take();
  if (!snapshot) return 0;
  registry_lock();
  registration *it = registry_find(id);
  if (it) registration_retain(it);
  reach_count count = {.it = it, .snapshot = snapshot};
  if (it) hook_table_each(count_permanent, &count);
  registry_unlock();
  if (it) {
    count.reach += count_records(snapshot, &it->target);
    registration_release(it);
  }
  annot_snapshot_free(snapshot);
  return count.reach;
}
