/* bench/hand.c - the third objective of ADBench (Srajer, Kukelova & Fitzgibbon 2018, 4.3): a hand
   of 22 bones, posed by 26 numbers, whose skin is to meet given places.

   theta: a turn (axis times angle), a shift, and four angles for each finger, of its first joint
   two. Bone 0 carries bone 1, that the fingers of four bones each. A bone's place is what carries
   it, times its relative, times the turn of its joint; times its inverse it moves the skin:
   skin [88, V] holds for each bone and vertex the weight times the vertex [4]. All numbers are
   grid: theta (-0.5, 0.5, 1); relatives and inverses [22, 4, 4] the identity plus, in the first
   three rows, (-0.3, 0.3, 2 and 3) as [22, 3, 4]; skin (-1/11, 1/11, 4); places [c, 3]
   (-1, 1, 5); u [c, 2] (0, 0.5, 6). Place o is met by vertex a = 7919 o mod (V - 2), or by the
   point u_0 v_a + u_1 v_(a + 1) + (1 - u_0 - u_1) v_(a + 2) of a triangle. Results: residuals,
   their Jacobian in theta, and that of each in its own u. check: sums of squares of each.

   A finger's angles move what its own bones add to the skin, so that is differentiated for all
   fingers at once, and the six numbers that move everything by themselves. */
#include "task.h"

#include <agnesi/sparse.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct hand {
    hand_sizes of;
    agn_tensor *vertex[3]; /* of each place */
    agn_tensor *between;   /* [c, V]: entries at the corners */
    agn_fn *fingers, *moved, *by_angle, *by_head; /* functions, and their Jacobians */
    agn_fn *on_triangle, *by_u;
} hand;

static const agn_tensor *range(agn_scope *s, const agn_tensor *x, int axis, int64_t from,
                               int64_t to)
{
    int64_t begin[4] = {0}, end[4], step[4] = {1, 1, 1, 1};
    if (agn_scope_status(s))
        return NULL;
    for (int d = 0; d <= axis; d++)
        end[d] = agn_shape(x)[d];
    begin[axis] = from;
    end[axis] = to;
    return ag_slice(s, x, axis + 1, begin, end, step);
}

/* about x, and that of the first joint then about z: [3, 4, 4] */
static const agn_tensor *joints(agn_scope *s, const agn_tensor *angle)
{
    const agn_tensor *two[] = {range(s, angle, 0, 0, 1), range(s, angle, 0, 2, 4)};
    const agn_tensor *zero = ag_full(s, AGN_F64, 1, (int64_t[]){3}, 0);
    const agn_tensor *one = ag_full(s, AGN_F64, 1, (int64_t[]){3}, 1);
    const agn_tensor *then[] = {range(s, angle, 0, 1, 2), range(s, zero, 0, 0, 2)};
    const agn_tensor *x = ag_concat(s, two, 2, 0), *z = ag_concat(s, then, 2, 0);
    const agn_tensor *cx = ag_cos(s, x), *sx = ag_sin(s, x), *cz = ag_cos(s, z), *sz = ag_sin(s, z);
    const agn_tensor *entry[] = {
        cz,   ag_neg(s, ag_mul(s, sz, cx)), ag_mul(s, sz, sx),            zero,
        sz,   ag_mul(s, cz, cx),            ag_neg(s, ag_mul(s, cz, sx)), zero,
        zero, sx,                           cx,                           zero,
        zero, zero,                         zero,                         one};
    return ag_reshape(s, ag_stack(s, entry, 16, 1), 3, (int64_t[]){3, 4, 4});
}

/* by |r| about r (Rodrigues) */
static const agn_tensor *turned(agn_scope *s, const agn_tensor *r)
{
    static const double across[27] = {[5] = -1, [7] = 1, [11] = 1, [15] = -1, [19] = -1, [21] = 1};
    const agn_tensor *t = ag_sqrt(s, ag_sum_all(s, ag_square(s, r))), *k = ag_div(s, r, t);
    const agn_tensor *c = ag_cos(s, t), *kk = ag_mul(s, ag_expand_dims(s, k, 1), k);
    const agn_tensor *cross = ag_reshape(
        s, ag_matmul(s, k, ag_from_host(s, AGN_F64, 2, (int64_t[]){3, 9}, across)), 2,
        (int64_t[]){3, 3});
    return ag_add(s,
                  ag_add(s, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), c),
                         ag_mul(s, cross, ag_sin(s, t))),
                  ag_mul(s, kk, ag_sub(s, ag_lit(s, 1), c)));
}

/* what bones add to the skin: the first three rows of each, turned, times its part of skin */
static const agn_tensor *added(agn_scope *s, const agn_tensor *turn, const agn_tensor *bones,
                               const agn_tensor *skin)
{
    const agn_tensor *m = ag_matmul(s, turn, range(s, bones, 1, 0, 3)); /* [n, 3, 4] */
    int64_t rows = agn_scope_status(s) ? 0 : 4 * agn_shape(m)[0];
    m = ag_reshape(s, ag_permute(s, m, (int32_t[]){1, 0, 2}, 3), 2, (int64_t[]){3, rows});
    return ag_matmul(s, m, skin);
}

/* in: the angles of a finger [4], its relatives and inverses, its part of skin, the palm, the turn
   of all */
static agn_status finger(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const agn_tensor *step = ag_matmul(s, range(s, in[1], 0, 0, 3), joints(s, in[0]));
    const agn_tensor *bone[JOINTS], *carries = in[4];
    (void)user;
    for (int j = 0; j < JOINTS; j++)
        carries = bone[j] = ag_matmul(s, carries, ag_index_axis(s, j < 3 ? step : in[1], 0, j));
    const agn_tensor *all = ag_matmul(s, ag_stack(s, bone, JOINTS, 0), in[2]);
    out[0] = added(s, in[5], all, in[3]);
    return AGN_OK;
}

/* in: the first six numbers, the skin before them; the skin after them, which is taken from
   places */
static agn_status moved(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_sub(s, ag_matmul(s, ag_neg(s, turned(s, range(s, in[0], 0, 0, 3))), in[1]),
                    ag_expand_dims(s, range(s, in[0], 0, 3, 6), 1));
    return AGN_OK;
}

/* in: u [2], the corners of one triangle, as they are taken from its place, and that: [3] each */
static agn_status on_triangle(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agn_tensor *u = ag_index_axis(s, in[0], 0, 0), *v = ag_index_axis(s, in[0], 0, 1);
    const agn_tensor *w = ag_sub(s, ag_sub(s, ag_lit(s, 1), u), v);
    const agn_tensor *a = ag_mul(s, u, in[1]), *b = ag_mul(s, v, in[2]);
    (void)user;
    out[0] = ag_add(s, in[4], ag_add(s, ag_add(s, a, b), ag_mul(s, w, in[3])));
    return AGN_OK;
}

/* in: theta, relatives, inverses, skin, places, u */
static agn_status hand_body(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const hand *h = user;
    int64_t V = h->of.vertices;
    const agn_tensor *head = range(s, in[0], 0, 0, 6), *rel = in[1];
    const agn_tensor *angle = ag_reshape(s, range(s, in[0], 0, 6, THETA), 2,
                                         (int64_t[]){FINGERS, 4});
    int64_t bones[] = {FINGERS, JOINTS, 4, 4};
    const agn_tensor *palm = ag_matmul(s, ag_index_axis(s, rel, 0, 0), ag_index_axis(s, rel, 0, 1));
    const agn_tensor *two[] = {ag_index_axis(s, rel, 0, 0), palm};
    const agn_tensor *rest = added(s, ag_eye(s, AGN_F64, 3, 3, 0),
                                   ag_matmul(s, ag_stack(s, two, 2, 0), range(s, in[2], 0, 0, 2)),
                                   range(s, in[3], 0, 0, 8));
    const agn_tensor *a[] = {angle,
                             ag_reshape(s, range(s, rel, 0, 2, BONES), 4, bones),
                             ag_reshape(s, range(s, in[2], 0, 2, BONES), 4, bones),
                             ag_reshape(s, range(s, in[3], 0, 8, 4 * BONES), 3,
                                        (int64_t[]){FINGERS, 4 * JOINTS, V}),
                             palm,
                             ag_eye(s, AGN_F64, 3, 3, 0)};
    const agn_tensor *each, *v, *by_angle, *by_head;
    agn_fn_apply(s, &each, 1, h->fingers, a, 6);
    a[5] = ag_neg(s, turned(s, range(s, in[0], 0, 0, 3)));
    agn_fn_apply(s, &by_angle, 1, h->by_angle, a, 6); /* [5, 3, V, 4] */
    if (agn_scope_status(s))
        return agn_scope_status(s);
    const agn_tensor *b[] = {head, ag_add(s, rest, ag_sum(s, each, (int32_t[]){0}, 1, false))};
    agn_fn_apply(s, &v, 1, h->moved, b, 2);
    agn_fn_apply(s, &by_head, 1, h->by_head, b, 2); /* [3, V, 6] */
    if (agn_scope_status(s))
        return agn_scope_status(s);
    /* joined as they are made, one number of theta after the other, and turned over as a whole */
    by_angle = ag_reshape(s, ag_permute(s, by_angle, (int32_t[]){0, 3, 1, 2}, 4), 3,
                          (int64_t[]){4 * FINGERS, 3, V});
    const agn_tensor *by[] = {ag_permute(s, by_head, (int32_t[]){2, 0, 1}, 3), by_angle};
    const agn_tensor *J = ag_permute(s, ag_concat(s, by, 2, 0), (int32_t[]){2, 1, 0}, 3);
    J = ag_reshape(s, J, 2, (int64_t[]){V, 3 * THETA});
    v = ag_permute(s, v, (int32_t[]){1, 0}, 2);
    if (h->of.triangles) {
        const agn_tensor *w[] = {ag_index_axis(s, in[5], 1, 0), ag_index_axis(s, in[5], 1, 1),
                                 NULL};
        w[2] = ag_sub(s, ag_sub(s, ag_lit(s, 1), w[0]), w[1]);
        const agn_tensor *between = ag_sparse_with_values(
            s, h->between, ag_reshape(s, ag_stack(s, w, 3, 1), 1, (int64_t[]){3 * h->of.c}));
        const agn_tensor *t[5] = {in[5], NULL, NULL, NULL, in[4]};
        for (int k = 0; k < 3; k++)
            t[1 + k] = ag_gather(s, v, h->vertex[k], 0);
        if (agn_scope_status(s))
            return agn_scope_status(s);
        agn_fn_apply(s, out, agn_fn_n_out(h->on_triangle), h->on_triangle, t, 5);
        agn_fn_apply(s, out + 2, agn_fn_n_out(h->by_u), h->by_u, t, 5);
        J = ag_sparse_matmul(s, between, J);
    } else {
        out[0] = ag_add(s, in[4], ag_gather(s, v, h->vertex[0], 0));
        J = ag_gather(s, J, h->vertex[0], 0);
    }
    out[1] = ag_reshape(s, J, 3, (int64_t[]){h->of.c, 3, THETA});
    return AGN_OK;
}

/* the identity plus grid in the first three rows */
static agn_tensor *frames(int salt)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *g = grid3(BONES, 3, 4, -0.3, 0.3, salt, AGN_F64), *y = NULL;
    const agn_tensor *none = ag_full(s, AGN_F64, 3, (int64_t[]){BONES, 1, 4}, 0);
    agn_scope_return(s, &y,
                     ag_add(s, ag_concat(s, (const agn_tensor *[]){g, none}, 2, 1),
                            ag_eye(s, AGN_F64, 4, 4, 0)));
    TRY(agn_scope_close(s));
    agn_release(g);
    return y;
}

static void run_hand(int64_t V, int64_t c, bool triangles)
{
    static const int32_t by_place[] = {0, 0, 0, 0, 0};
    static const int32_t by_finger[] = {0, 0, 0, 0, AGN_UNBATCHED, AGN_UNBATCHED};
    char id[64];
    snprintf(id, sizeof id, "adbench/hand%s/v%lld-c%lld/f64", triangles ? "-triangles" : "",
             (long long)V, (long long)c);
    if (!task_asked(id))
        return;
    int64_t *vertex = malloc((size_t)(c + 3 * c + c + 1) * sizeof *vertex);
    if (!vertex)
        bench_die("memory");
    int64_t *column = vertex + c, *row = column + 3 * c, entries = 3 * c, ends = c + 1;
    hand h = {.of = {V, c, triangles, vertex}};
    for (int k = 2; k >= 0; k--) {
        for (int64_t o = 0; o < c; o++) {
            vertex[o] = 7919 * o % (V - 2) + k;
            column[3 * o + k] = vertex[o];
            row[o] = 3 * o;
        }
        TRY(agn_from_host(&h.vertex[k], AGN_I64, 1, &c, vertex));
    }
    row[c] = entries;
    agn_tensor *indptr = NULL, *indices = NULL, *ones = NULL;
    TRY(agn_from_host(&indptr, AGN_I64, 1, &ends, row));
    TRY(agn_from_host(&indices, AGN_I64, 1, &entries, column));
    TRY(agn_full(&ones, AGN_F64, 1, &entries, 1));
    TRY(agn_sparse_csr(&h.between, c, V, indptr, indices, ones));
    agn_release(indptr);
    agn_release(indices);
    agn_release(ones);
    task t = {.in = {grid1(THETA, -0.5, 0.5, 1, AGN_F64), frames(2), frames(3),
                     grid2(4 * BONES, V, -1.0 / 11, 1.0 / 11, 4, AGN_F64),
                     grid2(c, 3, -1, 1, 5, AGN_F64),
                     triangles ? grid2(c, 2, 0, 0.5, 6, AGN_F64) : NULL},
              .check = each_square_sum};
    agn_fn *one = NULL, *by_one = NULL, *f = NULL;
    TRY(agn_fn_new(&one, finger, NULL, NULL, 6, 1));
    TRY(agn_fn_jacobian(&by_one, one, 0));
    TRY(agn_fn_vmap(&h.fingers, one, by_finger, 6, NULL, 0));
    TRY(agn_fn_vmap(&h.by_angle, by_one, by_finger, 6, NULL, 0));
    agn_fn_release(one);
    agn_fn_release(by_one);
    TRY(agn_fn_new(&h.moved, moved, NULL, NULL, 2, 1));
    TRY(agn_fn_jacobian(&h.by_head, h.moved, 0));
    TRY(agn_fn_new(&one, on_triangle, NULL, NULL, 5, 1));
    TRY(agn_fn_jacobian(&by_one, one, 0));
    TRY(agn_fn_vmap(&h.on_triangle, one, by_place, 5, NULL, 0));
    TRY(agn_fn_vmap(&h.by_u, by_one, by_place, 5, NULL, 0));
    agn_fn_release(one);
    agn_fn_release(by_one);
    TRY(agn_fn_new(&f, hand_body, &h, NULL, 5 + triangles, 2 + triangles));
    task_run(id, &t, NULL, f);
    task_by_hand(id, &t, by_hand_tracking, &h.of, AGN_F64, 2 + triangles,
                 (int64_t[]){3 * c, 3 * c * THETA, 6 * c});
    task_close(&t);
    agn_fn *all[] = {h.fingers, h.moved, h.by_angle, h.by_head, h.on_triangle, h.by_u};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_fn_release(all[i]);
    for (int k = 0; k < 3; k++)
        agn_release(h.vertex[k]);
    agn_release(h.between);
    free(vertex);
}

void bench_hand(void)
{
    run_hand(544, 1000, false);
    run_hand(544, 1000, true);
    run_hand(544, 100000, false);
}
