// Adding advice: all entries are looked at first, then all take effect or none.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice_registry.h"
#include "calls.h"
#include "charge.h"
#include "interpose.h"
#include "shim_reach.h"

/// What is being added.
typedef struct addition {
  const annot_advice *advice;
  registration **made;  // `count` of them
  size_t count;
  annot_error *error;  // may be null
} addition;

/// Writes an error; about one entry of several if `index` is below their number. Returns false.
__attribute__((format(printf, 4, 5))) static bool refuse(
    const addition *work, size_t index, annot_error_code code, const char *format, ...) {
  if (!work->error) return false;
  *work->error = (annot_error){.code = code};
  char *detail = work->error->detail;
  const size_t size = sizeof work->error->detail;
  int used = 0;
  if (work->count > 1 && index < work->count)
    used = snprintf(detail, size, "advice %zu of %zu: ", index + 1, work->count);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(detail + used, size - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

static bool check_one(const addition *work, size_t index) {
  const annot_advice *advice = &work->advice[index];
  if (!advice->cls || !advice->sel || !advice->function)
    return refuse(work, index, ANNOT_ERROR_UNSUPPORTED, "advice needs cls, sel and function");
  if (advice->position < ANNOT_BEFORE || advice->position > ANNOT_AFTER_THROWING)
    return refuse(work, index, ANNOT_ERROR_UNSUPPORTED,
                  "position is none of ANNOT_BEFORE, ANNOT_AROUND, ANNOT_AFTER, ANNOT_AFTER_RETURNING, "
                  "ANNOT_AFTER_THROWING");
  return true;
}

static bool refuse_memory(const addition *work) {
  return refuse(work, work->count, ANNOT_ERROR_MEMORY, "no memory to add advice");
}

/// The last part of a path that fits into a message.
static const char *tail_of(const char *path) {
  enum { room = 60 };
  const size_t length = strlen(path);
  return length > room ? path + length - room : path;
}

static bool refuse_duplicate(const addition *work, size_t index, const annot_advice *first) {
  char place[80] = "at a place it does not tell";
  if (first->file) snprintf(place, sizeof place, "at %s:%u", tail_of(first->file), (unsigned)first->line);
  return refuse(work, index, ANNOT_ERROR_DUPLICATE,
                "the identifier \"%.40s\" is in use by advice added %s: remove that first",
                first->identifier, place);
}

/// An entry before `index` that has the same identifier, null when there is none.
static const annot_advice *same_in_batch(const addition *work, size_t index) {
  const char *identifier = work->advice[index].identifier;
  for (size_t i = 0; i < index; i++) {
    const char *other = work->advice[i].identifier;
    if (other && strcmp(identifier, other) == 0) return &work->advice[i];
  }
  return NULL;
}

static bool check_batch_identifiers(const addition *work) {
  for (size_t i = 1; i < work->count; i++) {
    const annot_advice *same = work->advice[i].identifier ? same_in_batch(work, i) : NULL;
    if (same) return refuse_duplicate(work, i, same);
  }
  return true;
}

static bool check(const addition *work) {
  for (size_t i = 0; i < work->count; i++)
    if (!check_one(work, i)) return false;
  if (!check_batch_identifiers(work)) return false;
  if (!charge_elsewhere()) return true;
  return refuse(work, work->count, ANNOT_ERROR_UNSUPPORTED,
                "another copy of the runtime in this process is in charge: link both against one shared "
                "library");
}

static bool make_all(addition *work) {
  for (size_t i = 0; i < work->count; i++)
    if (!(work->made[i] = registration_make(&work->advice[i]))) return refuse_memory(work);
  return true;
}

/// The index of the first entry whose identifier another registration, then retained in `*in_use`, has; `count`
/// when there is none. Under the lock.
static size_t find_in_use(const addition *work, registration **in_use) {
  for (size_t i = 0; i < work->count; i++) {
    const char *identifier = work->advice[i].identifier;
    *in_use = identifier ? registry_find_identifier(identifier) : NULL;
    if (!*in_use) continue;
    registration_retain(*in_use);
    return i;
  }
  return work->count;
}

static bool link_all(addition *work) {
  registration *in_use = NULL;
  registry_lock();
  const size_t duplicate = find_in_use(work, &in_use);
  for (size_t i = 0; i < work->count && !in_use; i++) {
    // This function's own reference: another thread may remove the advice at once.
    registration_retain(work->made[i]);
    registry_link(work->made[i]);
  }
  registry_unlock();
  if (!in_use) return true;
  refuse_duplicate(work, duplicate, &in_use->advice);
  registration_release(in_use);
  return false;
}

static bool rehearse(const addition *work, pass *changes) {
  return registry_rehearse(changes) || refuse_memory(work);
}

static void discard_all(addition *work) {
  for (size_t i = 0; i < work->count && work->made[i]; i++) registration_discard(work->made[i]);
}

/// Leads calls to the shims that are advised now. Returns false when that cannot be done or leads none there.
static bool reach_shims(const addition *work) {
  if (!interpose_update(true)) return refuse_memory(work);
  for (size_t i = 0; i < work->count; i++)
    if (!(work->advice[i].options & ANNOT_ADVICE_MAY_WAIT) && !shims_reached(work->made[i]->id, work->error))
      return false;
  return true;
}

/// Removes advice that was added and is refused after all: its context stays the caller's.
static void take_back_all(addition *work) {
  for (size_t i = 0; i < work->count; i++) {
    work->made[i]->advice.release = NULL;
    annot_unadvise(work->made[i]->id);
    registration_release(work->made[i]);
  }
}

static bool add_all(addition *work, annot_advice_id *ids) {
  pass changes = {.batch = work->made, .batch_count = work->count};
  if (!check(work) || !make_all(work) || !rehearse(work, &changes) || !link_all(work)) {
    registry_abandon(&changes);
    discard_all(work);
    return false;
  }
  registry_apply(&changes);
  if (!reach_shims(work)) {
    take_back_all(work);
    return false;
  }
  for (size_t i = 0; i < work->count; i++) {
    if (ids) ids[i] = work->made[i]->id;
    registration_release(work->made[i]);
  }
  return true;
}

annot_advice_id annot_advise(const annot_advice *advice, annot_error *error) {
  registration *made = NULL;
  annot_advice_id id = 0;
  add_all(&(addition){.advice = advice, .made = &made, .count = 1, .error = error}, &id);
  return id;
}

bool annot_advise_all(const annot_advice *advice, size_t count, annot_advice_id *ids, annot_error *error) {
  for (size_t i = 0; ids && i < count; i++) ids[i] = 0;
  if (count == 0) return true;
  addition work = {.advice = advice, .made = call_allocate(count * sizeof(registration *)), .count = count,
                   .error = error};
  const bool done = work.made ? add_all(&work, ids) : refuse_memory(&work);
  free(work.made);
  return done;
}

uint64_t annot_advice_reserve_order(void) {
  registry_lock();
  const uint64_t number = registry_next_number();
  registry_unlock();
  return number;
}
