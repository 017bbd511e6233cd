/* tensor/matmul/einsum_path.c - which operands of an Einstein sum to contract first. Few: the
   best order of all, over subsets of operands (Pfeifer, Haegeman & Verstraete 2014,
   without their pruning). Many: the pair whose product is smallest beside what it
   replaces (Smith & Gray 2018). */
#include "tensor/matmul/einsum.h"

enum { FEW = 8, MOST = 16 };

static agni_axes both(agni_axes a, agni_axes b)
{
    return (agni_axes){{a.bits[0] | b.bits[0], a.bits[1] | b.bits[1]}};
}
static agni_axes common(agni_axes a, agni_axes b)
{
    return (agni_axes){{a.bits[0] & b.bits[0], a.bits[1] & b.bits[1]}};
}
static double volume(agni_axes a, const int64_t *size)
{
    double v = 1;
    for (int w = 0; w < 2; w++)
        for (uint64_t bits = a.bits[w]; bits; bits &= bits - 1)
            v *= (double)size[64 * w + __builtin_ctzll(bits)];
    return v;
}

/* what is left of a product: axes of the result and of the operands that remain */
static agni_axes kept(agni_axes product, agni_axes result, int n, const agni_axes *set,
                      int i, int j)
{
    agni_axes needed = result;
    for (int q = 0; q < n; q++)
        if (q != i && q != j)
            needed = both(needed, set[q]);
    return common(product, needed);
}

/* contracts i and j of n operands; their cost */
static double contract(int n, agni_axes *set, agni_axes result, const int64_t *size,
                       int i, int j)
{
    agni_axes product = both(set[i], set[j]);
    agni_axes left = kept(product, result, n, set, i, j);
    int to = 0;
    for (int q = 0; q < n; q++)
        if (q != i && q != j)
            set[to++] = set[q];
    set[to] = left;
    return volume(product, size);
}

static void greedy(int n, const agni_axes *given, agni_axes result, const int64_t *size,
                   int8_t (*pair)[2])
{
    agni_axes set[MOST];
    for (int i = 0; i < n; i++)
        set[i] = given[i];
    for (int left = n; left > 1; left--) {
        double best = 0, least = 0;
        int8_t *p = pair[n - left];
        for (int i = 0; i < left; i++)
            for (int j = i + 1; j < left; j++) {
                agni_axes product = both(set[i], set[j]);
                double cost = volume(product, size);
                double gain = volume(kept(product, result, left, set, i, j), size) -
                              volume(set[i], size) - volume(set[j], size);
                if ((i == 0 && j == 1) || gain < best ||
                    (gain == best && cost < least)) {
                    best = gain;
                    least = cost;
                    p[0] = (int8_t)i;
                    p[1] = (int8_t)j;
                }
            }
        contract(left, set, result, size, p[0], p[1]);
    }
}

/* ---- the best order: subsets of operands as bits --------------------------------- */

typedef struct table {
    agni_axes left[1 << FEW]; /* axes of the product of a subset */
    double cost[1 << FEW];
    unsigned char split[1 << FEW]; /* one side of its last contraction */
} table;

static void fill(table *t, int n, const agni_axes *set, agni_axes result,
                 const int64_t *size)
{
    for (int s = 1; s < 1 << n; s++) {
        agni_axes inside = {{0, 0}}, outside = result;
        for (int q = 0; q < n; q++)
            if (s >> q & 1)
                inside = both(inside, set[q]);
            else
                outside = both(outside, set[q]);
        t->cost[s] = 0;
        t->split[s] = 0;
        if (!(s & (s - 1))) { /* one operand stays as it is */
            t->left[s] = inside;
            continue;
        }
        t->left[s] = common(inside, outside);
        /* each way to cut s in two, once: one side holds its lowest operand */
        int low = s & -s;
        for (int a = (s - 1) & s; a; a = (a - 1) & s) {
            if (!(a & low))
                continue;
            int b = s ^ a;
            double c = t->cost[a] + t->cost[b] +
                       volume(both(t->left[a], t->left[b]), size);
            if (!t->split[s] || c < t->cost[s]) {
                t->cost[s] = c;
                t->split[s] = (unsigned char)a;
            }
        }
    }
}

/* writes the contractions of subset s, deepest first; place[]: which subset stands
   where */
static void write_order(const table *t, int s, int n, int *left, int *place,
                        int8_t (*pair)[2])
{
    int a = t->split[s], b = s ^ a, to = 0, at[2] = {0, 0};
    if (!(s & (s - 1)))
        return;
    write_order(t, a, n, left, place, pair);
    write_order(t, b, n, left, place, pair);
    for (int q = 0; q < *left; q++)
        if (place[q] == a || place[q] == b)
            at[place[q] == b] = q;
        else
            place[to++] = place[q];
    place[to] = s;
    int8_t *p = pair[n - *left];
    p[0] = (int8_t)(at[0] < at[1] ? at[0] : at[1]);
    p[1] = (int8_t)(at[0] < at[1] ? at[1] : at[0]);
    (*left)--;
}

static void best(int n, const agni_axes *set, agni_axes result, const int64_t *size,
                 int8_t (*pair)[2])
{
    table t;
    int place[FEW], left = n;
    for (int q = 0; q < n; q++)
        place[q] = 1 << q;
    fill(&t, n, set, result, size);
    write_order(&t, (1 << n) - 1, n, &left, place, pair);
}

void agni_einsum_order(int n, const agni_axes *set, agni_axes result,
                       const int64_t *size, int8_t (*pair)[2], double *cost,
                       double *plain)
{
    agni_axes now[MOST];
    *cost = *plain = 0;
    if (n == 2)
        pair[0][0] = 0, pair[0][1] = 1;
    else if (n <= FEW)
        best(n, set, result, size, pair);
    else
        greedy(n, set, result, size, pair);
    for (int i = 0; i < n; i++)
        now[i] = set[i];
    for (int k = 0; k + 1 < n; k++)
        *cost += contract(n - k, now, result, size, pair[k][0], pair[k][1]);
    /* from left to right, the product takes part in the next one: it stands in front */
    agni_axes front = set[0];
    for (int k = 1; k < n; k++) {
        agni_axes product = both(front, set[k]), needed = result;
        *plain += volume(product, size);
        for (int q = k + 1; q < n; q++)
            needed = both(needed, set[q]);
        front = common(product, needed);
    }
}
