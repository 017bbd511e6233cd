/* communities.c - a network of friends drawn at random around four groups: the ranks of its people
   by random walks (Brin and Page 1998) and its groups by a partition. Draws communities.svg: discs
   as large as ranks, coloured by part. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <agnesi/geometric_graph.h>
#include <agnesi/geometric_pool.h>
#include <agnesi/geometric_structure.h>
#include <math.h>

enum { PEOPLE = 96, GROUPS = 4, MOST = 4 * PEOPLE * PEOPLE };

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* person i is of group i % GROUPS; friends are likelier within a group, and everybody knows the
   first of theirs */
static agn_status make_friends(agn_graph **out)
{
    static int64_t src[MOST], dst[MOST];
    int64_t m = 0;
    uint64_t seed = 7;
    agn_tensor *a = NULL, *b = NULL;
    for (int i = 0; i < PEOPLE; i++)
        for (int j = 0; j < i; j++) {
            bool mates = i % GROUPS == j % GROUPS;
            if (draw(&seed) < (mates ? j < GROUPS ? 0.7 : 0.2 : 0.012)) {
                src[m] = dst[m + 1] = i;
                dst[m] = src[m + 1] = j;
                m += 2;
            }
        }
    agn_status st = agn_from_host(&a, AGN_I64, 1, &m, src);
    st = st ? st : agn_from_host(&b, AGN_I64, 1, &m, dst);
    st = st ? st : agn_graph_from_edges(out, a, b, PEOPLE, PEOPLE);
    agn_release(a);
    agn_release(b);
    return st;
}

/* x <- 0.85 P x + 0.15 / n until it no longer changes: P sends what one has along their ties */
static const agn_tensor *rank_people(agn_scope *s, const agn_graph *g)
{
    const int64_t n = PEOPLE;
    const agn_tensor *degree = ag_cast(s, ag_graph_degrees(s, g, AGN_GRAPH_SRC), AGN_F64);
    const agn_tensor *x = ag_full(s, AGN_F64, 1, &n, 1.0 / PEOPLE);
    degree = ag_maximum(s, degree, ag_full(s, AGN_F64, 0, NULL, 1));
    for (int k = 0; k < 60; k++) {
        const agn_tensor *sent = ag_div(s, x, degree);
        const agn_tensor *got = ag_graph_gspmm(s, g, sent, NULL, AGN_MESSAGE_COPY,
                                               AGN_GEOMETRIC_SUM);
        x = ag_add_c(s, ag_mul_c(s, got, 0.85), 0.15 / PEOPLE);
    }
    return x;
}

/* the largest share of a group that one part has, over all groups */
static double agreement(const int64_t *part)
{
    int found = 0;
    for (int p = 0; p < GROUPS; p++) {
        int count[GROUPS] = {0}, most = 0;
        for (int i = 0; i < PEOPLE; i++)
            count[i % GROUPS] += part[i] == p;
        for (int k = 0; k < GROUPS; k++)
            most = count[k] > most ? count[k] : most;
        found += most;
    }
    return (double)found / PEOPLE;
}

/* places by the Laplacian: springs of equal strength along all ties (Hall 1970), groups turned
   apart */
static void draw_network(const agn_graph *g, const double *rank, const int64_t *part,
                         const double *place)
{
    agn_tensor *src = NULL, *dst = NULL;
    double at[PEOPLE][2];
    FILE *f = picture_open("communities.svg", 640, 640);
    for (int i = 0; i < PEOPLE; i++)
        for (int c = 0; c < 2; c++) {
            double v = place[3 * i + c] * 4;
            at[i][c] = 320 + 280 * copysign(pow(fabs(v), 0.6), v);
        }
    if (f && !agn_graph_edges(&src, &dst, g)) {
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *a = ag_cast(s, src, AGN_I64), *b = ag_cast(s, dst, AGN_I64);
        const int64_t *from = a ? agn_data(a) : NULL, *to = b ? agn_data(b) : NULL;
        for (int64_t e = 0; from && to && e < agn_numel(src); e++)
            if (from[e] < to[e])
                picture_line(f, at[from[e]][0], at[from[e]][1], at[to[e]][0], at[to[e]][1]);
        if (agn_scope_close(s))
            fprintf(stderr, "%s\n", agn_error_message());
    }
    for (int i = 0; i < PEOPLE; i++)
        picture_disc(f, at[i][0], at[i][1], 60 * sqrt(rank[i]), (double)part[i] / (GROUPS - 0.6));
    picture_close(f);
    agn_release(src);
    agn_release(dst);
}

int main(void)
{
    agn_graph *g = NULL;
    agn_tensor *part = NULL, *value = NULL, *place = NULL;
    double at[PEOPLE * 3];
    int64_t cut = 0;
    agn_status st = make_friends(&g);
    st = st ? st : agn_graph_partition(&part, &cut, g, GROUPS);
    st = st ? st : agn_graph_laplacian_encoding(&value, &place, g, NULL, 3);
    st = st ? st : agn_to_host(at, place, sizeof at);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *rank = st ? NULL : rank_people(s, g);
    if (rank && !st) {
        const double *r = agn_data(rank);
        double all = 0;
        int first = 0;
        for (int i = 0; i < PEOPLE; i++) {
            all += r[i];
            first = r[i] > r[first] ? i : first;
        }
        printf("ranks sum to %.6f, the first is one whom their group knows: %s\n", all,
               first < GROUPS ? "yes" : "no");
        printf("of the people nine of ten or more are with their group: %s\n",
               agreement(agn_data(part)) >= 0.9 ? "yes" : "no");
        draw_network(g, r, agn_data(part), at);
    }
    agn_status closed = agn_scope_close(s);
    if (st || closed)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_release(part);
    agn_release(value);
    agn_release(place);
    agn_graph_release(g);
    return st || closed;
}
