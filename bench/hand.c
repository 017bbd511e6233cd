/* bench/hand.c - the third objective of ADBench (Srajer, Kukelova & Fitzgibbon 2018, 4.3): a hand
   of 22 bones, posed by 26 numbers, whose skin is to meet given places.

   theta: a turn (axis times angle), a shift, and four angles for each finger, of its first joint
   two. Bone 0 carries bone 1, that the fingers of four bones each. A bone's place is what carries
   it, times its relative, times the turn of its joint; times its inverse it moves the skin:
   skin [88, V] holds for each bone and vertex the weight times the vertex [4]. All numbers are
   grid: theta (-0.5, 0.5, 1); relatives and inverses [22, 4, 4] the identity plus, in the first
   three rows, (-0.3, 0.3, 2 and 3) as [22, 3, 4]; skin (-1/11, 1/11, 4); places [3, c]
   (-1, 1, 5); u [c, 2] (0, 0.5, 6). Place o is met by vertex a = 7919 o mod V, or by the point
   u_0 v_a + u_1 v_(a + 1) + (1 - u_0 - u_1) v_(a + 2) of a triangle. Results: residuals, their
   Jacobian in theta, and that of each in its own u. check: sums of squares of each. */
#include "task.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct hand {
    hand_sizes of;
    agn_tensor *vertex[3]; /* of each place */
    agn_fn *jacobian, *by_u;
} hand;

static const agn_tensor *numbers(agn_scope *s, int n, const double *v)
{
    return ag_from_host(s, AGN_F64, 1, (int64_t[]){n}, v);
}
static const agn_tensor *range(agn_scope *s, const agn_tensor *x, int axis, int64_t from, int64_t to)
{
    int64_t begin[3] = {0}, end[3], step[3] = {1, 1, 1};
    if (agn_scope_status(s))
        return NULL;
    for (int d = 0; d <= axis; d++)
        end[d] = agn_shape(x)[d];
    begin[axis] = from;
    end[axis] = to;
    return ag_slice(s, x, axis + 1, begin, end, step);
}

/* about x, for the first joint of a finger then about z: [5, 3, 4, 4] */
static const agn_tensor *joints(agn_scope *s, const agn_tensor *theta)
{
    const agn_tensor *angle = ag_reshape(s, range(s, theta, 0, 6, THETA), 2, (int64_t[]){FINGERS, 4});
    const agn_tensor *first = range(s, angle, 1, 0, 1), *z = range(s, angle, 1, 1, 2);
    const agn_tensor *x = ag_concat(
        s, (const agn_tensor *[]){first, range(s, angle, 1, 2, 4)}, 2, 1);
    const agn_tensor *none = ag_full(s, AGN_F64, 2, (int64_t[]){FINGERS, 2}, 0);
    const agn_tensor *zero = ag_full(s, AGN_F64, 2, (int64_t[]){FINGERS, 3}, 0);
    const agn_tensor *one = ag_full(s, AGN_F64, 2, (int64_t[]){FINGERS, 3}, 1);
    const agn_tensor *turn = ag_concat(s, (const agn_tensor *[]){z, none}, 2, 1);
    const agn_tensor *cx = ag_cos(s, x), *sx = ag_sin(s, x), *cz = ag_cos(s, turn),
                     *sz = ag_sin(s, turn);
    const agn_tensor *entry[16] = {cz,   ag_neg(s, ag_mul(s, sz, cx)), ag_mul(s, sz, sx),         zero,
                                   sz,   ag_mul(s, cz, cx),         ag_neg(s, ag_mul(s, cz, sx)), zero,
                                   zero, sx,                        cx,                        zero,
                                   zero, zero,                      zero,                      one};
    return ag_reshape(s, ag_stack(s, entry, 16, 2), 4, (int64_t[]){FINGERS, 3, 4, 4});
}

/* by |r| about r (Rodrigues) */
static const agn_tensor *turned(agn_scope *s, const agn_tensor *r)
{
    static const double across[27] = {[5] = -1, [7] = 1, [11] = 1, [15] = -1, [19] = -1, [21] = 1};
    const agn_tensor *t = ag_sqrt(s, ag_sum_all(s, ag_square(s, r))), *k = ag_div(s, r, t);
    const agn_tensor *c = ag_cos(s, t), *kk = ag_mul(s, ag_expand_dims(s, k, 1), k);
    const agn_tensor *cross = ag_reshape(
        s, ag_matmul(s, k, ag_reshape(s, numbers(s, 27, across), 2, (int64_t[]){3, 9})), 2,
        (int64_t[]){3, 3});
    return ag_add(s, ag_add(s, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), c), ag_mul(s, cross, ag_sin(s, t))),
                  ag_mul(s, kk, ag_sub(s, ag_lit(s, 1), c)));
}

/* in: theta, relatives, inverses, skin; [3, V] */
static const agn_tensor *posed(agn_scope *s, const agn_tensor *const *in)
{
    const agn_tensor *rel = in[1], *root = range(s, rel, 0, 0, 1);
    const agn_tensor *palm = ag_matmul(s, root, range(s, rel, 0, 1, 2));
    const agn_tensor *finger = ag_reshape(s, range(s, rel, 0, 2, BONES), 4,
                                          (int64_t[]){FINGERS, JOINTS, 4, 4});
    const agn_tensor *step = ag_matmul(s, range(s, finger, 1, 0, 3), joints(s, in[0]));
    const agn_tensor *bone[JOINTS], *carries = palm;
    for (int j = 0; j < JOINTS; j++)
        carries = bone[j] = ag_matmul(s, carries, ag_index_axis(s, j < 3 ? step : finger, 1, j));
    const agn_tensor *fingers = ag_reshape(s, ag_stack(s, bone, JOINTS, 1), 3,
                                           (int64_t[]){FINGERS * JOINTS, 4, 4});
    const agn_tensor *place = ag_concat(s, (const agn_tensor *[]){root, palm, fingers}, 3, 0);
    const agn_tensor *move = range(s, ag_matmul(s, place, in[2]), 1, 0, 3);
    move = ag_matmul(s, turned(s, range(s, in[0], 0, 0, 3)), move);
    move = ag_reshape(s, ag_permute(s, move, (int32_t[]){1, 0, 2}, 3), 2, (int64_t[]){3, 4 * BONES});
    return ag_add(s, ag_matmul(s, move, in[3]), ag_expand_dims(s, range(s, in[0], 0, 3, 6), 1));
}

/* in: u [2], the corners of one triangle, its place: [3] each */
static agn_status on_triangle(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agn_tensor *u = ag_index_axis(s, in[0], 0, 0), *v = ag_index_axis(s, in[0], 0, 1);
    const agn_tensor *w = ag_sub(s, ag_sub(s, ag_lit(s, 1), u), v);
    const agn_tensor *a = ag_mul(s, u, in[1]), *b = ag_mul(s, v, in[2]);
    (void)user;
    out[0] = ag_sub(s, in[4], ag_add(s, ag_add(s, a, b), ag_mul(s, w, in[3])));
    return AGN_OK;
}

/* in: theta, relatives, inverses, skin, places, u; out: residuals, corners where triangles */
static agn_status residuals(void *user, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const hand *h = user;
    const agn_tensor *v = posed(s, in), *at = NULL;
    if (!h->of.triangles) {
        at = ag_gather(s, v, h->vertex[0], 1);
    } else {
        const agn_tensor *u = ag_permute(s, in[5], (int32_t[]){1, 0}, 2);
        const agn_tensor *a = ag_index_axis(s, u, 0, 0), *b = ag_index_axis(s, u, 0, 1);
        const agn_tensor *w[3] = {a, b, ag_sub(s, ag_sub(s, ag_lit(s, 1), a), b)};
        for (int k = 0; k < 3; k++) {
            out[1 + k] = ag_gather(s, v, h->vertex[k], 1);
            const agn_tensor *part = ag_mul(s, w[k], out[1 + k]);
            at = k ? ag_add(s, at, part) : part;
        }
    }
    out[0] = ag_sub(s, in[4], at);
    return AGN_OK;
}

static agn_status all(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const hand *h = user;
    const agn_tensor *y[4], *J[4];
    residuals(user, s, in, y);
    agn_fn_apply(h->jacobian, s, J, in);
    out[0] = y[0];
    out[1] = J[0];
    if (h->of.triangles && !agn_scope_status(s)) {
        const agn_tensor *a[5] = {in[5], y[1], y[2], y[3], in[4]};
        agn_fn_apply(h->by_u, s, out + 2, a);
    }
    return AGN_OK;
}

static agn_status angles_only(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const agn_tensor *y[4];
    residuals(user, s, in, y);
    out[0] = y[0];
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
    static const int32_t lanes[] = {0, 1, 1, 1, 1};
    char id[64];
    snprintf(id, sizeof id, "adbench/hand%s/v%lld-c%lld/f64", triangles ? "-triangles" : "",
             (long long)V, (long long)c);
    if (!task_asked(id))
        return;
    int64_t *vertex = malloc((size_t)c * sizeof *vertex);
    if (!vertex)
        bench_die("memory");
    hand h = {.of = {V, c, triangles, vertex}};
    for (int k = 2; k >= 0; k--) {
        for (int64_t o = 0; o < c; o++)
            vertex[o] = (7919 * o % V + k) % V;
        TRY(agn_from_host(&h.vertex[k], AGN_I64, 1, &c, vertex));
    }
    task t = {.in = {grid1(THETA, -0.5, 0.5, 1, AGN_F64), frames(2), frames(3),
                     grid2(4 * BONES, V, -1.0 / 11, 1.0 / 11, 4, AGN_F64),
                     grid2(3, c, -1, 1, 5, AGN_F64),
                     triangles ? grid2(c, 2, 0, 0.5, 6, AGN_F64) : NULL},
              .check = each_square_sum};
    agn_fn *r = NULL, *f = NULL, *one = NULL, *by_u = NULL;
    TRY(agn_fn_new(&r, angles_only, &h, NULL, 5 + triangles, 1));
    TRY(agn_fn_jacobian(&h.jacobian, r, 0));
    TRY(agn_fn_new(&one, on_triangle, NULL, NULL, 5, 1));
    TRY(agn_fn_jacobian(&by_u, one, 0));
    TRY(agn_fn_vmap(&h.by_u, by_u, lanes, NULL));
    TRY(agn_fn_new(&f, all, &h, NULL, 5 + triangles, 2 + triangles));
    task_run(id, &t, NULL, f);
    task_by_hand(id, &t, by_hand_tracking, &h.of, AGN_F64, 2 + triangles,
                 (int64_t[]){3 * c, 3 * c * THETA, 6 * c});
    task_close(&t);
    agn_fn_release(r);
    agn_fn_release(one);
    agn_fn_release(by_u);
    agn_fn_release(h.by_u);
    agn_fn_release(h.jacobian);
    for (int k = 0; k < 3; k++)
        agn_release(h.vertex[k]);
    free(vertex);
}

void bench_hand(void)
{
    run_hand(544, 1000, false);
    run_hand(544, 1000, true);
    run_hand(544, 100000, false);
}
