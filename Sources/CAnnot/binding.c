// What language bindings need to run the calls of their own join points.

#include "annot/binding.h"

#include "hook.h"

uintptr_t annot_binding_watched;

/// The hook is const to callers only.
static hook *own(const annot_hook *base) { return (hook *)(uintptr_t)base; }

annot_advice_list *annot_hook_acquire(const annot_hook *base) { return advice_list_acquire(&own(base)->list); }

const annot_advice_view *annot_advice_list_view(const annot_advice_list *list) { return &list->view; }

annot_call annot_call_begin(const annot_hook *base) {
  const list_hold hold = advice_list_enter(&own(base)->list);
  // The place tells the thread, which is this one until the call ends.
  return (annot_call){.view = (const annot_advice_view *)hold.list, .place = (void *)hold.place};
}

void annot_call_end(annot_call call) {
  advice_list_leave((list_hold){.list = annot_advice_list_of(call.view),
                                .thread = call.place ? hazard_of_this_thread() : NULL,
                                .place = call.place});
}

void **annot_call_spare(annot_call call) { return call.place ? &hazard_of_this_thread()->spare : NULL; }
