/// Leads calls of shims' symbols to the shims while these are advised.
///
/// The state wanted follows from the slots: a symbol with an advised shim leads there, any other leads where it always
/// did. interpose_update brings that about, whoever changed a slot, and is called after each change.
#ifndef ANNOT_INTERPOSE_H
#define ANNOT_INTERPOSE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/// Brings the entries of all images up to date. Called with no lock held.
///
/// - may_wait: whether images may be pinned, which waits for other threads' dlopen. If not, shims that would need it
///   stay as they are until a call that may.
/// - Returns false when memory runs out.
bool interpose_update(bool may_wait);

/// Does the same if images were loaded since it was last called, or `is_asked`; nothing before the first advice.
void interpose_notice(bool may_wait, bool is_asked);

/// Makes this thread's updates such that may not wait, whatever they are told, or takes that back: for the first call of
/// a join point, which a constructor on another thread may be waiting for. Returns what was so before.
bool interpose_forbid_waiting(bool is_forbidden);

/// Whether shims wait for an update that may wait.
bool interpose_is_pending(void);

#pragma GCC visibility pop

#endif
