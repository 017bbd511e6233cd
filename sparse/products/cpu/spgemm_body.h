/* sparse/products/cpu/spgemm_body.h - products of sparse matrices for one type T and integers INT.
   acc is scratch, [cols], zero before and after. Every result is summed by one thread in the order
   of the entries. */

/* rows [lo, hi): c_h = sum a_f b_g */
static void NAME(onto_c)(const lines *c, const lines *a, const lines *b, const void *uv,
                         const void *wv, void *yv, void *accv, int64_t lo, int64_t hi)
{
    const T *restrict u = uv, *restrict w = wv;
    T *restrict y = yv, *restrict acc = accv;
    const INT *cp = c->indptr, *ci = c->index, *ap = a->indptr, *ai = a->index;
    const INT *bp = b->indptr, *bi = b->index;
    for (int64_t i = lo; i < hi; i++) {
        for (int64_t f = ap[i]; f < ap[i + 1]; f++) {
            T x = u[f];
            for (int64_t g = bp[ai[f]], end = bp[ai[f] + 1]; g < end; g++)
                MAC(acc[bi[g]], x, w[g]);
        }
        for (int64_t h = cp[i]; h < cp[i + 1]; h++) {
            y[h] = acc[ci[h]];
            acc[ci[h]] = 0;
        }
    }
}

/* rows [lo, hi): a_f = sum c_h b_g; entry e of each has value from[e], or e */
static void NAME(onto_a)(const lines *a, const lines *c, const lines *b, const void *uv,
                         const void *wv, void *yv, void *accv, int64_t lo, int64_t hi)
{
    const T *restrict u = uv, *restrict w = wv;
    T *restrict y = yv, *restrict acc = accv;
    const INT *cp = c->indptr, *ci = c->index, *ap = a->indptr, *ai = a->index;
    const INT *bp = b->indptr, *bi = b->index;
    const INT *af = a->from, *bf = b->from, *cf = c->from;
    for (int64_t i = lo; i < hi; i++) {
        for (int64_t h = cp[i]; h < cp[i + 1]; h++)
            acc[ci[h]] = u[cf ? cf[h] : (INT)h];
        for (int64_t f = ap[i]; f < ap[i + 1]; f++) {
            T sum = 0;
            for (int64_t g = bp[ai[f]], end = bp[ai[f] + 1]; g < end; g++)
                MAC(sum, acc[bi[g]], w[bf ? bf[g] : (INT)g]);
            y[af ? af[f] : (INT)f] = sum;
        }
        for (int64_t h = cp[i]; h < cp[i + 1]; h++)
            acc[ci[h]] = 0;
    }
}
