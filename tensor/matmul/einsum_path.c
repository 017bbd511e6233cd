/* tensor/matmul/einsum_path.c - contraction order of an Einstein sum. At most 8 operands: the
   optimal order by dynamic programming over subsets (Pfeifer, Haegeman & Verstraete 2014,
   without their pruning). More: greedy, the pair with the least size of product minus sizes of
   operands (Smith & Gray 2018). */
#include "tensor/matmul/einsum.h"

enum { FEW = 8, MOST = 16 };

static agni_axis_set union_axes(agni_axis_set a, agni_axis_set b)
{
    return (agni_axis_set){{a.bits[0] | b.bits[0], a.bits[1] | b.bits[1]}};
}
static agni_axis_set intersect_axes(agni_axis_set a, agni_axis_set b)
{
    return (agni_axis_set){{a.bits[0] & b.bits[0], a.bits[1] & b.bits[1]}};
}
static double index_volume(agni_axis_set a, const int64_t *size)
{
    double v = 1;
    for (int w = 0; w < 2; w++)
        for (uint64_t bits = a.bits[w]; bits; bits &= bits - 1)
            v *= (double)size[64 * w + __builtin_ctzll(bits)];
    return v;
}

/* axes of a product that the result or another operand needs */
static agni_axis_set remaining_axes(agni_axis_set product, agni_axis_set result, int n,
                                    const agni_axis_set *set, int i, int j)
{
    agni_axis_set needed = result;
    for (int q = 0; q < n; q++)
        if (q != i && q != j)
            needed = union_axes(needed, set[q]);
    return intersect_axes(product, needed);
}

/* contracts i and j of n operands; their cost */
static double contract_pair(int n, agni_axis_set *set, agni_axis_set result, const int64_t *size,
                            int i, int j)
{
    agni_axis_set product = union_axes(set[i], set[j]);
    agni_axis_set left = remaining_axes(product, result, n, set, i, j);
    int to = 0;
    for (int q = 0; q < n; q++)
        if (q != i && q != j)
            set[to++] = set[q];
    set[to] = left;
    return index_volume(product, size);
}

static void order_greedily(int n, const agni_axis_set *given, agni_axis_set result,
                           const int64_t *size, int8_t (*pair)[2])
{
    agni_axis_set set[MOST];
    for (int i = 0; i < n; i++)
        set[i] = given[i];
    for (int left = n; left > 1; left--) {
        double best = 0, least = 0;
        int8_t *p = pair[n - left];
        for (int i = 0; i < left; i++)
            for (int j = i + 1; j < left; j++) {
                agni_axis_set product = union_axes(set[i], set[j]);
                double cost = index_volume(product, size);
                double gain = index_volume(remaining_axes(product, result, left, set, i, j), size) -
                              index_volume(set[i], size) - index_volume(set[j], size);
                if ((i == 0 && j == 1) || gain < best ||
                    (gain == best && cost < least)) {
                    best = gain;
                    least = cost;
                    p[0] = (int8_t)i;
                    p[1] = (int8_t)j;
                }
            }
        contract_pair(left, set, result, size, p[0], p[1]);
    }
}

/* ---- the optimal order: subsets of operands as bit sets ---------------------------- */

typedef struct subset_table {
    agni_axis_set left[1 << FEW]; /* axes of the product of a subset */
    double cost[1 << FEW];
    unsigned char split[1 << FEW]; /* one side of its last contraction */
} subset_table;

static void fill_subset_table(subset_table *t, int n, const agni_axis_set *set,
                              agni_axis_set result, const int64_t *size)
{
    for (int s = 1; s < 1 << n; s++) {
        agni_axis_set inside = {{0, 0}}, outside = result;
        for (int q = 0; q < n; q++)
            if (s >> q & 1)
                inside = union_axes(inside, set[q]);
            else
                outside = union_axes(outside, set[q]);
        t->cost[s] = 0;
        t->split[s] = 0;
        if (!(s & (s - 1))) { /* one operand */
            t->left[s] = inside;
            continue;
        }
        t->left[s] = intersect_axes(inside, outside);
        /* each partition of s into two, once: a holds its lowest operand */
        int low = s & -s;
        for (int a = (s - 1) & s; a; a = (a - 1) & s) {
            if (!(a & low))
                continue;
            int b = s ^ a;
            double c = t->cost[a] + t->cost[b] +
                       index_volume(union_axes(t->left[a], t->left[b]), size);
            if (!t->split[s] || c < t->cost[s]) {
                t->cost[s] = c;
                t->split[s] = (unsigned char)a;
            }
        }
    }
}

/* writes the contractions of subset s, deepest first; subset_at[q]: the subset whose product is
   operand q */
static void write_order(const subset_table *t, int s, int n, int *left, int *subset_at,
                        int8_t (*pair)[2])
{
    int a = t->split[s], b = s ^ a, to = 0, at[2] = {0, 0};
    if (!(s & (s - 1)))
        return;
    write_order(t, a, n, left, subset_at, pair);
    write_order(t, b, n, left, subset_at, pair);
    for (int q = 0; q < *left; q++)
        if (subset_at[q] == a || subset_at[q] == b)
            at[subset_at[q] == b] = q;
        else
            subset_at[to++] = subset_at[q];
    subset_at[to] = s;
    int8_t *p = pair[n - *left];
    p[0] = (int8_t)(at[0] < at[1] ? at[0] : at[1]);
    p[1] = (int8_t)(at[0] < at[1] ? at[1] : at[0]);
    (*left)--;
}

static void order_optimally(int n, const agni_axis_set *set, agni_axis_set result,
                            const int64_t *size, int8_t (*pair)[2])
{
    subset_table t;
    int subset_at[FEW], left = n;
    for (int q = 0; q < n; q++)
        subset_at[q] = 1 << q;
    fill_subset_table(&t, n, set, result, size);
    write_order(&t, (1 << n) - 1, n, &left, subset_at, pair);
}

void agni_einsum_order(int n, const agni_axis_set *set, agni_axis_set result, const int64_t *size,
                       int8_t (*pair)[2], double *cost, double *plain)
{
    agni_axis_set remaining[MOST];
    *cost = *plain = 0;
    if (n == 2)
        pair[0][0] = 0, pair[0][1] = 1;
    else if (n <= FEW)
        order_optimally(n, set, result, size, pair);
    else
        order_greedily(n, set, result, size, pair);
    for (int i = 0; i < n; i++)
        remaining[i] = set[i];
    for (int k = 0; k + 1 < n; k++)
        *cost += contract_pair(n - k, remaining, result, size, pair[k][0], pair[k][1]);
    /* from left to right */
    agni_axis_set front = set[0];
    for (int k = 1; k < n; k++) {
        agni_axis_set product = union_axes(front, set[k]), needed = result;
        *plain += index_volume(product, size);
        for (int q = k + 1; q < n; q++)
            needed = union_axes(needed, set[q]);
        front = intersect_axes(product, needed);
    }
}
