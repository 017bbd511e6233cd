/* linalg/cpu/lanes/finite_body.h - are all numbers finite? For the element type bound by real.h. */

/* x 0 is 0 exactly where x is finite, else NaN: the sum of them is 0 if all are */
static bool FN(all_finite)(const void *p, int64_t n)
{
    const REAL *x = p;
    const VEC none = SPLAT(0);
    VEC sum[4] = {none, none, none, none};
    int64_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        AGNI_UNROLL
        for (int k = 0; k < 4; k++) {
            VEC v;
            memcpy(&v, x + i + k * LANES, sizeof v);
            sum[k] += v * none;
        }
    }
    sum[0] += sum[1] + (sum[2] + sum[3]);
    REAL last = 0, lane[LANES];
    for (; i < n; i++)
        last += x[i] * 0;
    memcpy(lane, &sum[0], sizeof lane);
    for (int l = 0; l < LANES; l++)
        last += lane[l];
    return last == 0;
}
