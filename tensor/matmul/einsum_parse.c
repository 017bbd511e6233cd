/* tensor/matmul/einsum_parse.c - the subscripts of an Einstein sum, "ij,jk->ik", to axis numbers
   and sizes. */
#include "tensor/matmul/einsum.h"

#include <string.h>

static int letter_axis(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

static agn_status fail_syntax(const char *spec, const char *p)
{
    int len = *p != 0; /* bytes of the character: UTF-8 */
    while (len && ((unsigned char)p[len] & 0xC0) == 0x80)
        len++;
    return agni_fail(AGN_EARG, "einsum: \"%s\": unexpected %s%.*s%s at character %d", spec,
                     *p ? "'" : "end", len, p, *p ? "'" : "", (int)(p - spec));
}

static agn_status fail_too_many_axes(const char *spec, int n)
{
    return agni_fail(AGN_ESHAPE, "einsum: \"%s\": %d axes at once, above %d", spec, n,
                     AGN_MAX_RANK);
}

/* reads one term up to ',', '-' or the end; ndim < 0 for the output, whose dots are given */
static agn_status read_term(const char *spec, const char **at, int ndim, int dots_out,
                            agni_einsum_term *t, int *dots)
{
    const char *p = *at;
    int letters = 0;
    bool seen = false;
    for (const char *q = p; *q && *q != ',' && *q != '-'; q++)
        letters += letter_axis(*q) >= 0;
    *dots = ndim < 0 ? dots_out : ndim - letters;
    t->n = 0;
    for (; *p && *p != ',' && *p != '-'; p++) {
        if (*p == ' ')
            continue;
        if (*p == '.') {
            if (seen || strncmp(p, "...", 3))
                return fail_syntax(spec, p);
            seen = true;
            p += 2;
            if (*dots > AGNI_MAX_RANK - t->n)
                return fail_too_many_axes(spec, *dots + letters);
            for (int k = 0; k < *dots; k++)
                t->axis[t->n++] = AGNI_EINSUM_AXES - *dots + k;
        } else if (letter_axis(*p) >= 0) {
            if (t->n == AGNI_MAX_RANK)
                return fail_too_many_axes(spec, letters + (seen ? *dots : 0));
            t->axis[t->n++] = letter_axis(*p);
        } else {
            return fail_syntax(spec, p);
        }
    }
    if (ndim >= 0 && (*dots < 0 || (!seen && *dots)))
        return agni_fail(AGN_ESHAPE, "einsum: \"%s\": a term names %d axes, its operand has %d",
                         spec, letters, ndim);
    if (!seen)
        *dots = 0;
    *at = p;
    return AGN_OK;
}

agn_status agni_einsum_parse(const char *spec, const agn_tensor *const *xs, int n,
                             agni_einsum_term *t, agni_einsum_term *out, int64_t *size)
{
    const char *p = spec;
    int dots_all = 0, count[AGNI_EINSUM_AXES] = {0};
    for (int k = 0; k < AGNI_EINSUM_AXES; k++)
        size[k] = -1;
    for (int i = 0; i < n; i++) {
        int dots;
        agn_status st = read_term(spec, &p, xs[i]->ndim, 0, &t[i], &dots);
        if (st)
            return st;
        dots_all = dots > dots_all ? dots : dots_all;
        for (int k = 0; k < t[i].n; k++) {
            int a = t[i].axis[k];
            int64_t len = xs[i]->shape[k];
            count[a]++;
            bool spread = a >= AGNI_EINSUM_LETTERS; /* only "..." broadcasts */
            if (size[a] < 0 || (spread && size[a] == 1))
                size[a] = len;
            else if (size[a] != len && !(spread && len == 1))
                return agni_fail(AGN_ESHAPE,
                                 "einsum: \"%s\": an axis of operand %d has size %lld, "
                                 "elsewhere %lld",
                                 spec, i, (long long)len, (long long)size[a]);
        }
        if (i + 1 < n && *p != ',')
            return fail_syntax(spec, p);
        p += i + 1 < n;
    }
    if (*p == 0) { /* no arrow: dots, then letters that occur once */
        out->n = 0;
        int once = 0;
        for (int a = 0; a < AGNI_EINSUM_LETTERS; a++)
            once += count[a] == 1;
        if (dots_all + once > AGNI_MAX_RANK)
            return fail_too_many_axes(spec, dots_all + once);
        for (int a = AGNI_EINSUM_AXES - dots_all; a < AGNI_EINSUM_AXES; a++)
            out->axis[out->n++] = a;
        for (int k = 0; k < AGNI_EINSUM_LETTERS; k++) { /* A to Z, then a to z */
            int a = (k + AGNI_EINSUM_LETTERS / 2) % AGNI_EINSUM_LETTERS;
            if (count[a] == 1)
                out->axis[out->n++] = a;
        }
        return AGN_OK;
    }
    if (strncmp(p, "->", 2))
        return fail_syntax(spec, p);
    p += 2;
    int dots;
    agn_status st = read_term(spec, &p, -1, dots_all, out, &dots);
    if (st)
        return st;
    if (*p)
        return fail_syntax(spec, p);
    for (int k = 0; k < out->n; k++) {
        int a = out->axis[k];
        bool twice = false;
        for (int j = 0; j < k; j++)
            twice |= out->axis[j] == a;
        if (size[a] < 0 || twice)
            return agni_fail(AGN_EARG, "einsum: \"%s\": axis %d of the result %s", spec, k,
                             twice ? "is named twice" : "is in no operand");
    }
    return AGN_OK;
}
