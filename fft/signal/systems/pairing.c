/* fft/signal/systems/pairing.c - second-order sections of given roots, on the host (Oppenheim &
   Schafer 2010, 6.9). */
#include "fft/signal/design/roots.h"
#include "tensor/dispatch/host_run.h"
#include "fft/signal/systems/systems.h"

#include <float.h>
#include <math.h>

enum { ROOTS_MOST = 128 };

/* x as c128 in a row on the host, owned by *owner */
static agn_status read_roots(agn_tensor **owner, const double complex **v, const char *op,
                             const agn_tensor *x)
{
    agn_tensor *wide = NULL, *row = NULL;
    const void *data = NULL;
    if (x->ndim != 1 || x->shape[0] > ROOTS_MOST)
        return agni_fail(AGN_ESHAPE, "%s: roots are %s; they lie along one axis, at most %d", op,
                         AGNI_SHAPE(x), ROOTS_MOST);
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
    agn_status st = read_roots(&owner, &v, op, x);
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
