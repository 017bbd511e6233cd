/* sparse/ops/cpu/merge_patterns_body.h - rows of two patterns merged, for integers INT; NAME(x)
   names a function. The merge has no branch on which row is next, as it could not be predicted.
   Indices count from 0 in each run. */

static int64_t NAME(merge_union)(const lines *a, const lines *b, const run *r, int64_t lo,
                                 int64_t hi)
{
    const INT *begin = a->indptr, *also = b->indptr, *pc = a->index, *qc = b->index;
    INT *restrict index = r->index, *restrict p = r->at[0], *restrict q = r->at[1];
    INT *end = r->end, n = 0;
    for (int64_t i = lo; i < hi; i++) {
        int64_t e = begin[i], f = also[i], ee = begin[i + 1], ff = also[i + 1];
        while (e < ee && f < ff) {
            INT x = pc[e], y = qc[f];
            index[n] = x < y ? x : y;
            p[e] = q[f] = n++;
            e += x <= y;
            f += y <= x;
        }
        for (; e < ee; e++) {
            index[n] = pc[e];
            p[e] = n++;
        }
        for (; f < ff; f++) {
            index[n] = qc[f];
            q[f] = n++;
        }
        end[i] = n;
    }
    return n;
}

static int64_t NAME(merge_intersection)(const lines *a, const lines *b, const run *r, int64_t lo,
                                        int64_t hi)
{
    const INT *begin = a->indptr, *also = b->indptr, *pc = a->index, *qc = b->index;
    INT *restrict index = r->index, *restrict p = r->at[0], *restrict q = r->at[1];
    INT *end = r->end, n = 0;
    for (int64_t i = lo; i < hi; i++) {
        int64_t e = begin[i], f = also[i], ee = begin[i + 1], ff = also[i + 1];
        while (e < ee && f < ff) { /* n counts less than e - begin[lo]: there is room */
            INT x = pc[e], y = qc[f];
            index[n] = x;
            p[n] = (INT)e;
            q[n] = (INT)f;
            n += x == y;
            e += x <= y;
            f += y <= x;
        }
        end[i] = n;
    }
    return n;
}

/* to[k] = from[k] + by; in place where to = from */
static void NAME(shift_indices)(void *to, const void *from, int64_t n, int64_t by)
{
    INT *y = to;
    const INT *x = from;
    for (int64_t k = 0; k < n; k++)
        y[k] = (INT)(x[k] + (INT)by);
}

#define ADD(T, name)                                                                              \
    static void NAME(add_##name)(void *y, const void *u, const void *to, int64_t lo, int64_t hi)  \
    {                                                                                             \
        const INT *restrict at = to;                                                              \
        const T *restrict v = u;                                                                  \
        T *restrict into = y;                                                                     \
        for (int64_t e = lo; e < hi; e++)                                                         \
            into[at[e]] += v[e];                                                                  \
    }
ADD(float, f32)
ADD(double, f64)
ADD(float complex, c64)
ADD(double complex, c128)
#undef ADD
