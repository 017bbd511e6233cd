/* audio/speech/beamform.c - channels summed so that one direction is heard (Capon 1969; Souden,
   Benesty & Affes 2010). */
#include "audio/speech/speech.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <math.h>

static agn_status check_complex(const char *op, const char *name, const agn_tensor *x, int rank)
{
    if (!x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, name);
    if (agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s %s; it is complex", op, name,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->ndim < rank)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s of rank %d; it has %d axes at least", op, name,
                         AGNI_SHAPE(x), x->ndim, rank);
    return AGN_OK;
}

/* [..., bins, channels, channels] */
static agn_status check_powers(const char *op, const char *name, const agn_tensor *x,
                               const agn_tensor *like)
{
    agn_status st = check_complex(op, name, x, 3);
    if (st)
        return st;
    int64_t n = x->shape[x->ndim - 1];
    if (!n || x->shape[x->ndim - 2] != n ||
        (like && (like->shape[like->ndim - 1] != n ||
                  like->shape[like->ndim - 3] != x->shape[x->ndim - 3])))
        return agni_fail(AGN_ESHAPE, "%s: %s is %s%s%s; it is [..., bins, channels, channels]", op,
                         name, AGNI_SHAPE(x), like ? ", the other " : "",
                         like ? AGNI_SHAPE(like) : "");
    return AGN_OK;
}

static agn_status check_design(const char *op, const agn_tensor *noise, int32_t reference, bool any,
                               double loading)
{
    int64_t n = noise->shape[noise->ndim - 1];
    if ((reference < 0 && !any) || reference >= n)
        return agni_fail(AGN_EINDEX, "%s: reference %d; there are channels 0 to %lld", op,
                         reference, (long long)n - 1);
    if (!(loading >= 0) || !isfinite(loading))
        return agni_fail(AGN_EARG, "%s: a loading of %g; it is not negative", op, loading);
    return AGN_OK;
}

/* noise with a part of its trace on the diagonal */
static const agn_tensor *load_diagonal(agn_scope *s, const agn_tensor *noise, double loading)
{
    if (loading == 0 || !noise)
        return noise;
    int64_t n = noise->shape[noise->ndim - 1];
    const agn_tensor *more = ag_mul_c(s, ag_trace(s, noise, 0, -2, -1), loading);
    more = ag_expand_dims(s, ag_expand_dims(s, more, -1), -1);
    return ag_add(s, noise, ag_mul(s, more, ag_eye(s, (agn_dtype)noise->dtype, n, n, 0)));
}

agn_status agn_audio_cross_power(agn_tensor **out, const agn_tensor *x, const agn_tensor *mask,
                                 bool relative)
{
    static const char op[] = "audio_cross_power";
    AGNI_NEED(op, out);
    agn_status st = check_complex(op, "x", x, 3);
    if (st)
        return st;
    if (mask && agni_kind(mask->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: the mask is %s; it is real", op,
                         agni_dtypes[mask->dtype].name);
    if (mask &&
        (mask->ndim < 2 || mask->shape[mask->ndim - 1] != x->shape[x->ndim - 1] ||
         mask->shape[mask->ndim - 2] != x->shape[x->ndim - 2] || mask->ndim == AGNI_MAX_RANK))
        return agni_fail(AGN_ESHAPE, "%s: the mask is %s, x %s; they have the same bins and frames",
                         op, AGNI_SHAPE(mask), AGNI_SHAPE(x));
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = ag_swapaxes(s, x, -2, -3), *m = NULL; /* [..., bins, channels, frames] */
    if (mask) {
        m = ag_cast(s, mask, agni_dtypes[x->dtype].real);
        if (relative)
            m = ag_div(s, m, ag_add_c(s, ag_sum(s, m, (int32_t[]){-1}, 1, true), 1e-15));
        m = ag_expand_dims(s, m, -2);
    }
    const agn_tensor *w = m ? ag_mul(s, y, m) : y;
    if (!mask && relative && x->shape[x->ndim - 1])
        w = ag_mul_c(s, w, 1 / ((double)x->shape[x->ndim - 1] + 1e-15));
    return agni_return(op, s, out, ag_matmul(s, w, ag_conj(s, ag_swapaxes(s, y, -1, -2))));
}

agn_status agn_audio_mvdr_weights(agn_tensor **out, const agn_tensor *speech,
                                  const agn_tensor *noise, int32_t reference, double loading)
{
    static const char op[] = "audio_mvdr_weights";
    AGNI_NEED(op, out);
    agn_status st = check_powers(op, "speech", speech, NULL);
    if (!st)
        st = check_powers(op, "noise", noise, speech);
    if (!st)
        st = check_design(op, noise, reference, false, loading);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_linalg_solve(s, load_diagonal(s, noise, loading), speech);
    const agn_tensor *total = ag_expand_dims(s, ag_trace(s, w, 0, -2, -1), -1);
    return agni_return(op, s, out, ag_div(s, ag_index_axis(s, w, -1, reference), total));
}

/* N^-1 h of vectors h */
static const agn_tensor *solve_vectors(agn_scope *s, const agn_tensor *m, const agn_tensor *h)
{
    return ag_squeeze(s, ag_linalg_solve(s, m, ag_expand_dims(s, h, -1)), -1);
}

agn_status agn_audio_steered_weights(agn_tensor **out, const agn_tensor *transfer,
                                     const agn_tensor *noise, int32_t reference, double loading)
{
    static const char op[] = "audio_steered_weights";
    AGNI_NEED(op, out);
    agn_status st = check_complex(op, "transfer", transfer, 2);
    if (!st)
        st = check_powers(op, "noise", noise, NULL);
    if (!st && (transfer->shape[transfer->ndim - 1] != noise->shape[noise->ndim - 1] ||
                transfer->shape[transfer->ndim - 2] != noise->shape[noise->ndim - 3] ||
                transfer->ndim == AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE,
                       "%s: transfer is %s, noise %s; they have the same bins and channels", op,
                       AGNI_SHAPE(transfer), AGNI_SHAPE(noise));
    if (!st)
        st = check_design(op, noise, reference, true, loading);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = solve_vectors(s, load_diagonal(s, noise, loading), transfer);
    const agn_tensor *power = ag_sum(s, ag_mul(s, ag_conj(s, transfer), w), (int32_t[]){-1}, 1,
                                     true);
    w = ag_div(s, w, ag_cast(s, ag_real(s, power), w ? w->dtype : AGN_C128));
    if (reference >= 0)
        w = ag_mul(s, w, ag_conj(s, agni_audio_part(s, transfer, reference, 1)));
    return agni_return(op, s, out, w);
}

agn_status agn_audio_transfer_power(agn_tensor **out, const agn_tensor *speech,
                                    const agn_tensor *noise, int32_t reference, int32_t iterations,
                                    double loading)
{
    static const char op[] = "audio_transfer_power";
    AGNI_NEED(op, out);
    agn_status st = check_powers(op, "speech", speech, NULL);
    if (!st)
        st = check_powers(op, "noise", noise, speech);
    if (!st)
        st = check_design(op, noise, reference, false, loading);
    if (!st && (iterations < 1 || iterations > 64))
        st = agni_fail(AGN_EARG, "%s: %d iterations; they are 1 to 64", op, iterations);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *m = ag_linalg_solve(s, load_diagonal(s, noise, loading), speech);
    /* N N^-1 S is S: the last step takes no inverse */
    const agn_tensor *h = NULL;
    if (iterations == 1) {
        h = ag_index_axis(s, speech, -1, reference);
    } else {
        h = ag_index_axis(s, m, -1, reference);
        for (int32_t k = 2; k < iterations; k++)
            h = ag_squeeze(s, ag_matmul(s, m, ag_expand_dims(s, h, -1)), -1);
        h = ag_squeeze(s, ag_matmul(s, speech, ag_expand_dims(s, h, -1)), -1);
    }
    return agni_return(op, s, out, h);
}

agn_status agn_audio_beamform(agn_tensor **out, const agn_tensor *weights, const agn_tensor *x)
{
    static const char op[] = "audio_beamform";
    AGNI_NEED(op, out);
    agn_status st = check_complex(op, "weights", weights, 2);
    if (!st)
        st = check_complex(op, "x", x, 3);
    if (!st && (weights->shape[weights->ndim - 1] != x->shape[x->ndim - 3] ||
                weights->shape[weights->ndim - 2] != x->shape[x->ndim - 2] ||
                weights->ndim == AGNI_MAX_RANK))
        st = agni_fail(AGN_ESHAPE, "%s: weights are %s, x %s; they have the same bins and channels",
                       op, AGNI_SHAPE(weights), AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *w = ag_expand_dims(s, ag_conj(s, weights), -2);
    return agni_return(op, s, out, ag_squeeze(s, ag_matmul(s, w, ag_swapaxes(s, x, -2, -3)), -2));
}

agn_status agn_audio_frechet_distance(agn_tensor **out, const agn_tensor *m, const agn_tensor *a,
                                      const agn_tensor *n, const agn_tensor *b)
{
    static const char op[] = "audio_frechet_distance";
    const agn_tensor *all[] = {m, a, n, b};
    static const char *const names[] = {"m", "a", "n", "b"};
    int dtype = AGN_F32;
    AGNI_NEED(op, out);
    for (int k = 0; k < 4; k++) {
        if (!all[k])
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, names[k]);
        if (agni_kind(all[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op, names[k],
                             agni_dtypes[all[k]->dtype].name);
        dtype = k ? agni_promote(dtype, all[k]->dtype) : all[k]->dtype;
        int64_t size = m->ndim ? m->shape[m->ndim - 1] : -1;
        if (all[k]->ndim < 1 + k % 2 || all[k]->shape[all[k]->ndim - 1] != size ||
            (k % 2 && all[k]->shape[all[k]->ndim - 2] != size))
            return agni_fail(AGN_ESHAPE,
                             "%s: m is %s, %s %s; means are [..., n], covariances [..., n, n]", op,
                             AGNI_SHAPE(m), names[k], AGNI_SHAPE(all[k]));
    }
    dtype = agni_audio_dtype(dtype);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v[4];
    for (int k = 0; k < 4; k++)
        v[k] = ag_cast(s, all[k], dtype);
    const agn_tensor *far = ag_sum(s, ag_square(s, ag_sub(s, v[0], v[2])), (int32_t[]){-1}, 1,
                                   false);
    const agn_tensor *root = ag_linalg_sqrtm(s, ag_matmul(s, v[1], v[3]));
    const agn_tensor *spread = ag_add(s, ag_trace(s, v[1], 0, -2, -1),
                                      ag_trace(s, v[3], 0, -2, -1));
    spread = ag_sub(s, spread, ag_mul_c(s, ag_trace(s, root, 0, -2, -1), 2));
    return agni_return(op, s, out, ag_add(s, far, spread));
}
