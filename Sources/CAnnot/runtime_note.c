// The note by which join points find the runtime: no symbol of ours need be exported or imported.

#include "resolve.h"

// Elf_Nhdr (gABI, "Note Section"): name size 6, description size 4, type ANNOT_NOTE_RUNTIME.
__asm__(
    ".pushsection .note.annot,\"aR\",%note\n"
    ".balign 4\n"
    ".long 6, 4, 3\n"
    ".asciz \"annot\"\n"
    ".balign 4\n"
    ".long annot_runtime_resolve - .\n"
    ".popsection\n");

/// Keeps the entry in the object file although only the note refers to it.
__attribute__((used, visibility("hidden"))) annot_resolve_function const annot_runtime_entry = annot_runtime_resolve;
