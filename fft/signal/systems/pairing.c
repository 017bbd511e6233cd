/* fft/signal/systems/pairing.c - second-order sections of given roots, on the host (Oppenheim &
   Schafer 2010, 6.9). */
#include "fft/signal/design/roots.h"
#include "tensor/dispatch/host_run.h"
#include "fft/signal/systems/systems.h"

#include <float.h>
#include <math.h>

enum { ROOTS_MOST = 128, UNIQUE_MOST = 1 << 16 };

/* x as c128 in a row on the host, owned by *owner */
static agn_status read_row(agn_tensor **owner, const double complex **v, const char *op,
                           const agn_tensor *x, int64_t most)
{
    agn_tensor *wide = NULL, *row = NULL;
    const void *data = NULL;
    if (x->ndim != 1 || x->shape[0] > most)
        return agni_fail(AGN_ESHAPE, "%s: roots are %s; they lie along one axis, at most %lld", op,
                         AGNI_SHAPE(x), (long long)most);
    agn_status st = agn_cast(&wide, x, AGN_C128);
    if (!st)
        st = agn_contiguous(&row, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&data, row);
    if (st) {
        agn_release(row);
        return agni_rename_error(op, st);
    }
    *owner = row;
    *v = data;
    return AGN_OK;
}

/* reals, and one of each conjugate pair */
static agn_status split_roots(agni_roots *r, const char *op, const agn_tensor *x)
{
    agn_tensor *owner = NULL;
    const double complex *v = NULL;
    bool used[ROOTS_MOST] = {false};
    agn_status st = read_row(&owner, &v, op, x, ROOTS_MOST);
    *r = (agni_roots){.reals = 0};
    for (int64_t i = 0; !st && i < x->shape[0]; i++) {
        double tol = 100 * DBL_EPSILON * cabs(v[i]);
        if (!isfinite(creal(v[i])) || !isfinite(cimag(v[i])))
            st = agni_fail(AGN_EDOMAIN, "%s: root %lld of %s is not finite", op, (long long)i,
                           AGNI_SHAPE(x));
        if (st || used[i])
            continue;
        used[i] = true;
        if (fabs(cimag(v[i])) <= tol) {
            r->real[r->reals++] = creal(v[i]);
            continue;
        }
        int64_t mate = -1;
        for (int64_t j = i + 1; j < x->shape[0]; j++)
            if (!used[j] && (mate < 0 || cabs(v[j] - conj(v[i])) < cabs(v[mate] - conj(v[i]))))
                mate = j;
        if (mate < 0 || !(cabs(v[mate] - conj(v[i])) <= 2 * tol)) {
            st = agni_fail(AGN_EDOMAIN, "%s: root %lld of %s, %g%+gi, has no conjugate", op,
                           (long long)i, AGNI_SHAPE(x), creal(v[i]), cimag(v[i]));
            continue;
        }
        used[mate] = true;
        double complex mean = (v[i] + conj(v[mate])) / 2;
        r->pair[r->pairs++] = cimag(mean) > 0 ? mean : conj(mean);
    }
    agn_release(owner);
    return st;
}

static int count_all(const agni_roots *r)
{
    return r->reals + 2 * r->pairs;
}

/* as many zeros as poles, by roots at 0; no roots at all are one section */
static void balance_counts(agni_zpk *f)
{
    if (!count_all(&f->z) && !count_all(&f->p))
        agni_roots_add(&f->p, 0);
    while (count_all(&f->z) < count_all(&f->p))
        agni_roots_add(&f->z, 0);
    while (count_all(&f->p) < count_all(&f->z))
        agni_roots_add(&f->p, 0);
}

static agn_status make_sections(agn_tensor **out, const char *op, const agn_tensor *zeros,
                                const agn_tensor *poles, double gain)
{
    double sos[AGNI_IIR_ROOTS][6];
    agni_zpk f;
    if (!isfinite(gain))
        return agni_fail(AGN_EARG, "%s: a gain of %g; it is finite", op, gain);
    agn_status st = split_roots(&f.z, op, zeros);
    if (!st)
        st = split_roots(&f.p, op, poles);
    if (st)
        return st;
    f.k = gain;
    balance_counts(&f);
    int n = agni_pair_sections(&f, sos);
    return agn_from_host(out, AGN_F64, 2, (int64_t[]){n, 6}, sos);
}

agn_status agn_signal_roots_to_sections(agn_tensor **out, const agn_tensor *zeros,
                                        const agn_tensor *poles, double gain)
{
    agni_host_call h;
    const agn_tensor *const far[] = {zeros, poles};
    if (agni_host_call_begin(&h, "signal_roots_to_sections", 2, far)) {
        agn_status st = h.st ? h.st : agn_signal_roots_to_sections(out ? &h.y[0] : NULL, h.in[0],
                                                                   h.in[1], gain);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "signal_roots_to_sections";
    AGNI_NEED(op, out);
    AGNI_NEED(op, zeros);
    AGNI_NEED(op, poles);
    return make_sections(out, op, zeros, poles, gain);
}

agn_status agn_signal_polynomials_to_sections(agn_tensor **out, const agn_tensor *b,
                                              const agn_tensor *a)
{
    agni_host_call h;
    const agn_tensor *const far[] = {b, a};
    if (agni_host_call_begin(&h, "signal_polynomials_to_sections", 2, far)) {
        agn_status st = h.st ? h.st : agn_signal_polynomials_to_sections(out ? &h.y[0] : NULL,
                                                                         h.in[0], h.in[1]);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "signal_polynomials_to_sections";
    agn_tensor *z = NULL, *p = NULL, *k = NULL, *wide[2] = {NULL, NULL};
    double gain = 0;
    AGNI_NEED(op, out);
    AGNI_NEED(op, b);
    AGNI_NEED(op, a);
    if (agni_kind(b->dtype) == AGNI_KIND_COMPLEX || agni_kind(a->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: b is %s, a %s; sections are real", op,
                         agni_dtypes[b->dtype].name, agni_dtypes[a->dtype].name);
    if (b->ndim != 1 || a->ndim != 1 || b->shape[0] > ROOTS_MOST + 1 ||
        a->shape[0] > ROOTS_MOST + 1)
        return agni_fail(AGN_ESHAPE, "%s: b is %s, a %s; each is [coefficients], at most %d", op,
                         AGNI_SHAPE(b), AGNI_SHAPE(a), ROOTS_MOST + 1);
    agn_status st = agn_cast(&wide[0], b, AGN_F64);
    if (!st)
        st = agn_cast(&wide[1], a, AGN_F64);
    if (!st)
        st = agn_signal_polynomials_to_roots(&z, &p, &k, wide[0], wide[1]);
    if (!st)
        st = agn_to_host(&gain, k, sizeof gain);
    st = st ? agni_rename_error(op, st) : make_sections(out, op, z, p, gain);
    agn_tensor *all[] = {z, p, k, wide[0], wide[1]};
    for (int i = 0; i < 5; i++)
        agn_release(all[i]);
    return st;
}

/* ---- roots that lie together -------------------------------------------------------------- */

static bool is_less(double complex a, double complex b)
{
    return creal(a) < creal(b) || (creal(a) == creal(b) && cimag(a) < cimag(b));
}

/* groups of v, as they come: one of each to root, how many to times; returns how many groups */
static int64_t group_roots(double complex *root, int64_t *times, const double complex *v, int64_t n,
                           double tolerance, int32_t which, bool *used)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (used[i])
            continue;
        double complex kept = v[i], sum = 0;
        int64_t m = 0;
        for (int64_t k = i; k < n; k++)
            if (!used[k] && cabs(v[k] - v[i]) <= tolerance) {
                used[k] = true;
                m++;
                sum += (v[k] - sum) / (double)m;
                if (is_less(which == AGN_ROOT_LEAST ? v[k] : kept,
                            which == AGN_ROOT_LEAST ? kept : v[k]))
                    kept = v[k];
            }
        root[count] = which == AGN_ROOT_MEAN ? sum : kept;
        times[count++] = m;
    }
    return count;
}

agn_status agn_signal_unique_roots(agn_tensor **roots, agn_tensor **multiplicity,
                                   const agn_tensor *p, double tolerance, int32_t which)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "signal_unique_roots", 1, (const agn_tensor *[]){p})) {
        agn_status st = h.st ? h.st
                             : agn_signal_unique_roots(roots ? &h.y[0] : NULL,
                                                       multiplicity ? &h.y[1] : NULL, h.in[0],
                                                       tolerance, which);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){roots, multiplicity});
    }
    static const char op[] = "signal_unique_roots";
    AGNI_NEED(op, roots);
    AGNI_NEED(op, multiplicity);
    AGNI_NEED(op, p);
    if (!(tolerance >= 0) || which < AGN_ROOT_LEAST || which > AGN_ROOT_MEAN)
        return agni_fail(AGN_EARG,
                         "%s: a tolerance of %g, kind %d; it is not negative, kinds are 0 to %d",
                         op, tolerance, which, AGN_ROOT_MEAN);
    agn_tensor *owner = NULL, *wide = NULL, *kept = NULL, *times = NULL;
    const double complex *v = NULL;
    agn_status st = read_row(&owner, &v, op, p, UNIQUE_MOST);
    int64_t n = p->size, count = 0;
    for (int64_t i = 0; !st && i < n; i++)
        if (!isfinite(creal(v[i])) || !isfinite(cimag(v[i])))
            st = agni_fail(AGN_EDOMAIN, "%s: root %lld of %s is not finite", op, (long long)i,
                           AGNI_SHAPE(p));
    size_t size = (size_t)(n + 1) * (sizeof(double complex) + sizeof(int64_t) + sizeof(bool));
    double complex *root = st ? NULL : agni_zalloc(size);
    if (!st && !root)
        st = agni_nomem(op, size);
    if (!st) {
        int64_t *m = (int64_t *)(root + n + 1);
        count = group_roots(root, m, v, n, tolerance, which, (bool *)(m + n + 1));
        st = agn_from_host(&times, AGN_I64, 1, &count, m);
    }
    if (!st)
        st = agn_from_host(&wide, AGN_C128, 1, &count, root);
    if (!st && agni_kind(p->dtype) != AGNI_KIND_COMPLEX) {
        st = agn_real(&kept, wide);
        agn_release(wide);
        wide = kept;
        kept = NULL;
    }
    if (!st)
        st = agn_cast(&kept, wide, (agn_dtype)agni_signal_dtype(p->dtype));
    agni_free(root);
    agn_release(owner);
    agn_release(wide);
    if (st) {
        agn_release(times);
        return agni_rename_error(op, st);
    }
    *roots = kept;
    *multiplicity = times;
    return AGN_OK;
}
