/* sparse/direct/cpu/selected_inverse_body.h - selected inversion: the entries of (L D L^H)^-1 on
   the pattern of L, for type T; NAME(x) names a function. Takahashi, Fagan & Chin 1973: with S the
   rows of column j,
     Z_ij = - sum over k in S of Z_ik L_kj,   Z_jj = 1 / D_j - sum over k in S of conj(Z_kj) L_kj.
   z has the layout of x; lj and w are scratch, [n], zero before and after. */
static void NAME(selected_inverse)(int64_t n, const int64_t *p, const int64_t *nz,
                           const int64_t *row, const T *x, T *z, T *lj, T *w)
{
    for (int64_t j = n - 1; j >= 0; j--) {
        int64_t first = p[j] + 1, last = p[j] + nz[j];
        T own = 1 / x[p[j]];
        for (int64_t e = first; e < last; e++)
            lj[row[e]] = x[e];
        for (int64_t e = first; e < last; e++) {
            int64_t k = row[e], f = p[k];
            T sum = z[f] * x[e];
            for (f++; f < p[k] + nz[k]; f++) {
                w[row[f]] += z[f] * x[e]; /* rows that are not in S are cleared below */
                sum += CONJ(z[f]) * lj[row[f]];
            }
            w[k] += sum;
        }
        for (int64_t e = first; e < last; e++) {
            z[e] = -w[row[e]];
            own -= CONJ(z[e]) * x[e];
        }
        z[p[j]] = own;
        for (int64_t e = first; e < last; e++) {
            int64_t k = row[e];
            lj[k] = 0;
            for (int64_t f = p[k]; f < p[k] + nz[k]; f++)
                w[row[f]] = 0;
        }
    }
}
