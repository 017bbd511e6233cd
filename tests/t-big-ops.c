/* tests/t-big-ops.c - every op of the table beyond 2^31 elements: its case of tools/cases.c in lanes, of
   which the first, a middle and the last of the result must be the case alone.

   Always: three lanes that lie 2^30 elements and more apart, in memory of which a few pages are
   touched, so that places and bytes pass 2^31 and 2^32 at no cost. Asked for by
   AGNESI_TEST_LARGE=1, since it takes up to 12 GiB and an hour: so many lanes, all alike and of
   stride 0, that an argument or a result has more elements. AGNESI_TEST_LARGE_GIB=n tells how much
   memory there is; AGNESI_TEST_LARGE_PART=k/n asks every n-th op only, from the k-th on. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "tools/ask.h"

#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static agn_status vmap_all(agn_fn **out, const agn_fn *f)
{
    return agn_fn_vmap(out, f, NULL, 0, NULL, 0);
}

/* the narrowest dtype in which numbers can be compared */
static int least_dtype(const subject *s)
{
    static const int order[] = {AGN_BOOL, AGN_F32, AGN_I32, AGN_F64, AGN_I64, AGN_C64, AGN_C128};
    for (int i = 0; i < COUNT(order); i++)
        if (s->info.dtypes >> order[i] & 1)
            return order[i];
    return AGN_F64;
}

static int64_t bytes_of(const agn_tensor *x)
{
    return agn_numel(x) * (int64_t)agn_dtype_size(agn_dtype_of(x));
}

/* lane b of y as numbers */
static bool lane_of(wide *v, const agn_tensor *y, int64_t b)
{
    agn_tensor *z = NULL;
    bool fine = !agn_slice(&z, y, 1, &b, (int64_t[]){b + 1}, (int64_t[]){1}) && !read_wide(v, z);
    agn_release(z);
    return fine;
}

static bool same(const wide *a, const wide *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        long double scale = cabsl(b[k]) > 1 ? cabsl(b[k]) : 1;
        bool alike = creall(a[k]) == creall(b[k]) && cimagl(a[k]) == cimagl(b[k]);
        bool nan = a[k] != a[k] && b[k] != b[k];
        if (!alike && !nan && !(cabsl(a[k] - b[k]) <= 1e-5L * scale))
            return false;
    }
    return true;
}

static bool lanes_hold(const subject *s, agn_tensor *const *big, agn_tensor *const *one, int64_t lanes)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    const int64_t at[] = {0, lanes / 2, lanes - 1};
    bool fine = true;
    for (int o = 0; fine && o < s->n_out; o++) {
        fine = agn_ndim(big[o]) == agn_ndim(one[o]) + 1 && agn_shape(big[o])[0] == lanes &&
               !read_wide(want, one[o]);
        for (int k = 0; fine && k < COUNT(at); k++)
            fine = lane_of(have, big[o], at[k]) && same(have, want, agn_numel(one[o]));
    }
    return fine;
}

/* arguments that are data go in lanes, indices do not */
static bool goes(const subject *s, int i)
{
    return s->c.role[i] != 'I' && s->c.role[i] != 'N';
}

static agn_status repeated(agn_tensor **out, const agn_tensor *x, int64_t lanes)
{
    int64_t size[MOST_AXES + 1] = {lanes};
    for (int d = 0; d < agn_ndim(x); d++)
        size[d + 1] = agn_shape(x)[d];
    return agn_broadcast_to(out, x, agn_ndim(x) + 1, size);
}

/* ---- far apart ---------------------------------------------------------------------------- */

static const int64_t STEP = ((int64_t)1 << 30) + 3;

static void unmap(void *user)
{
    int64_t *size = user;
    munmap((char *)size, (size_t)*size);
}

/* The elements of x in FAR lanes that lie STEP elements apart; behind a page that knows the size. */
enum { FAR = 3, PAGE = 4096 };
static agn_status far_lanes(agn_tensor **out, const agn_tensor *x)
{
    const int64_t bytes = bytes_of(x), step = STEP * (int64_t)agn_dtype_size(agn_dtype_of(x));
    const int64_t room = PAGE + (FAR - 1) * step + bytes;
    int64_t size[MOST_AXES + 1] = {FAR}, stride[MOST_AXES + 1] = {STEP}, dense = 1;
    char *p = mmap(NULL, (size_t)room, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return AGN_ENOMEM;
    memcpy(p, &room, sizeof room);
    for (int k = 0; k < FAR; k++)
        if (agn_to_host(p + PAGE + k * step, x, (size_t)bytes))
            return AGN_EARG;
    for (int d = agn_ndim(x) - 1; d >= 0; d--) {
        size[d + 1] = agn_shape(x)[d];
        stride[d + 1] = dense;
        dense *= size[d + 1];
    }
    return agn_wrap_host(out, agn_dtype_of(x), agn_ndim(x) + 1, size, stride, p + PAGE, true, unmap, p);
}

static void test_far(const subject *s)
{
    bound b = {.s = s, .dtype = least_dtype(s)};
    agn_tensor *one[MOST_OUT] = {NULL}, *big[MOST_OUT] = {NULL}, *in[MOST_ARGS] = {NULL};
    bool fine = !make_arguments(b.x, s, b.dtype, 0) && !apply(one, s, b.dtype, borrow(b.x));
    agn_status st = AGN_OK;
    for (int i = 0; fine && !st && i < s->c.n_in; i++)
        if (goes(s, i)) {
            st = far_lanes(&in[b.n_var], b.x[i]);
            b.var[b.n_var++] = i;
        }
    if (st == AGN_ENOMEM)
        skip("G2: %s: no room for lanes far apart", s->info.name);
    else if (fine && b.n_var == 0)
        skip("G2: %s has no argument that could be far away", s->info.name);
    else
        ok(fine && !st && !call_transformed(&b, vmap_all, big, in) && lanes_hold(s, big, one, FAR),
           "G2: %s, %s, of places beyond 2^31", s->info.name, agn_dtype_name(b.dtype));
    release_all(in, b.n_var);
    release_all(big, MOST_OUT);
    release_all(one, MOST_OUT);
    unbind(&b);
}

/* ---- many --------------------------------------------------------------------------------- */

static void test_op(const subject *s, double limit)
{
    const char *name = s->info.name;
    bound b = {.s = s, .dtype = least_dtype(s)};
    agn_tensor *one[MOST_OUT] = {NULL}, *big[MOST_OUT] = {NULL}, *in[MOST_ARGS] = {NULL};
    if (make_arguments(b.x, s, b.dtype, 0) || apply(one, s, b.dtype, borrow(b.x))) {
        ok(false, "G2: %s alone: %s", name, agn_error_message());
        return;
    }
    /* copies of arguments are made by kernels that walk no strides: reckoned as if for all but
       element-wise ones */
    int64_t most = 1, bytes = 0;
    const bool dense = !s->elementwise;
    for (int o = 0; o < s->n_out; o++) {
        most = agn_numel(one[o]) > most ? agn_numel(one[o]) : most;
        bytes += bytes_of(one[o]);
    }
    for (int i = 0; i < s->c.n_in; i++)
        if (goes(s, i)) {
            b.var[b.n_var++] = i;
            most = agn_numel(b.x[i]) > most ? agn_numel(b.x[i]) : most;
            bytes += dense ? bytes_of(b.x[i]) : 0;
        }
    const int64_t lanes = ((int64_t)1 << 31) / most + 3;
    double gib = (double)bytes * (double)lanes / (1 << 30);
    if (b.n_var == 0 || gib > limit) {
        skip(b.n_var ? "G2: %s would take %.0f GiB" : "G2: %s has no argument that could be long", name,
             gib);
    } else {
        bool fine = true;
        for (int v = 0; fine && v < b.n_var; v++)
            fine = !repeated(&in[v], b.x[b.var[v]], lanes);
        fine = fine && !call_transformed(&b, vmap_all, big, in);
        ok(fine && lanes_hold(s, big, one, lanes), "G2: %s, %s, %lld lanes%s%s", name,
           agn_dtype_name(b.dtype), (long long)lanes, fine ? "" : ": ", fine ? "" : agn_error_message());
    }
    release_all(in, b.n_var);
    release_all(big, MOST_OUT);
    release_all(one, MOST_OUT);
    unbind(&b);
}

int main(void)
{
    const char *asked = getenv("AGNESI_TEST_LARGE"), *room = getenv("AGNESI_TEST_LARGE_GIB"),
               *part = getenv("AGNESI_TEST_LARGE_PART");
    const bool many = asked && !strcmp(asked, "1");
    char *slash = NULL;
    long from = part ? strtol(part, &slash, 10) : 0, step = slash && *slash ? atol(slash + 1) : 1;
    if (!many)
        skip("G2: ops of more than 2^31 elements are asked for by AGNESI_TEST_LARGE=1");
    for (int32_t id = (int32_t)from; id < agn_op_count(); id += (int32_t)(step > 0 ? step : 1)) {
        subject s;
        if (!subject_of(&s, id))
            ok(false, "G2: %s: no arguments are known", agn_op_name(id));
        else if (!s.info.vmap)
            skip("G2: %s has no lanes", s.info.name);
        else if (many && s.c.inner)
            skip("G2: %s is called through others, which would take more", s.info.name);
        else
            many ? test_op(&s, room ? atof(room) : 12) : test_far(&s);
    }
    return done();
}
