/* fft/signal/sections.c - filters as second-order sections, one after the other (Oppenheim &
   Schafer 2010, 6.3), with states; forwards and backwards (Gustafsson 1996). */
#include "fft/signal/signal.h"

#include <agnesi/ag.h>

static agn_status check_sections(const char *op, agn_tensor *const *out, const agn_tensor *sos,
                                 const agn_tensor *x)
{
    if (!sos)
        return agni_fail(AGN_ENULL, "%s: sos is NULL", op);
    agn_status st = agni_signal_check(op, out, x);
    if (!st && (sos->ndim < 2 || sos->shape[sos->ndim - 1] != 6))
        st = agni_fail(AGN_ESHAPE, "%s: sos is %s; it is [..., sections, 6]", op, AGNI_SHAPE(sos));
    return st;
}

/* numbers from to from + 2 of section k */
static const agn_tensor *section_part(agn_scope *s, const agn_tensor *sos, int64_t k, int64_t from)
{
    const agn_tensor *one = ag_index_axis(s, sos, -2, k);
    return agni_signal_part(s, one, from, 3);
}

/* y, from states zi, [..., sections, 2], or NULL, and those behind it where final is given */
static const agn_tensor *run_sections(agn_scope *s, const agn_tensor *sos, const agn_tensor *x,
                                      const agn_tensor *zi, const agn_tensor **final)
{
    int64_t sections = sos->shape[sos->ndim - 2];
    const agn_tensor *y = x, *all = NULL;
    for (int64_t k = 0; y && k < sections; k++) {
        const agn_tensor *b = section_part(s, sos, k, 0), *a = section_part(s, sos, k, 3),
                         *last = NULL;
        const agn_tensor *z = zi ? ag_index_axis(s, zi, -2, k) : NULL;
        y = b && a && (z || !zi) ? agni_signal_filter(s, b, a, y, z, final ? &last : NULL) : NULL;
        if (final && last) {
            last = ag_expand_dims(s, last, -2);
            all = k && all && last ? ag_concat(s, (const agn_tensor *[]){all, last}, 2, -2) : last;
        }
    }
    if (final)
        *final = all;
    return y;
}

agn_status agn_signal_sosfilt(agn_tensor **out, const agn_tensor *sos, const agn_tensor *x)
{
    static const char op[] = "signal_sosfilt";
    agn_status st = check_sections(op, out, sos, x);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = agni_cast(s, x,
                                    agni_signal_common_dtype(2, (const agn_tensor *[]){sos, x}));
    return agni_return(op, s, out, run_sections(s, sos, y, NULL, NULL));
}

agn_status agn_signal_sosfilt_state(agn_tensor **out, agn_tensor **final, const agn_tensor *sos,
                                    const agn_tensor *x, const agn_tensor *initial)
{
    static const char op[] = "signal_sosfilt_state";
    if (!final)
        return agni_fail(AGN_ENULL, "%s: final is NULL", op);
    agn_status st = check_sections(op, out, sos, x);
    if (st)
        return st;
    if (!sos->shape[sos->ndim - 2] || x->ndim == AGNI_MAX_RANK || sos->ndim == AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE, "%s: sos is %s, x %s; states are those of a section, with an axis for them",
            op, AGNI_SHAPE(sos), AGNI_SHAPE(x));
    int64_t sections = sos->shape[sos->ndim - 2];
    if (initial && (initial->ndim < 2 || initial->shape[initial->ndim - 2] != sections ||
                    initial->shape[initial->ndim - 1] != 2))
        return agni_fail(AGN_ESHAPE,
                         "%s: the initial state is %s; that of %lld sections is [..., %lld, 2]", op,
                         AGNI_SHAPE(initial), (long long)sections, (long long)sections);
    agn_tensor *y = NULL, *z = NULL;
    const agn_tensor *last = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, x,
                                    agni_signal_common_dtype(2, (const agn_tensor *[]){sos, x}));
    agn_scope_return(s, &y, run_sections(s, sos, v, initial, &last));
    agn_scope_return(s, &z, last);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st) {
        agn_release(y);
        agn_release(z);
        return st;
    }
    *out = y;
    *final = z;
    return AGN_OK;
}

/* states of sections that steps of height 1 at the input leave for ever, [..., sections, 2] */
static const agn_tensor *steady_sections(agn_scope *s, const agn_tensor *sos)
{
    const agn_tensor *height = NULL, *all = NULL;
    for (int64_t k = 0; k < sos->shape[sos->ndim - 2] && !agn_scope_status(s); k++) {
        const agn_tensor *b = section_part(s, sos, k, 0), *a = section_part(s, sos, k, 3);
        const agn_tensor *z = b && a ? agni_signal_steady_state(s, b, a, 2) : NULL;
        const agn_tensor *gain = ag_div(s, ag_sum(s, b, (int32_t[]){-1}, 1, true),
                                        ag_sum(s, a, (int32_t[]){-1}, 1, true));
        z = ag_expand_dims(s, k ? ag_mul(s, z, height) : z, -2);
        height = k ? ag_mul(s, height, gain) : gain;
        all = k && z && all ? ag_concat(s, (const agn_tensor *[]){all, z}, 2, -2) : z;
    }
    return all;
}

agn_status agn_signal_sosfilt_steady(agn_tensor **out, const agn_tensor *sos)
{
    static const char op[] = "signal_sosfilt_steady";
    if (!out || !sos)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "sos" : "out");
    if (sos->ndim < 2 || sos->shape[sos->ndim - 1] != 6 || !sos->shape[sos->ndim - 2])
        return agni_fail(AGN_ESHAPE,
                         "%s: sos is %s of rank %d; it is [..., sections, 6], with a section", op,
                         AGNI_SHAPE(sos), sos->ndim);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = agni_cast(s, sos, agni_signal_dtype(sos->dtype));
    return agni_return(op, s, out, v ? steady_sections(s, v) : NULL);
}

agn_status agn_signal_sosfiltfilt(agn_tensor **out, const agn_tensor *sos, const agn_tensor *x)
{
    static const char op[] = "signal_sosfiltfilt";
    agn_status st = check_sections(op, out, sos, x);
    if (st)
        return st;
    int64_t sections = sos->shape[sos->ndim - 2], n = x->shape[x->ndim - 1],
            m = 3 * (2 * sections + 1);
    if (n <= m || x->ndim == AGNI_MAX_RANK)
        return agni_fail(
            AGN_ESHAPE,
            "%s: x is %s; %lld sections need more than %lld samples, and states an axis", op,
            AGNI_SHAPE(x), (long long)sections, (long long)m);
    agn_scope *s = agn_scope_open(NULL);
    int dtype = agni_signal_common_dtype(2, (const agn_tensor *[]){sos, x});
    const agn_tensor *c = agni_cast(s, sos, dtype),
                     *y = agni_signal_extend_odd(s, agni_cast(s, x, dtype), m);
    const agn_tensor *zi = c && sections ? steady_sections(s, c) : NULL;
    for (int pass = 0; y && c && pass < 2; pass++) {
        const agn_tensor *start = zi ? ag_mul(s, zi,
                                              ag_expand_dims(s, agni_signal_part(s, y, 0, 1), -2))
                                     : NULL;
        y = run_sections(s, c, y, start, NULL);
        y = ag_flip(s, y, (int32_t[]){-1}, 1);
    }
    return agni_return(op, s, out, y ? agni_signal_part(s, y, m, n) : NULL);
}
