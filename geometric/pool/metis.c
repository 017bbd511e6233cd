/* geometric/pool/metis.c - partitions by METIS (Karypis and Kumar 1998), which draws from the
   process's rand and sets its signal handlers while it runs: one call at a time, and in a build
   that asks for it alone. */
#include "geometric/pool/partition.h"

#include "core/fork_mutex.h"

#include <metis.h>

static agni_mutex one_at_a_time = AGNI_MUTEX_INIT;

static bool fits_index(int64_t n)
{
    return n <= (IDXTYPEWIDTH == 32 ? INT32_MAX : INT64_MAX) / 4;
}

/* a graph without loops, each edge both ways, as integers of METIS; false: it gives no parts */
static bool call_metis(const agni_ties *t, int64_t parts, idx_t *begin, idx_t *to, idx_t *w,
                       idx_t *of)
{
    idx_t n = (idx_t)t->n, constraints = 1, k = (idx_t)parts, cut = 0, options[METIS_NOPTIONS];
    for (int64_t i = 0; i <= t->n; i++)
        begin[i] = (idx_t)t->begin[i];
    for (int64_t e = 0; e < t->begin[t->n]; e++)
        to[e] = (idx_t)t->to[e], w[e] = (idx_t)t->weight[e]; /* how many edges join the two */
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_UFACTOR] = 40; /* thousandths above the mean */
    agni_mutex_lock(&one_at_a_time);
    int code = METIS_PartGraphKway(&n, &constraints, begin, to, NULL, NULL, w, &k, NULL, NULL,
                                   options, &cut, of);
    agni_mutex_unlock(&one_at_a_time);
    return code == METIS_OK;
}

agn_status agni_metis_parts(int64_t *part, bool *found, const char *op, const agni_ties *t,
                            int64_t parts, int64_t most)
{
    int64_t m = t->begin[t->n], *size = NULL;
    *found = false;
    if (parts < 2 || parts > t->n || !m || !fits_index(m) || !fits_index(t->n))
        return AGN_OK;
    idx_t *begin = agni_alloc((size_t)(2 * t->n + 1 + 2 * m) * sizeof *begin), *of = NULL;
    size = agni_zalloc((size_t)parts * sizeof *size);
    if (!begin || !size) {
        agni_free(begin);
        agni_free(size);
        return agni_nomem(op, (size_t)(2 * t->n + 2 * m) * sizeof *begin);
    }
    of = begin + t->n + 1;
    bool good = call_metis(t, parts, begin, of + t->n, of + t->n + m, of);
    for (int64_t i = 0; good && i < t->n; i++) {
        good = of[i] >= 0 && of[i] < parts && ++size[of[i]] <= most;
        part[i] = of[i];
    }
    *found = good;
    agni_free(begin);
    agni_free(size);
    return AGN_OK;
}
