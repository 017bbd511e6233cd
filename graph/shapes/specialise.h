/* graph/shapes/specialise.h - a program at all sizes: what it is at some, and what changes with them. */
#ifndef AGNI_FAMILY_H
#define AGNI_FAMILY_H

#include "graph/shapes/fit.h"
#include "graph/program/program.h"

/* An integer or a real of a node; an extent of an input or a constant, which is the same all along
   (SPREAD, CYCLE), counts along its one open axis (RAMP), or is filled with a number (FILL): of value
   or node `of`, in the order of both. */
typedef struct agni_change {
    enum agni_changing {
        AGNI_EXTENT,
        AGNI_SPREAD,
        AGNI_CYCLE,
        AGNI_RAMP,
        AGNI_FILL,
        AGNI_INTEGER,
        AGNI_REAL,
        AGNI_WITHIN
    } what;
    int32_t of, at;
    agni_size_formula form;
    struct agni_family *within; /* of the programs of a node's object: at of them */
} agni_change;

typedef struct agni_family {
    struct agni_family *next;
    agni_prog *p; /* at the first sample */
    agni_change *change;
    int32_t n, cap;
} agni_family;

void agni_family_free(agni_family *f); /* with what comes next; NULL allowed */
/* Finds what differs between programs p[] traced at the samples (differ.c); what has no form is
   refused, the size called by its name. f: p[0] and no changes. */
agn_status agni_family_find(agni_family *f, const agni_samples *s, const agni_prog *const *p,
                            const char *name);
/* the program at given sizes, stored (family.c) */
agn_status agni_family_at(agni_prog **out, const agni_family *f, int n_size, const int64_t *size);

/* The constant that x is, where its open axes are as long as shape says. Such an axis d has parts[d]
   elements times something; 0: it is not open. Spread: each of them as often, one behind the other;
   cycle: all of them in turn; ramp: counting, of one part. */
typedef agn_status agni_longer(agn_tensor **out, const agn_tensor *x, const int64_t *parts,
                               const int64_t *shape);
agni_longer agni_extend_by_repeat, agni_extend_by_tile, agni_extend_by_arange;
/* the parts of an extent */
int64_t agni_parts(const agni_size_formula *f, int n_size);
/* another tensor like x without a value; NULL without memory */
agn_tensor *agni_described(const agn_tensor *x, int ndim, const int64_t *shape);

#endif
