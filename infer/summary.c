/* infer/summary.c - draws as a table. */
#include "infer/infer.h"
#include <agnesi/elementwise.h>
#include <agnesi/reduce.h>
#include <agnesi/statistics.h>
#include <agnesi/rearrange.h>
#include <agnesi/shape.h>
#include <agnesi/tensor.h>

#include <stdio.h>
#include <string.h>

typedef struct page {
    char *buf;
    size_t n, used;
} page;
static void write_text(page *p, const char *text)
{
    size_t length = strlen(text);
    if (p->used < p->n) {
        size_t room = p->n - p->used - 1, k = length < room ? length : room;
        memcpy(p->buf + p->used, text, k);
        p->buf[p->used + k] = 0;
    }
    p->used += length;
}

enum { MEAN, SD, QUANTILES, BULK, TAIL, RHAT, COLUMNS };

/* the columns of one quantity [chains, draws, ...], each [...]; of the quantiles [3, ...] */
static agn_status find_columns(agn_tensor **y, const agn_tensor *x)
{
    static const int32_t both[] = {0, 1};
    static const double at[] = {0.05, 0.5, 0.95};
    agn_status st = agn_mean(&y[MEAN], x, both, 2, false);
    st = st ? st : agn_std(&y[SD], x, both, 2, 1, false);
    st = st ? st : agn_quantile(&y[QUANTILES], x, at, 3, both, 2, false, AGN_QUANTILE_LINEAR);
    st = st ? st : agn_infer_ess_bulk(&y[BULK], x);
    st = st ? st : agn_infer_ess_tail(&y[TAIL], x);
    return st ? st : agn_infer_rhat(&y[RHAT], x);
}

/* name[1,2] of the element with a row-major number */
static void write_name(char *buf, size_t n, const char *name, const agn_tensor *x, int64_t flat)
{
    int64_t index[AGN_MAX_RANK];
    int rank = agn_ndim(x) - 2;
    for (int a = rank - 1; a >= 0; a--) {
        index[a] = flat % agn_shape(x)[a + 2];
        flat /= agn_shape(x)[a + 2];
    }
    int used = snprintf(buf, n, "%s", name);
    for (int a = 0; a < rank && used > 0 && (size_t)used < n; a++)
        used += snprintf(buf + used, n - (size_t)used, "%s%lld%s", a ? "," : "[",
                         (long long)index[a], a == rank - 1 ? "]" : "");
}

static agn_status write_quantity(page *p, const char *name, const agn_tensor *x)
{
    agn_tensor *y[COLUMNS] = {NULL};
    const void *data[COLUMNS] = {NULL};
    agn_status st = find_columns(y, x);
    for (int k = 0; !st && k < COLUMNS; k++) {
        agn_tensor *plain = NULL;
        st = agn_contiguous(&plain, y[k]);
        agn_release(y[k]);
        y[k] = plain;
        st = st ? st : agn_data_contiguous(&data[k], plain);
    }
    int64_t each = st ? 0 : agn_numel(y[MEAN]);
    for (int64_t i = 0; i < each; i++) {
        const double *const *v = (const double *const *)data;
        char line[240], full[96];
        write_name(full, sizeof full, name, x, i);
        snprintf(line, sizeof line, "%-16s %9.4g %9.4g %9.4g %9.4g %9.4g %8.0f %8.0f %7.3f\n", full,
                 v[MEAN][i], v[SD][i], v[QUANTILES][i], v[QUANTILES][each + i],
                 v[QUANTILES][2 * each + i], v[BULK][i], v[TAIL][i], v[RHAT][i]);
        write_text(p, line);
    }
    for (int k = 0; k < COLUMNS; k++)
        agn_release(y[k]);
    return st;
}

agn_status agn_infer_summary(char *buf, size_t n, size_t *need, const agn_dict *d)
{
    if (!d || (n && !buf))
        return agni_fail(AGN_ENULL, "infer_summary: %s is NULL", !d ? "d" : "buf");
    page p = {buf, n, 0};
    char line[240];
    snprintf(line, sizeof line, "%-16s %9s %9s %9s %9s %9s %8s %8s %7s\n", "", "mean", "sd", "5%",
             "50%", "95%", "ess", "ess tail", "R-hat");
    write_text(&p, line);
    agn_status st = AGN_OK;
    for (int32_t i = 0; !st && i < agn_dict_count(d); i++) {
        const char *name = agn_dict_name(d, i);
        agn_tensor *x = NULL;
        if (!strncmp(name, "sampler/", 8))
            continue;
        st = agn_dict_get(&x, d, name);
        st = st ? st : write_quantity(&p, name, x);
        agn_release(x);
    }
    agn_tensor *divergent = NULL, *sum = NULL;
    if (!st && !agn_dict_get(&divergent, d, "sampler/divergent")) {
        st = agn_sum_all(&sum, divergent);
        if (!st) {
            snprintf(line, sizeof line, "%lld of %lld transitions diverged\n",
                     (long long)*(const int64_t *)agn_data(sum), (long long)agn_numel(divergent));
            write_text(&p, line);
        }
    }
    agn_release(divergent);
    agn_release(sum);
    if (!st && need)
        *need = p.used + 1;
    return st;
}
