#define _GNU_SOURCE
#include "got_write.h"

#include "calls.h"

static const ElfW(Phdr) *relro_of(const struct dl_phdr_info *info) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) return &info->dlpi_phdr[i];
  return NULL;
}

bool image_is_relocated(const struct dl_phdr_info *info) {
  const ElfW(Phdr) *segment = relro_of(info);
  if (!segment) return true;
  // Only whole pages are protected: dynamic linkers round both ends down.
  const uintptr_t page = call_page_size();
  const uintptr_t start = (info->dlpi_addr + segment->p_vaddr) / page * page;
  const uintptr_t end = (info->dlpi_addr + segment->p_vaddr + segment->p_memsz) / page * page;
  if (end <= start || !call_is_writable((void *)start)) return true;
  // All are protected at once. One that is writable again was opened by somebody else.
  return end - start > page && !call_is_writable((void *)(end - page));
}

static got_outcome replace(uintptr_t *place, uintptr_t expected, uintptr_t value) {
  return __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
             ? GOT_WRITTEN
             : GOT_CHANGED;
}

got_outcome got_replace(uintptr_t *place, uintptr_t expected, uintptr_t value) {
  if (call_is_writable(place)) return replace(place, expected, value);
  if (__atomic_load_n(place, __ATOMIC_ACQUIRE) != expected) return GOT_CHANGED;
  const uintptr_t page = call_page_size();
  void *start = (void *)((uintptr_t)place / page * page);
  if (!call_protect(start, page, true)) return GOT_PROTECTED;
  const got_outcome outcome = replace(place, expected, value);
  call_protect(start, page, false);
  return outcome;
}
