/* fft/wisdom.c - how hard FFTW looks for plans, and what it has learnt as bytes (Frigo & Johnson
   2005): a line with the lengths of two texts, that of f64 and that of f32. */
#include "fft/fft.h"

#include <agnesi/fft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "agnesi-fftw-wisdom";

agn_status agn_fft_set_effort(int32_t effort, double seconds)
{
    static const char op[] = "fft_set_effort";
    if (effort < AGN_FFT_ESTIMATE || effort > AGN_FFT_EXHAUSTIVE || !(seconds >= 0))
        return agni_fail(
            AGN_EARG,
            "%s: effort %d for %g seconds; there are 0 to %d, and seconds are not negative", op,
            effort, seconds, AGN_FFT_EXHAUSTIVE);
    return agni_fft_set_effort(op, effort, seconds);
}

agn_status agn_fft_export_wisdom(agn_tensor **out)
{
    static const char op[] = "fft_export_wisdom";
    char *text[2] = {NULL, NULL}, *all = NULL;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    agn_status st = agni_fft_get_wisdom(op, text);
    if (!st) {
        size_t n = strlen(text[0]), m = strlen(text[1]), size = n + m + 80;
        all = agni_alloc(size);
        int head = all ? snprintf(all, size, "%s %zu %zu\n", magic, n, m) : 0;
        if (all) {
            memcpy(all + head, text[0], n);
            memcpy(all + head + n, text[1], m);
            st = agn_from_host(out, AGN_U8, 1, (int64_t[]){(int64_t)((size_t)head + n + m)}, all);
        } else {
            st = agni_nomem(op, size);
        }
    }
    agni_free(all);
    agni_fft_drop_wisdom(text);
    return st;
}

/* "magic n m\n", then n and m bytes; texts end in 0 */
static bool read_texts(char *all, size_t size, char *text[2])
{
    size_t head = sizeof magic - 1, n[2];
    char *at = all + head, *end;
    if (size < head || memcmp(all, magic, head) != 0)
        return false;
    for (int k = 0; k < 2; k++, at = end) {
        if (*at != ' ')
            return false;
        n[k] = strtoul(at + 1, &end, 10);
        if (end == at + 1 || n[k] > size)
            return false;
    }
    if (*at != '\n' || (size_t)(at + 1 - all) + n[0] + n[1] != size)
        return false;
    text[0] = at; /* moved to the front by one, so that a 0 fits between both */
    text[1] = at + 1 + n[0];
    memmove(at, at + 1, n[0]);
    at[n[0]] = 0;
    return true;
}

agn_status agn_fft_import_wisdom(const agn_tensor *x)
{
    static const char op[] = "fft_import_wisdom";
    agn_tensor *row = NULL;
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (x->dtype != AGN_U8 || x->ndim != 1)
        return agni_fail(x->ndim == 1 ? AGN_EDTYPE : AGN_ESHAPE,
                         "%s: x is %s %s; it is u8, [bytes]", op, agni_dtypes[x->dtype].name,
                         AGNI_SHAPE(x));
    agn_status st = agn_contiguous(&row, x);
    size_t size = (size_t)x->shape[0];
    char *all = st ? NULL : agni_alloc(size + 1), *text[2];
    if (!st && !all)
        st = agni_nomem(op, size + 1);
    if (!st) {
        const void *bytes = agn_data(row);
        if (bytes && size)
            memcpy(all, bytes, size);
        all[bytes ? size : 0] = 0;
        st = !bytes || !read_texts(all, size, text)
                 ? agni_fail(AGN_EARG,
                             "%s: %zu bytes of x are not what fft_export_wisdom gives, or cut off",
                             op, size)
                 : agni_fft_add_wisdom(op, text);
    }
    agni_free(all);
    agn_release(row);
    return agni_rename_error(op, st);
}
