/* sparse/turn-body.h - the transpose of a pattern for integers INT; NAME(x) names a function.
   Entries are counted by column, then dealt out in their order: rows ascend within a
   column. indptr comes zeroed. */
static void NAME(turn)(const agni_pattern *p, void *to_indptr, void *to_index,
                       void *to_from)
{
    const INT *begin = p->indptr, *col = p->index;
    INT *indptr = to_indptr, *index = to_index, *from = to_from;
    for (int64_t e = 0; e < p->nnz; e++)
        indptr[col[e] + 1]++;
    for (int64_t j = 0; j < p->cols; j++)
        indptr[j + 1] += indptr[j];
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = begin[i]; e < begin[i + 1]; e++) {
            INT at = indptr[col[e]]++;
            index[at] = (INT)i;
            from[at] = (INT)e;
        }
    memmove(indptr + 1, indptr, (size_t)p->cols * sizeof *indptr);
    indptr[0] = 0;
}
