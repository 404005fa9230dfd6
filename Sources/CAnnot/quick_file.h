/// Finds the section of records in the file of a loaded image with a few reads and no allocation.
///
/// A process does this for every image without a bounds note when it starts, and all but odd files are laid out
/// the same way: headers and notes in front, section names and section headers at the end. What is laid out
/// otherwise, or is not as the loaded image says, is left to the file reader, which also says what is wrong.
#ifndef ANNOT_QUICK_FILE_H
#define ANNOT_QUICK_FILE_H

#include "annot/file.h"
#include "gather.h"

#pragma GCC visibility push(hidden)

typedef enum quick_outcome {
  QUICK_NONE,   ///< it is the image's file and has no records
  QUICK_FOUND,  ///< it has one section of records
  QUICK_ODD,    ///< the file reader must see
} quick_outcome;

/// Looks into the image's file.
///
/// - size: of the file, in bytes.
/// - section: filled in when found, but for its contents.
quick_outcome quick_file_find(
    int descriptor, uint64_t size, const gathered_image *image, annot_file_section *section);

#pragma GCC visibility pop

#endif
