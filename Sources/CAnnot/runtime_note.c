// The note by which join points find the runtime: no symbol of ours need be exported or imported.

#include "resolve.h"

// Elf_Nhdr (gABI, "Note Section"): name size 6, description size 4, type ANNOT_NOTE_RUNTIME.
__asm__(
    ".pushsection .note.annot,\"aR\",%note\n"
    ".balign 4\n"
    ".long 6, 4, 3\n"
    ".asciz \"annot\"\n"
    ".balign 4\n"
    ".long annot_runtime_entry - .\n"
    ".popsection\n");

/// In the note's own file, and marked used, so that link-time optimisation keeps it where the note finds it.
__attribute__((used, noinline)) const annot_hook *annot_runtime_entry(annot_joinpoint *joinpoint) {
  return annot_runtime_resolve(joinpoint);
}
