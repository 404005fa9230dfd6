/// What Annot is measured against, written the plain way.
#ifndef BENCHMARK_BASELINES_H
#define BENCHMARK_BASELINES_H

#include <stdbool.h>
#include <stddef.h>

/// Walks the loaded images and their program headers; returns how many notes' segments they have.
size_t baseline_walk_images(void);

/// Finds the section `annot` of a file with libelf, which maps it; returns the section's size in bytes, 0 when
/// there is none.
size_t baseline_find_section(const char *path);

#endif
