/* fft/cpu/lane_tables.c - what lanes need to know: the kernels of this CPU, the radices of a
   length, turns of passes, of rows and columns, of halves, each from its own angle. */
#include "config.h"

#include "fft/cpu/lane_tables.h"

#include "core/device/cpu_level.h"

#include <math.h>
#include <string.h>

enum { LINE = 64 };

const agni_lane_kernels *agni_fft_lanes(bool single)
{
    static const agni_lane_kernels *const levels[] = {
        [AGNI_CPU_BASE] = agni_lane_transforms_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = agni_lane_transforms_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = agni_lane_transforms_avx512,
#endif
    };
    return &levels[agni_cpu_level_below(AGNI_COUNT(levels))][single];
}

/* exp(-2 pi i k / n), its angle folded into an eighth of the circle */
static void find_root(int64_t k, int64_t n, double *c, double *s)
{
    int64_t whole = 8 * n, a = 8 * k;
    bool below = a > whole / 2, left = false, steep = false;
    a = below ? whole - a : a;
    if ((left = a > whole / 4))
        a = whole / 2 - a;
    if ((steep = a > whole / 8))
        a = whole / 4 - a;
    double angle = 2 * 3.14159265358979323846 * (double)a / (double)whole, x = cos(angle),
           y = sin(angle);
    *c = (left ? -1 : 1) * (steep ? y : x);
    *s = (below ? 1 : -1) * (steep ? x : y);
}

/* real number i of those at p */
static void put(char *p, bool single, int64_t i, double v)
{
    if (single)
        ((float *)p)[i] = (float)v;
    else
        ((double *)p)[i] = v;
}

static void append_radix(agni_lane_plan *p, int radix)
{
    p->radix[p->count++] = radix;
}

/* few passes of about the same radix; how many pairs its turns are */
static int64_t plan_passes(agni_lane_plan *p, int64_t n)
{
    int64_t rest = n, pairs = 0;
    int twos = 0;
    p->n = n;
    p->count = 0;
    for (int radix = 7; radix > 2; radix -= 2)
        for (; rest % radix == 0; rest /= radix)
            append_radix(p, radix);
    for (; rest > 1; rest /= 2)
        twos++;
    for (int left = (twos + 3) / 4; left > 0; left--) {
        int power = (twos + left - 1) / left;
        append_radix(p, 1 << power);
        twos -= power;
    }
    rest = n;
    for (int k = 0; k + 1 < p->count; k++) {
        rest /= p->radix[k];
        pairs += rest * (p->radix[k] - 1);
    }
    return pairs;
}

static char *fill_passes(agni_lane_plan *p, bool single, char *at)
{
    int64_t whole = p->n;
    double c, s;
    for (int k = 0; k + 1 < p->count; k++) {
        int radix = p->radix[k];
        int64_t groups = whole / radix, i = 0;
        p->w[k] = at;
        for (int64_t g = 0; g < groups; g++)
            for (int j = 1; j < radix; j++) {
                find_root(g * j % whole, whole, &c, &s);
                put(at, single, i++, c);
                put(at, single, i++, s);
            }
        at += i / 2 * agni_pair_bytes(single);
        whole = groups;
    }
    p->w[p->count - 1] = NULL;
    return at;
}

/* key: n1, and n2 where rows follow; the lanes in place of a sign, whether there are halves in that
   of in_place */
static void *make_tables(const agni_fft_key *key)
{
    int64_t n1 = key->dim[0].n, n2 = key->many ? key->dim[1].n : 0, n = n1 * n2, lanes = key->sign;
    bool single = key->single;
    agni_lane_tables t;
    memset(&t, 0, sizeof t);
    int64_t pairs = plan_passes(&t.columns, n1);
    if (n2)
        pairs += plan_passes(&t.rows, n2) + n / lanes + n2 * lanes;
    int64_t halves = key->in_place ? n / 2 + 1 : 0;
    pairs += halves;
    int64_t head = ((int64_t)sizeof t + LINE - 1) / LINE * LINE;
    char *all = agni_alloc_aligned((size_t)(head + pairs * agni_pair_bytes(single)));
    double c, s;
    if (!all)
        return NULL;
    char *at = fill_passes(&t.columns, single, all + head);
    if (n2)
        at = fill_passes(&t.rows, single, at);
    t.base = at;
    for (int64_t k = 0, i = 0; n2 && k < n1; k += lanes)
        for (int64_t j = 0; j < n2; j++) {
            find_root(j * k, n, &c, &s);
            put(at, single, i++, c);
            put(at, single, i++, s);
        }
    at += n / lanes * agni_pair_bytes(single);
    t.lanes = at;
    for (int64_t j = 0; j < n2; j++)
        for (int64_t l = 0; l < lanes; l++) {
            find_root(j * l, n, &c, &s);
            put(at, single, 2 * j * lanes + l, c);
            put(at, single, (2 * j + 1) * lanes + l, s);
        }
    at += n2 * lanes * agni_pair_bytes(single);
    t.halves = at;
    for (int64_t k = 0; k < halves; k++) {
        find_root(k, 2 * n, &c, &s);
        put(at, single, 2 * k, c);
        put(at, single, 2 * k + 1, s);
    }
    memcpy(all, &t, sizeof t);
    return all;
}

agni_fft_plan *agni_fft_acquire_tables(const agni_lane_kernels *v, bool single, bool real,
                                       int64_t n1, int64_t n2, const agni_lane_tables **tables)
{
    agni_fft_key key;
    memset(&key, 0, sizeof key); /* keys are compared by bytes */
    key.kind = AGNI_TABLES;
    key.sign = v->lanes;
    key.single = single;
    key.in_place = real;
    key.rank = 1;
    key.many = n2 > 0;
    key.dim[0].n = n1;
    key.dim[1].n = n2;
    agni_fft_plan *p = agni_fft_acquire(&key, NULL, NULL);
    *tables = p ? agni_fft_get_table(p, make_tables) : NULL;
    if (p && !*tables) {
        agni_fft_release(p);
        p = NULL;
    }
    return p;
}
