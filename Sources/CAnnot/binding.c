// What language bindings need to run the calls of their own join points.

#include "annot/binding.h"

#include "hook.h"

uintptr_t annot_binding_watched;
annot_joinpoint annot_idle_slot = {
    .size = sizeof(annot_joinpoint), .version = ANNOT_JOINPOINT_VERSION, .hook = ANNOT_HOOK_IDLE};

/// The hook is const to callers only.
static hook *own(const annot_hook *base) { return (hook *)(uintptr_t)base; }

annot_advice_list *annot_hook_acquire(const annot_hook *base) { return advice_list_acquire(&own(base)->list); }

const annot_advice_view *annot_advice_list_view(const annot_advice_list *list) { return &list->view; }

annot_call annot_call_begin(const annot_hook *base) {
  const list_hold hold = advice_list_enter(&own(base)->list);
  return (annot_call){
      .view = hold.list ? &hold.list->view : NULL, .thread = hold.thread, .place = (void *)hold.place};
}

void annot_call_end(annot_call call) {
  advice_list_leave((list_hold){
      .list = (annot_advice_list *)(uintptr_t)call.view, .thread = call.thread, .place = call.place});
}

void **annot_call_spare(annot_call call) {
  hazard *thread = call.thread;
  return thread ? &thread->spare : NULL;
}
