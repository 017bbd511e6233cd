/* sparse/products/cpu/spgemm_symbolic.c - the pattern of a product of sparse matrices (symbolic
   phase of Gustavson 1978). The columns of a row are marked in a bitmap with a second level of one
   bit for each word, so that marks are read back in ascending order and 4096 empty columns cost one
   bit. */
#include "sparse/products/spgemm.h"

#include <string.h>

typedef struct marks {
    uint64_t *bit, *word; /* a bit for each column; a bit for each word of those */
    int64_t words;        /* of the second level */
} marks;

/* the columns found for a run of rows, in their order */
typedef struct stretch {
    int64_t n, room;
    void *index;
} stretch;

typedef struct job {
    const agni_pattern *a, *b;
    bool wide;
    int64_t runs;
    int64_t *count; /* [rows + 1] entries of row i at i + 1 */
    stretch *found;
    marks *marks; /* one for each worker */
    void *index;  /* of the result */
    _Atomic(bool) failed;
} job;

static size_t index_bytes(const job *q)
{
    return q->wide ? sizeof(int64_t) : sizeof(int32_t);
}

static bool alloc_marks(marks *m, int64_t cols)
{
    int64_t n = cols / 64 + 1;
    if (m->bit)
        return true;
    m->words = n / 64 + 1;
    m->bit = agni_zalloc((size_t)(n + m->words) * sizeof *m->bit);
    m->word = m->bit + n;
    return m->bit;
}

static void mark_column(marks *m, int64_t j)
{
    m->bit[j >> 6] |= UINT64_C(1) << (j & 63);
    m->word[j >> 12] |= UINT64_C(1) << (j >> 6 & 63);
}

static bool reserve_room(job *q, stretch *s, int64_t more)
{
    if (s->n + more <= s->room)
        return true;
    int64_t room = 2 * s->room + more;
    void *p = agni_realloc(s->index, (size_t)room * index_bytes(q));
    if (!p)
        return false;
    s->index = p;
    s->room = room;
    return true;
}

/* the marked columns, which are unmarked */
static int64_t read_marks(marks *m, bool wide, void *to, int64_t at)
{
    int64_t first = at;
    for (int64_t k = 0; k < m->words; k++)
        for (uint64_t w = m->word[k]; w; w &= w - 1) {
            int64_t i = (k << 6) + __builtin_ctzll(w);
            for (uint64_t b = m->bit[i]; b; b &= b - 1) {
                int64_t j = (i << 6) + __builtin_ctzll(b);
                if (wide)
                    ((int64_t *)to)[at++] = j;
                else
                    ((int32_t *)to)[at++] = (int32_t)j;
            }
            m->bit[i] = 0;
        }
    memset(m->word, 0, (size_t)m->words * sizeof *m->word);
    return at - first;
}

static void find_run(void *user, int64_t r, int worker)
{
    job *q = user;
    marks *m = &q->marks[worker];
    stretch *s = &q->found[r];
    const agni_pattern *a = q->a, *b = q->b;
    int64_t hi = agni_pattern_split_rows(a, r + 1, q->runs);
    bool good = alloc_marks(m, b->cols);
    for (int64_t i = agni_pattern_split_rows(a, r, q->runs); good && i < hi; i++) {
        int64_t most = 0;
        for (int64_t f = agni_row_begin(a, i); f < agni_row_begin(a, i + 1); f++) {
            int64_t k = agni_entry_col(a, f), end = agni_row_begin(b, k + 1);
            most += end - agni_row_begin(b, k);
            for (int64_t g = agni_row_begin(b, k); g < end; g++)
                mark_column(m, agni_entry_col(b, g));
        }
        if (!most)
            continue;
        good = reserve_room(q, s, most < b->cols ? most : b->cols);
        if (good)
            s->n += q->count[i + 1] = read_marks(m, q->wide, s->index, s->n);
    }
    if (!good)
        atomic_store(&q->failed, true);
}

static void copy_run(void *user, int64_t r, int worker)
{
    job *q = user;
    const stretch *s = &q->found[r];
    (void)worker;
    if (s->n)
        memcpy((char *)q->index +
                   (size_t)q->count[agni_pattern_split_rows(q->a, r, q->runs)] * index_bytes(q),
               s->index, (size_t)s->n * index_bytes(q));
}

/* concatenates the runs; takes count over */
static agn_status join_runs(agni_pattern **out, const char *op, job *q)
{
    int64_t rows = q->a->rows;
    for (int64_t i = 0; i < rows; i++)
        q->count[i + 1] += q->count[i];
    int64_t nnz = q->count[rows];
    q->index = agni_alloc((size_t)(nnz ? nnz : 1) * index_bytes(q));
    if (!q->index) {
        agni_free(q->count);
        return agni_nomem(op, (size_t)nnz * index_bytes(q));
    }
    agni_parallel_for(q->runs, copy_run, q);
    if (q->wide)
        return agni_pattern_adopt(out, rows, q->b->cols, true, q->count, q->index);
    return agni_pattern_mixed(out, op, rows, q->b->cols, q->count, q->index);
}

agn_status agni_product_pattern(agni_pattern **out, const char *op,
                                const agni_pattern *a, const agni_pattern *b)
{
    int width = agni_parallel_width();
    /* columns decide how they are kept; the number of entries only at the end */
    job q = {.a = a, .b = b, .wide = !agni_pattern_fits_i32(a->rows, b->cols, 0)};
    q.runs = a->nnz / 4096 + 1;
    q.count = agni_zalloc((size_t)(a->rows + 1) * sizeof *q.count);
    q.found = agni_zalloc((size_t)q.runs * sizeof *q.found);
    q.marks = agni_zalloc((size_t)width * sizeof *q.marks);
    agn_status st = AGN_OK;
    if (!q.count || !q.found || !q.marks)
        st = agni_nomem(op, (size_t)(a->rows + q.runs) * sizeof *q.found);
    else if (q.runs == 1)
        find_run(&q, 0, 0);
    else
        agni_parallel_for(q.runs, find_run, &q);
    if (!st && atomic_load(&q.failed))
        st = agni_nomem(op, (size_t)b->cols / 8);
    if (!st)
        st = join_runs(out, op, &q);
    else
        agni_free(q.count);
    for (int64_t r = 0; q.found && r < q.runs; r++)
        agni_free(q.found[r].index);
    for (int k = 0; q.marks && k < width; k++)
        agni_free(q.marks[k].bit);
    agni_free(q.found);
    agni_free(q.marks);
    return st;
}
