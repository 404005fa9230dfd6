/// Tells observers of changes, in order, one at a time and with no lock held.
#ifndef ANNOT_OBSERVERS_H
#define ANNOT_OBSERVERS_H

#include "snapshot.h"

#pragma GCC visibility push(hidden)

/// Notes that `after` took the place of `before`; called under the collector's lock, takes over nothing.
void observers_queue(annot_snapshot *before, annot_snapshot *after);
/// Tells the observers what is queued, unless a thread is at it already; called with no lock held.
void observers_tell(void);

/// Looks for changes, if there is anyone to tell; called with no lock held.
void observers_notice(void);

/// annot_snapshot_take without what may wait for other threads' dlopen.
annot_snapshot *collector_take(void);

/// The lock that guards the current snapshot and the observers. A leaf: while it is held nothing is called
/// that allocates, blocks or is not our own.
void collector_lock(void);
void collector_unlock(void);

#pragma GCC visibility pop

#endif
