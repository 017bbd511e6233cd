/* sparse/ops/merge_patterns.h - the union or intersection C of two patterns A and B, with index
   maps.

   AGNI_PATTERN_UNION: entry e of A is entry at[0][e] of C, entry f of B is entry at[1][f] of C.
   AGNI_PATTERN_INTERSECTION: entry k of C is entry at[0][k] of A and entry at[1][k] of B. All maps
   ascend.
     sparse_join(u, w; union)   y_k = sum of u_e with at[0][e] = k and of w_f with at[1][f] = k */
#ifndef AGNI_JOIN_H
#define AGNI_JOIN_H

#include "sparse/products/products.h"

typedef struct agni_merged_pattern {
    agni_obj head;
    bool both;
    bool wide;         /* integers of 64 bits */
    agni_pattern *c;   /* NULL where C is no pattern */
    int64_t nnz, n[2]; /* entries of C, of A and of B */
    void *at[2];
} agni_merged_pattern;

/* Of what kind; found once for a pair of patterns of one shape and kept with the first. */
agn_status agni_merged_pattern_find(agni_merged_pattern **out, const char *op,
                                    const agni_pattern *a, const agni_pattern *b, int what);
/* one to be filled */
agn_status agni_merged_pattern_new(agni_merged_pattern **out, const char *op);
/* at[k] as a tensor that keeps m alive */
const agn_tensor *agni_merged_pattern_index(agn_scope *s, const agni_merged_pattern *m, int k);

/* fills m, for patterns with integers of one width (sparse/ops/cpu/merge_patterns.c) */
agn_status agni_merge_patterns(agni_merged_pattern *m, const char *op, const agni_pattern *a,
                               const agni_pattern *b, int what);

agn_kernel agni_cpu_join;

#endif
