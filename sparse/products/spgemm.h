/* sparse/products/spgemm.h - products of two sparse matrices: C = A B on three patterns.

   c_h = sum a_f b_g over the entries f = (i, k), g = (k, j) of A and B and h = (i, j) of C. Sums
   over the same triples onto the entries of A or of B are its adjoints, and each other's:
     sparse_spgemm(u, w; onto, triple)   onto C: u on A, w on B
                                         onto A: u on C, w on B
                                         onto B: u on A, w on C     (no conjugates) */
#ifndef AGNI_TRIPLE_H
#define AGNI_TRIPLE_H

#include "sparse/products/products.h"

enum { AGNI_ONTO_C, AGNI_ONTO_A, AGNI_ONTO_B };

typedef struct agni_triple {
    agni_obj head;
    agni_pattern
        *p[3]; /* C, A, B: integers of one width; C has an entry for every product */
} agni_triple;

/* The triple of two patterns; C is found once for a pair and kept with A. */
agn_status agni_triple_new(agni_triple **out, const char *op, const agni_pattern *a,
                           const agni_pattern *b);
/* the same where C is known */
agn_status agni_triple_of(agni_triple **out, const char *op, const agni_pattern *c,
                          const agni_pattern *a, const agni_pattern *b);
/* where products of rows of a and b are (sparse/products/cpu/spgemm_symbolic.c) */
agn_status agni_product_pattern(agni_pattern **out, const char *op,
                                const agni_pattern *a, const agni_pattern *b);

agn_kernel agni_cpu_spgemm;
/* for each pattern that the result may be on, those of the arguments */
extern const int agni_spgemm_arguments[3][2];
/* of a device without a kernel (sparse/products/spgemm_pairs.c) */
agn_status agni_spgemm_by_pairs(const agni_call *c, agn_tensor **out);

#endif
