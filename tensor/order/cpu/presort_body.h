/* tensor/order/cpu/presort_body.h - passes over numbers of one type before they are sorted. ODD:
   is it 0 or NaN, whose bits must not change? Undefines T, S and ODD. No guard. */

static int64_t NAME(find_beyond, S)(const void *xv, int64_t n, const void *bound, int below)
{
    enum { STEP = 64 };
    const T *x = xv, b = *(const T *)bound;
    int64_t k = 0;
    for (; k + STEP <= n; k += STEP) {
        int any = 0;
        if (below)
            for (int i = 0; i < STEP; i++)
                any |= x[k + i] < b;
        else
            for (int i = 0; i < STEP; i++)
                any |= x[k + i] > b;
        if (any)
            break;
    }
    while (k < n && !(below ? x[k] < b : x[k] > b))
        k++;
    return k;
}

static int64_t NAME(collect_numbers, S)(void *vv, const void *xv, int64_t n)
{
    enum { STEP = 64 };
    T *v = vv, *end = v + n;
    const T *x = xv;
    int64_t m = 0, k = 0;
    for (; k + STEP <= n; k += STEP) {
        int odd = 0;
        for (int i = 0; i < STEP; i++) {
            T a = x[k + i];
            v[m + i] = a;
            odd |= ODD(a);
        }
        if (!odd) {
            m += STEP;
            continue;
        }
        for (int i = 0; i < STEP; i++)
            if (ODD(x[k + i]))
                *--end = x[k + i];
            else
                v[m++] = x[k + i];
    }
    for (; k < n; k++)
        if (ODD(x[k]))
            *--end = x[k];
        else
            v[m++] = x[k];
    return m;
}
#undef T
#undef S
#undef ODD
