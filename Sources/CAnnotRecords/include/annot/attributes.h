/// Compiler attributes shared by Annot's C API headers.
#ifndef ANNOT_ATTRIBUTES_H
#define ANNOT_ATTRIBUTES_H

/// Marks a function that is visible outside its image; everything else is hidden.
#define ANNOT_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define ANNOT_BEGIN_DECLS extern "C" {
#define ANNOT_END_DECLS }
#else
#define ANNOT_BEGIN_DECLS
#define ANNOT_END_DECLS
#endif

#endif
