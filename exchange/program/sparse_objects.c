/* exchange/program/sparse_objects.c - the objects of sparse ops as bytes: patterns, and what was
   found of two of them. */
#include "exchange/program/program.h"

#include "sparse/ops/merge_patterns.h"
#include "sparse/products/spgemm.h"

/* ---- patterns ------------------------------------------------------------------------------ */

agn_status agni_put_pattern(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_pattern *p = (const agni_pattern *)o;
    const int64_t facts[] = {p->rows, p->cols, p->nnz};
    (void)op;
    agn_status st = agni_put_number(w, p->wide, 4);
    for (int i = 0; !st && i < AGNI_COUNT(facts); i++)
        st = agni_put_number(w, (uint64_t)facts[i], 8);
    for (int64_t i = 0; !st && i <= p->rows; i++)
        st = agni_put_number(w, (uint64_t)agni_row_begin(p, i), 8);
    for (int64_t e = 0; !st && e < p->nnz; e++)
        st = agni_put_number(w, (uint64_t)agni_entry_col(p, e), 8);
    return st;
}

/* The order of n integers within [0, below): row pointers, non-decreasing from 0 to below - 1;
   indices, increasing. */
enum { COLUMNS, BEGINNINGS, RISING };
static void *read_integers(agni_reader *r, bool wide, int64_t n, int64_t below, int what)
{
    int64_t before = what == RISING ? -1 : 0;
    void *v = r->st ? NULL : agni_alloc((size_t)(n + 1) * (wide ? 8 : 4));
    if (!r->st && !v)
        r->st = agni_nomem(r->in->op, (size_t)n * 8);
    for (int64_t k = 0; !r->st && k < n; k++) {
        int64_t x = (int64_t)agni_take_number(r, 8, "a pattern");
        bool fits = x >= 0 && x < below;
        if (what == BEGINNINGS)
            fits = fits && x >= before && (k > 0 || x == 0) && (k + 1 < n || x == below - 1);
        else if (what == RISING)
            fits = fits && x > before;
        if (!fits) {
            agni_bad_program(r, "%lld in a pattern, number %lld", (long long)x,
                             (long long)k);
            break;
        }
        before = x;
        if (wide)
            ((int64_t *)v)[k] = x;
        else
            ((int32_t *)v)[k] = (int32_t)x;
    }
    return v;
}

/* within each row the columns ascend */
static bool columns_ascend(bool wide, const void *begin, const void *column, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = agni_read_index(begin, wide, i) + 1;
             e < agni_read_index(begin, wide, i + 1); e++)
            if (agni_read_index(column, wide, e) <= agni_read_index(column, wide, e - 1))
                return false;
    return true;
}

agni_obj *agni_take_pattern(agni_reader *r, const agni_op *op)
{
    (void)op;
    bool wide = agni_take_number(r, 4, "a pattern") != 0;
    int64_t rows = (int64_t)agni_take_number(r, 8, "a pattern");
    int64_t cols = (int64_t)agni_take_number(r, 8, "a pattern");
    int64_t nnz = (int64_t)agni_take_number(r, 8, "a pattern");
    int64_t left = (r->end - r->at) / 8;
    if (!r->st &&
        (rows < 0 || cols < 0 || nnz < 0 || rows >= left || nnz > left - rows - 1 ||
         cols == INT64_MAX || (!wide && !agni_pattern_fits_i32(rows, cols, nnz))))
        agni_bad_program(r, "a pattern of [%lld,%lld] with %lld entries",
                         (long long)rows, (long long)cols, (long long)nnz);
    void *begin = r->st ? NULL : read_integers(r, wide, rows + 1, nnz + 1, BEGINNINGS);
    void *column = r->st ? NULL : read_integers(r, wide, nnz, cols, COLUMNS);
    agni_pattern *p = NULL;
    if (!r->st && !columns_ascend(wide, begin, column, rows))
        agni_bad_program(r, "columns that do not ascend in a pattern of [%lld,%lld]",
                         (long long)rows, (long long)cols);
    if (r->st) {
        agni_free(begin);
        agni_free(column);
        return NULL;
    }
    r->st = agni_pattern_adopt(&p, rows, cols, wide, begin, column);
    return r->st ? NULL : &p->head;
}

/* ---- products of patterns -------------------------------------------------------------------- */

agn_status agni_put_product(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_triple *t = (const agni_triple *)o;
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < 3; k++)
        st = agni_put_pattern(w, op, &t->p[k]->head);
    return st;
}

/* has row i of p an entry in column j? */
static bool has_entry(const agni_pattern *p, int64_t i, int64_t j)
{
    int64_t lo = agni_row_begin(p, i), hi = agni_row_begin(p, i + 1);
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (agni_entry_col(p, mid) < j)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < agni_row_begin(p, i + 1) && agni_entry_col(p, lo) == j;
}

/* Has c an entry for every product of entries of a and b? Checked without memory of its own. */
static bool holds_product(const agni_pattern *c, const agni_pattern *a, const agni_pattern *b)
{
    if (c->rows != a->rows || a->cols != b->rows || c->cols != b->cols)
        return false;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t e = agni_row_begin(a, i); e < agni_row_begin(a, i + 1); e++)
            for (int64_t f = agni_row_begin(b, agni_entry_col(a, e));
                 f < agni_row_begin(b, agni_entry_col(a, e) + 1); f++)
                if (!has_entry(c, i, agni_entry_col(b, f)))
                    return false;
    return true;
}

agni_obj *agni_take_product(agni_reader *r, const agni_op *op)
{
    agni_pattern *p[3] = {NULL};
    agni_triple *t = NULL;
    for (int k = 0; !r->st && k < 3; k++)
        p[k] = (agni_pattern *)agni_take_pattern(r, op);
    if (!r->st && !holds_product(p[AGNI_ONTO_C], p[AGNI_ONTO_A], p[AGNI_ONTO_B]))
        agni_bad_program(r, "a pattern of [%lld,%lld] that is not the product of two others",
                         (long long)p[AGNI_ONTO_C]->rows, (long long)p[AGNI_ONTO_C]->cols);
    if (!r->st)
        r->st = agni_triple_of(&t, r->in->op, p[AGNI_ONTO_C], p[AGNI_ONTO_A], p[AGNI_ONTO_B]);
    for (int k = 0; k < 3; k++)
        if (p[k])
            agni_obj_release(&p[k]->head);
    return r->st ? NULL : &t->head;
}

/* ---- meetings of two patterns ---------------------------------------------------------------- */

agn_status agni_put_meeting(agni_program_out *w, const agni_op *op, const agni_obj *o)
{
    const agni_merged_pattern *m = (const agni_merged_pattern *)o;
    const int64_t facts[] = {m->nnz, m->n[0], m->n[1]};
    (void)op;
    agn_status st = agni_put_number(w, m->wide, 4);
    for (int i = 0; !st && i < AGNI_COUNT(facts); i++)
        st = agni_put_number(w, (uint64_t)facts[i], 8);
    for (int k = 0; k < 2; k++)
        for (int64_t e = 0; !st && e < m->n[k]; e++)
            st = agni_put_number(w, (uint64_t)agni_read_index(m->at[k], m->wide, e), 8);
    return st;
}

/* is every place that of an entry of one of them? */
static bool covers_all_entries(const agni_merged_pattern *m)
{
    int64_t e[2] = {0, 0};
    for (int64_t k = 0; k < m->nnz; k++) {
        bool any = false;
        for (int i = 0; i < 2; i++)
            if (e[i] < m->n[i] && agni_read_index(m->at[i], m->wide, e[i]) == k) {
                e[i]++;
                any = true;
            }
        if (!any)
            return false;
    }
    return true;
}

agni_obj *agni_take_meeting(agni_reader *r, const agni_op *op)
{
    agni_merged_pattern *m = NULL;
    (void)op;
    bool wide = agni_take_number(r, 4, "a meeting") != 0;
    int64_t nnz = (int64_t)agni_take_number(r, 8, "a meeting"), n[2];
    int64_t left = (r->end - r->at) / 8 - 2;
    for (int k = 0; k < 2; k++)
        n[k] = (int64_t)agni_take_number(r, 8, "a meeting");
    if (!r->st && (n[0] < 0 || n[1] < 0 || n[0] > left || n[1] > left - n[0] || nnz < 0 ||
                   nnz > n[0] + n[1] || (!wide && nnz > INT32_MAX)))
        agni_bad_program(r, "a meeting of %lld and %lld entries at %lld places", (long long)n[0],
                         (long long)n[1], (long long)nnz);
    if (!r->st)
        r->st = agni_merged_pattern_new(&m, r->in->op);
    if (r->st)
        return NULL;
    m->wide = wide;
    m->nnz = nnz;
    for (int k = 0; k < 2; k++) {
        m->n[k] = n[k];
        m->at[k] = read_integers(r, wide, n[k], nnz, RISING);
    }
    if (!r->st && !covers_all_entries(m))
        agni_bad_program(r, "a meeting at %lld places, some of them of no entry", (long long)nnz);
    if (!r->st)
        return &m->head;
    agni_obj_release(&m->head);
    return NULL;
}
