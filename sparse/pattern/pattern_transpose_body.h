/* sparse/pattern/pattern_transpose_body.h - counting sort of entries by column, for integers INT;
   NAME(x) names a function. Rows ascend within a column. Each thread counts its share of the rows,
   [shares, cols]; the prefix sum over shares gives where it writes, so the result does not depend
   on their number. */
static void NAME(count_columns)(const transpose_job *q, int64_t k, int64_t lo, int64_t hi)
{
    const INT *begin = q->p->indptr, *col = q->p->index;
    INT *at = (INT *)q->at + k * q->p->cols;
    memset(at, 0, (size_t)q->p->cols * sizeof *at);
    for (int64_t e = begin[lo]; e < begin[hi]; e++)
        at[col[e]]++;
}

static void NAME(sum_counts)(const transpose_job *q)
{
    INT *indptr = q->indptr, sum = 0;
    int64_t cols = q->p->cols;
    for (int64_t j = 0; j < cols; j++) {
        indptr[j] = sum;
        for (int64_t k = 0; k < q->shares; k++) {
            INT *at = (INT *)q->at + k * cols + j, n = *at;
            *at = sum;
            sum += n;
        }
    }
    indptr[cols] = sum;
}

static void NAME(scatter_entries)(const transpose_job *q, int64_t k, int64_t lo, int64_t hi)
{
    const INT *begin = q->p->indptr, *col = q->p->index;
    INT *at = (INT *)q->at + k * q->p->cols, *index = q->index, *from = q->from;
    for (int64_t i = lo; i < hi; i++)
        for (int64_t e = begin[i]; e < begin[i + 1]; e++) {
            INT to = at[col[e]]++;
            index[to] = (INT)i;
            from[to] = (INT)e;
        }
}
