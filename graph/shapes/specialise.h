/* graph/shapes/specialise.h - a program at all sizes: what it is at some, and what changes with
   them. */
#ifndef AGNI_FAMILY_H
#define AGNI_FAMILY_H

#include "graph/shapes/fit.h"
#include "graph/program/program.h"

/* An integer or a real of a node; an extent of an input or a constant, which is the same all
   along (SPREAD, CYCLE), counts along its one open axis (RAMP), or is filled with a number
   (FILL): of value or node `of`, in the order of both. */
typedef struct agni_program_change {
    enum agni_change_kind {
        AGNI_CHANGE_EXTENT,
        AGNI_CHANGE_REPEAT,
        AGNI_CHANGE_TILE,
        AGNI_CHANGE_ARANGE,
        AGNI_CHANGE_FILL,
        AGNI_CHANGE_INTEGER,
        AGNI_CHANGE_REAL,
        AGNI_CHANGE_PROGRAM
    } what;
    int32_t of, at;
    agni_size_formula form;
    struct agni_shape_family *within; /* of the programs of a node's object: at of them */
} agni_program_change;

typedef struct agni_shape_family {
    struct agni_shape_family *next;
    agni_prog *p; /* at the first sample */
    agni_program_change *change;
    int32_t n, cap;
} agni_shape_family;

void agni_shape_family_free(agni_shape_family *f); /* with what comes next; NULL allowed */
/* Finds what differs between programs p[] traced at the samples (diff.c); what has no form is
   refused, the size called by its name. f: p[0] and no changes. */
agn_status agni_diff_programs(agni_shape_family *f, const agni_samples *s,
                              const agni_prog *const *p, const char *name);
/* the program at given sizes, stored (specialise.c) */
agn_status agni_specialise_program(agni_prog **out, const agni_shape_family *f, int n_size,
                                   const int64_t *size);

/* The constant that x is, where its open axes are as long as shape says. Such an axis d has
   parts[d] elements times something; 0: it is not open. Spread: each of them as often, one
   behind the other; cycle: all of them in turn; ramp: counting, of one part. */
typedef agn_status agni_extend_constant(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                               const int64_t *shape);
agni_extend_constant agni_extend_by_repeat, agni_extend_by_tile, agni_extend_by_arange;
/* the parts of an extent */
int64_t agni_extent_divisor(const agni_size_formula *f, int n_size);
/* another tensor like x without a value; NULL without memory */
agn_tensor *agni_describe_like(const agn_tensor *x, int ndim, const int64_t *shape);

#endif
