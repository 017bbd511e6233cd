/* tools/measure.c - questions of the op table that need no derivative.

   eval   against an independent formula, on numbers of the op's test domain
   vmap   three lanes at once against one after the other
   cpu    operands that lie backwards and with gaps in memory against contiguous ones
   cuda   the device against the host                                                */
#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- eval ------------------------------------------------------------------------ */

static bool has_shape(const agn_tensor *y, const shape *h)
{
    return agn_ndim(y) == h->ndim &&
           !memcmp(agn_shape(y), h->size, (size_t)h->ndim * sizeof *h->size);
}

static void expect(const subject *s, int dtype, wide *const *x, wide *y)
{
    if (!s->elementwise) {
        s->c.want(&s->c, dtype, x, y);
        return;
    }
    for (int64_t k = 0; k < shape_count(&s->c.out); k++) {
        wide a = x[0][k], b = s->c.n_in > 1 ? x[1][k % s->c.in[1].size[0]] : 0;
        wide w = s->c.n_in > 2 ? x[2][k] : 0;
        y[k] = s->f.real && !is_complex(dtype)
                   ? s->f.real(creall(a), creall(b), creall(w))
                   : s->f.cplx(a, b, w);
    }
}

static void check_eval(answer *a, const subject *s, int dtype, agn_tensor *const *x,
                       const agn_tensor *y)
{
    static wide values[MOST_ARGS + 2][LANES * MOST_ELEMENTS];
    wide *in[MOST_ARGS], *have = values[MOST_ARGS], *want = values[MOST_ARGS + 1];
    agn_status st = read_wide(have, y);
    for (int i = 0; i < MOST_ARGS; i++) {
        in[i] = values[i];
        if (!st && i < s->c.n_in)
            st = read_wide(in[i], x[i]);
    }
    if (st) {
        fail(a, "reading");
        return;
    }
    expect(s, dtype, in, want);
    for (int64_t k = 0; k < agn_numel(y); k++)
        note_error(a, have[k], agn_dtype_of(y) == AGN_BOOL ? want[k] != 0 : want[k]);
}

void ask_eval(answer *a, const subject *s, int dtype)
{
    static const double allowed[AGN_NDTYPES] = {
        [AGN_F32] = 1e-6, [AGN_F64] = 4e-15, [AGN_C64] = 2e-6, [AGN_C128] = 4e-15};
    static const double eps[AGN_NDTYPES] = {[AGN_F32] = 0x1p-23, [AGN_F64] = 0x1p-52};
    if (!(s->info.dtypes >> dtype & 1)) {
        a->why = NO_DTYPE;
        return;
    }
    if (s->elementwise && (is_complex(dtype) || !s->f.real) && !s->f.cplx) {
        a->why = NO_FORMULA;
        return;
    }
    a->allowed = allowed[dtype];
    if (s->elementwise && eps[dtype] > 0)
        a->allowed = fmax(1, s->f.ulp[dtype == AGN_F64]) * eps[dtype];
    agn_tensor *x[MOST_ARGS], *y[MOST_OUT] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    if (apply(y, s, dtype, borrow(x)))
        fail(a, "eval");
    else if (!has_shape(y[0], &s->c.out)) {
        a->failed = true;
        snprintf(a->message, sizeof a->message, "eval: the result has another shape");
    } else
        check_eval(a, s, dtype, x, y[0]);
    release_all(y, MOST_OUT);
    release_all(x, s->c.n_in);
}

/* ---- lanes ----------------------------------------------------------------------- */

/* the arguments number i of all lanes along a new first axis */
static agn_status stack(agn_tensor **out, const bound *lanes, int i)
{
    char data[LANES * MOST_ELEMENTS * 16];
    const agn_tensor *x = lanes[0].x[i];
    size_t bytes = (size_t)agn_numel(x) * agn_dtype_size(agn_dtype_of(x));
    int64_t size[MOST_AXES + 1] = {LANES};
    agn_status st = AGN_OK;
    for (int d = 0; d < agn_ndim(x); d++)
        size[d + 1] = agn_shape(x)[d];
    for (int l = 0; !st && l < LANES; l++)
        st = agn_to_host(data + (size_t)l * bytes, lanes[l].x[i], bytes);
    return st ? st : agn_from_host(out, agn_dtype_of(x), agn_ndim(x) + 1, size, data);
}

static bool compare_lanes(answer *a, const bound *lanes, const agn_tensor *y)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    int64_t n = agn_numel(y) / LANES;
    bool fine = !read_wide(have, y);
    for (int l = 0; fine && l < LANES; l++) {
        agn_tensor *one[MOST_OUT] = {NULL};
        fine = !apply(one, lanes[l].s, lanes[l].dtype, borrow(lanes[l].x)) &&
               agn_numel(one[0]) == n && !read_wide(want, one[0]);
        for (int64_t k = 0; fine && k < n; k++)
            note_error(a, have[l * n + k], want[k]);
        release_all(one, MOST_OUT);
    }
    return fine;
}

static agn_status vmap_all(agn_fn **out, const agn_fn *f)
{
    return agn_fn_vmap(out, f, NULL, 0, NULL, 0);
}

void ask_vmap(answer *a, const subject *s, int k)
{
    (void)k;
    if (!s->info.vmap) {
        a->why = NO_RULE;
        return;
    }
    a->allowed = 1e-14;
    bound lanes[LANES] = {{.s = s}, {.s = s}, {.s = s}};
    agn_tensor *in[MOST_ARGS] = {NULL}, *out[MOST_OUT] = {NULL};
    bool fine = true;
    for (int l = 0; l < LANES; l++)
        fine = fine && !bind(&lanes[l], s, true, l);
    for (int i = 0; fine && i < s->c.n_in; i++)
        fine = !stack(&in[i], lanes, i);
    fine = fine && !call_transformed(&lanes[0], vmap_all, out, in) &&
           compare_lanes(a, lanes, out[0]);
    if (!fine)
        fail(a, "vmap");
    for (int l = 0; l < LANES; l++)
        unbind(&lanes[l]);
    release_all(out, MOST_OUT);
    release_all(in, MOST_ARGS);
}

/* ---- other memory ---------------------------------------------------------------- */

/* the op on other arguments gives the same */
static void compare_with(answer *a, const subject *s, int dtype, agn_tensor *const *x,
                         agn_tensor *const *other)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    agn_tensor *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
    if (apply(y, s, dtype, borrow(x)) || apply(z, s, dtype, borrow(other)) ||
        read_wide(want, y[0]) || read_wide(have, z[0]) ||
        agn_numel(y[0]) != agn_numel(z[0]))
        fail(a, "other memory");
    for (int64_t k = 0; !a->failed && k < agn_numel(y[0]); k++)
        note_error(a, have[k], want[k]);
    release_all(z, MOST_OUT);
    release_all(y, MOST_OUT);
}

/* the elements backwards, with gaps of one element between them that hold nonsense */
static agn_status backwards(agn_tensor **out, const agn_tensor *x, char *memory)
{
    char data[MOST_ELEMENTS * 16];
    size_t size = agn_dtype_size(agn_dtype_of(x)), n = (size_t)agn_numel(x);
    int64_t stride[MOST_AXES], step = -2;
    agn_status st = agn_to_host(data, x, n * size);
    if (st)
        return st;
    memset(memory, 1, 2 * n * size);
    for (size_t k = 0; k < n; k++)
        memcpy(memory + 2 * (n - 1 - k) * size, data + k * size, size);
    for (int d = agn_ndim(x) - 1; d >= 0; d--) {
        stride[d] = step;
        step *= agn_shape(x)[d];
    }
    return agn_wrap_host(out, agn_dtype_of(x), agn_ndim(x), agn_shape(x), stride,
                         memory + 2 * (n - 1) * size, true, NULL, NULL);
}

void ask_cpu(answer *a, const subject *s, int k)
{
    (void)k;
    if (!s->info.cpu) {
        a->why = NO_KERNEL;
        return;
    }
    static _Alignas(16) char memory[MOST_ARGS][2 * MOST_ELEMENTS * 16];
    int dtype = main_dtype(s);
    a->allowed = 1e-15;
    agn_tensor *x[MOST_ARGS], *other[MOST_ARGS] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = backwards(&other[i], x[i], memory[i]);
    if (st)
        fail(a, "arguments");
    else
        compare_with(a, s, dtype, x, other);
    release_all(other, MOST_ARGS);
    release_all(x, s->c.n_in);
}

static void on_device(answer *a, const subject *s, int32_t device)
{
    int dtype = main_dtype(s);
    a->allowed = 1e-14;
    agn_tensor *x[MOST_ARGS], *other[MOST_ARGS] = {NULL}, *y[MOST_OUT] = {NULL};
    if (make_arguments(x, s, dtype, 0)) {
        fail(a, "arguments");
        return;
    }
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < s->c.n_in; i++)
        st = agn_to_device(&other[i], x[i], device);
    if (!st)
        st = apply(y, s, dtype, borrow(other));
    if (st == AGN_EUNSUPPORTED || (st == AGN_EDEVICE && strstr(agn_error_message(), "not on the host")))
        a->why = NO_KERNEL;
    else if (st)
        fail(a, "device");
    else
        compare_with(a, s, dtype, x, other);
    release_all(y, MOST_OUT);
    release_all(other, MOST_ARGS);
    release_all(x, s->c.n_in);
}

void ask_cuda(answer *a, const subject *s, int k)
{
    (void)k;
    int32_t device = -1;
    if (agn_backend_status("cuda", NULL) < 1 || agn_device_find(&device, "cuda"))
        a->why = NO_DEVICE;
    else
        on_device(a, s, device);
}
