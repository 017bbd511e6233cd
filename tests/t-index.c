/* tests/t-index.c - ops that move elements: slices and views against Python's rules, gather
   and scatter against plain loops. */
#include "laws.h"

/* ---- slices ---------------------------------------------------------------------------- */

/* the elements Python visits for start:stop:step on n elements; none marks an omitted one */
static int python_slice(int64_t n, int64_t start, int64_t stop, int64_t step,
                        int64_t *at)
{
    int64_t i = start, end = stop;
    if (start == AGN_BEGIN)
        i = step > 0 ? 0 : n - 1;
    else if (start < 0)
        i = start + n < 0 ? (step > 0 ? 0 : -1) : start + n;
    else if (start >= n)
        i = step > 0 ? n : n - 1;
    if (stop == AGN_END)
        end = step > 0 ? n : -1;
    else if (stop < 0)
        end = stop + n < 0 ? -1 : stop + n;
    int count = 0;
    for (; step > 0 ? i < end && i < n : i > end && i >= 0; i += step)
        at[count++] = i;
    return count;
}

static void test_slices(void)
{
    tally t = {0}, u = {0};
    for (int64_t n = 0; n <= 6; n++) {
        double v[6] = {10, 11, 12, 13, 14, 15};
        agn_tensor *x = of_reals(AGN_F64, 1, &n, v), *y = NULL, *z = NULL;
        for (int64_t a = -8; a <= 7; a++)
            for (int64_t b = -8; b <= 7; b++)
                for (int64_t step = -7; step <= 7; step++) {
                    int64_t start = a == -8 ? AGN_BEGIN : a,
                            stop = b == -8 ? AGN_END : b, at[8];
                    if (step == 0)
                        continue;
                    int count = python_slice(n, start, stop, step, at);
                    must(agn_slice(&y, x, 1, &start, &stop, &step));
                    bool good = agn_numel(y) == count && agn_ndim(y) == 1;
                    for (int i = 0; good && i < count; i++)
                        good = peek(y, i) == v[at[i]];
                    check(&t, good, "%d elements: x[%d:%d:%d] has %d elements", (int)n,
                          (int)a, (int)b, (int)step, (int)agn_numel(y));
                    /* the assignment twin: the slice written into zeros (C6) */
                    int64_t put[3] = {count ? at[0] : 0, count > 1 ? step : 1, n};
                    must(agn_op_apply(&z, 1, "unslice", (const agn_tensor *[]){y}, 1,
                                      put, 3, NULL, 0));
                    double want[6] = {0};
                    for (int i = 0; i < count; i++)
                        want[at[i]] = v[at[i]];
                    good = agn_numel(z) == n;
                    for (int i = 0; good && i < n; i++)
                        good = peek(z, i) == want[i];
                    check(&u, good, "%d elements: assignment to [%d:%d:%d]", (int)n,
                          (int)a, (int)b, (int)step);
                    agn_release(y), agn_release(z);
                }
        agn_release(x);
    }
    tell(&t, "slice: every start, stop and step from -7 to 7 on 0 to 6 elements (C4)");
    tell(&u, "unslice: its assignment twin (C6)");

    t = (tally){0};
    int64_t far[] = {INT64_MIN + 1, -(INT64_MAX / 2), INT64_MAX / 2, INT64_MAX - 1};
    agn_tensor *x = of_reals(AGN_I32, 1, (int64_t[]){5}, (double[]){0, 1, 2, 3, 4}),
               *y = NULL;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++) {
                int64_t at[8];
                int count = 0;
                bool up = far[c] > 0;
                int64_t first = up ? (far[a] < 0 ? 0 : 5) : (far[a] < 0 ? -1 : 4);
                int64_t end = far[b] < 0 ? -1 : 5;
                if (first >= 0 && first < 5 && (up ? first < end : first > end))
                    at[count++] = first;
                must(agn_slice(&y, x, 1, &far[a], &far[b], &far[c]));
                check(&t,
                      agn_numel(y) == count && (!count || peek(y, 0) == (double)at[0]),
                      "slice with huge numbers %d %d %d", a, b, c);
                agn_release(y);
            }
    agn_release(x);
    for (int trial = 0; trial < tap_scale(2000); trial++) {
        int nd = 1 + (int)rnd_below(4), ns = (int)rnd_below(nd + 1);
        int64_t shape[4], start[4], stop[4], step[4], at[4][8], size[4];
        for (int d = 0; d < nd; d++) {
            shape[d] = rnd_below(6);
            start[d] = rnd_below(5) ? rnd_below(15) - 7 : AGN_BEGIN;
            stop[d] = rnd_below(5) ? rnd_below(15) - 7 : AGN_END;
            step[d] = rnd_below(2) ? 1 + rnd_below(3) : -1 - rnd_below(3);
            size[d] = d < ns ? python_slice(shape[d], start[d], stop[d], step[d], at[d])
                             : shape[d];
            for (int i = 0; d >= ns && i < shape[d]; i++)
                at[d][i] = i;
        }
        agn_tensor *base = random_of((int)rnd_below(AGN_NDTYPES), nd, shape, -9, 9);
        x = laid_out(base, (int)rnd_below(N_LAYOUTS));
        must(agn_slice(&y, x, ns, start, stop, step));
        bool good = has_shape(y, nd, size) && agn_dtype_of(y) == agn_dtype_of(x);
        for (int64_t i = 0; good && i < agn_numel(y); i++) {
            int64_t rest = i, from = 0, unit = 1;
            for (int d = nd - 1; d >= 0; d--) {
                from += at[d][rest % size[d]] * unit;
                unit *= shape[d];
                rest /= size[d];
            }
            good = peekz(y, i) == peekz(x, from);
        }
        check(&t, good, "slice of %s to %s", SHAPE_TEXT(x), SHAPE_TEXT(y));
        agn_release(base), agn_release(x), agn_release(y);
    }
    tell(&t, "slice: several axes, all dtypes and layouts");
}

/* ---- views ------------------------------------------------------------------------------ */

static void test_index_and_flip(void)
{
    tally t = {0};
    for (int nd = 1; nd <= 4; nd++)
        for (int layout = 0; layout < N_LAYOUTS; layout++) {
            int64_t shape[4] = {2, 3, 1, 4};
            agn_tensor *b = random_of(AGN_F32, nd, shape, -9, 9),
                       *x = laid_out(b, layout);
            agn_tensor *y = NULL;
            for (int axis = -nd; axis < nd; axis++) {
                int d = axis < 0 ? axis + nd : axis;
                int64_t inner = 1, outer = 1;
                for (int k = d + 1; k < nd; k++)
                    inner *= shape[k];
                for (int k = 0; k < d; k++)
                    outer *= shape[k];
                for (int64_t i = -shape[d]; i < shape[d]; i++) {
                    must(agn_index_axis(&y, x, axis, i));
                    bool good = agn_ndim(y) == nd - 1 && agn_numel(y) == outer * inner;
                    int64_t at = i < 0 ? i + shape[d] : i;
                    for (int64_t o = 0; good && o < outer; o++)
                        for (int64_t j = 0; good && j < inner; j++)
                            good = peek(y, o * inner + j) ==
                                   peek(x, (o * shape[d] + at) * inner + j);
                    check(&t, good, "index %d of axis %d of %s", (int)i, axis,
                          SHAPE_TEXT(x));
                    agn_release(y);
                }
                agn_tensor *none = untouched;
                for (int s = 0; s < 4; s++) {
                    int64_t bad[] = {shape[d], -shape[d] - 1, INT64_MAX, INT64_MIN};
                    char name[32];
                    snprintf(name, sizeof name, "%" PRId64, bad[s]);
                    agn_status st = agn_index_axis(&none, x, axis, bad[s]);
                    check(&t,
                          refused(st, AGN_EINDEX, "index_axis", name, SHAPE_TEXT(x), none),
                          "index %s is refused", name);
                }
            }
            for (int mask = 0; mask < 1 << nd; mask++) {
                int32_t axes[4];
                int n = 0;
                for (int d = 0; d < nd; d++)
                    if (mask >> d & 1)
                        axes[n++] = d % 2 ? d : d - nd;
                must(agn_flip(&y, x, axes, n));
                bool good = same_shapes(x, y);
                for (int64_t i = 0; good && i < agn_numel(x); i++) {
                    int64_t rest = i, from = 0, unit = 1;
                    for (int d = nd - 1; d >= 0; d--) {
                        int64_t k = rest % shape[d];
                        from += (mask >> d & 1 ? shape[d] - 1 - k : k) * unit;
                        unit *= shape[d], rest /= shape[d];
                    }
                    good = peek(y, i) == peek(x, from);
                }
                check(&t, good, "flip %d of %s", mask, SHAPE_TEXT(x));
                agn_release(y);
            }
            agn_release(x), agn_release(b);
        }
    agn_tensor *e = random_of(AGN_F64, 2, (int64_t[]){0, 3}, 0, 1), *y = NULL;
    must(agn_flip(&y, e, NULL, 0));
    check(&t, same_shapes(e, y), "flip of an empty tensor");
    agn_release(e), agn_release(y);
    e = scalar_of(AGN_F64, 4);
    must(agn_flip(&y, e, NULL, 0));
    check(&t, agn_ndim(y) == 0 && peek(y, 0) == 4, "flip of a 0-D tensor");
    agn_release(e), agn_release(y);
    tell(&t, "index and flip: every axis, index and set of axes");
}

static void test_permute(void)
{
    tally t = {0};
    int64_t shape[4] = {2, 3, 1, 4};
    for (int nd = 0; nd <= 4; nd++) {
        int perms = 1;
        for (int k = 2; k <= nd; k++)
            perms *= k;
        for (int p = 0; p < perms; p++)
            for (int layout = 0; layout < N_LAYOUTS; layout++) {
                int left[4] = {0, 1, 2, 3}, code = p;
                int32_t axes[4], named[4];
                for (int k = 0; k < nd; k++) {
                    int c = code % (nd - k);
                    code /= nd - k;
                    axes[k] = left[c];
                    named[k] = (p + k) % 2 ? axes[k] - nd : axes[k];
                    memmove(left + c, left + c + 1, (size_t)(3 - c) * sizeof *left);
                }
                agn_tensor *b = random_of(AGN_C64, nd, shape, -9, 9),
                           *x = laid_out(b, layout);
                agn_tensor *y = NULL, *back = NULL;
                must(agn_permute(&y, x, named, nd));
                bool good = agn_ndim(y) == nd;
                for (int k = 0; good && k < nd; k++)
                    good = agn_shape(y)[k] == shape[axes[k]];
                for (int64_t i = 0; good && i < agn_numel(y); i++) {
                    int64_t at[4], rest = i, from = 0;
                    for (int k = nd - 1; k >= 0; k--) {
                        at[axes[k]] = rest % agn_shape(y)[k];
                        rest /= agn_shape(y)[k];
                    }
                    for (int k = 0; k < nd; k++)
                        from = from * shape[k] + at[k];
                    good = peekz(y, i) == peekz(x, from);
                }
                check(&t, good, "permutation %d of rank %d", p, nd);
                int32_t inverse[4];
                for (int k = 0; k < nd; k++)
                    inverse[axes[k]] = k;
                must(agn_permute(&back, y, inverse, nd));
                check(&t, same_values(back, x), "and back");
                agn_release(b), agn_release(x), agn_release(y), agn_release(back);
            }
    }
    tell(&t, "permute: every permutation to rank 4");
}

static void test_reshape(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(3000); trial++) {
        int64_t shape[6], to[6], n = 1, rest;
        int nd = (int)rnd_below(5), nt = 0;
        for (int d = 0; d < nd; d++) {
            static const int64_t sizes[] = {1, 1, 2, 3, 4, 6, 0};
            shape[d] = sizes[rnd_below(trial % 10 ? 6 : 7)];
            n *= shape[d];
        }
        rest = n;
        while (nt < 5 && (rest > 1 || rnd_below(2))) {
            int64_t f = 1 + rnd_below(6);
            f = rest && rest % f == 0 ? f : 1;
            if (n == 0)
                f = nt ? rnd_below(3) : 0;
            to[nt++] = f;
            rest = n ? rest / f : 1;
        }
        if (n)
            to[nt++] = rest;
        else if (nt == 0)
            to[nt++] = 0;
        agn_tensor *b = random_of(AGN_F64, nd, shape, -9, 9),
                   *x = laid_out(b, trial % N_LAYOUTS);
        if (nd > 1 && trial % 3 == 0) { /* a permuted or sliced operand */
            agn_tensor *y = NULL;
            must(agn_transpose(&y, x));
            agn_release(x);
            x = y;
        }
        int64_t asked[6];
        memcpy(asked, to, sizeof to);
        int64_t known = 1;
        int hole = nt ? (int)rnd_below(nt) : 0;
        for (int d = 0; d < nt; d++)
            known *= d == hole ? 1 : to[d];
        if (nt && known && rnd_below(2))
            asked[hole] = -1;
        agn_tensor *y = NULL;
        must(agn_reshape(&y, x, nt, asked));
        bool good = has_shape(y, nt, to);
        for (int64_t i = 0; good && i < n; i++)
            good = peek(y, i) == peek(x, i);
        check(&t, good, "reshape %s to %s", SHAPE_TEXT(x), SHAPE_TEXT(y));
        agn_release(b), agn_release(x), agn_release(y);
    }
    /* views where strides allow */
    agn_tensor *x = random_of(AGN_F32, 3, (int64_t[]){4, 6, 5}, 0, 1), *s = NULL,
               *y = NULL;
    must(agn_slice(&s, x, 2, (int64_t[]){0, 0}, (int64_t[]){AGN_END, 3},
                   (int64_t[]){2, 1}));
    must(agn_reshape(&y, s, 3, (int64_t[]){2, 5, 3}));
    check(&t, agn_data(y) == agn_data(x),
          "merging contiguous axes of a slice is a view");
    agn_release(y);
    must(agn_reshape(&y, s, 1, (int64_t[]){30}));
    check(&t, agn_data(y) != agn_data(x), "merging across a gap copies");
    agn_release(x), agn_release(s), agn_release(y);
    tell(&t, "reshape: random shapes, layouts and -1");

    t = (tally){0};
    for (int nd = 0; nd <= 3; nd++) {
        int64_t shape[3] = {2, 1, 3};
        x = random_of(AGN_I64, nd, shape, -99, 99);
        for (int axis = -nd - 1; axis <= nd; axis++) {
            agn_tensor *z = NULL;
            must(agn_expand_dims(&y, x, axis));
            int d = axis < 0 ? axis + nd + 1 : axis;
            check(&t, agn_ndim(y) == nd + 1 && agn_shape(y)[d] == 1, "expand_dims %d",
                  axis);
            must(agn_squeeze(&z, y, d));
            check(&t, same_values(z, x), "squeeze undoes expand_dims %d", axis);
            agn_release(y), agn_release(z);
        }
        agn_release(x);
    }
    tell(&t, "expand_dims and squeeze at every place");

    t = (tally){0};
    static const struct {
        int nx, ny;
        int64_t x[4], y[4];
    } row[] = {{1, 3, {3}, {2, 4, 3}},
               {1, 2, {1}, {0, 5}},
               {0, 2, {0}, {3, 2}},
               {2, 2, {2, 1}, {2, 3}},
               {3, 4, {2, 1, 3}, {5, 2, 4, 3}},
               {0, 0, {0}, {0}},
               {2, 2, {1, 0}, {7, 0}},
               {1, 2, {2}, {3, 2}}}; /* B9 */
    for (int k = 0; k < COUNT(row); k++)
        for (int layout = 0; layout < N_LAYOUTS; layout++) {
            agn_tensor *b = random_of(AGN_F64, row[k].nx, row[k].x, 0, 1);
            x = laid_out(b, layout);
            must(agn_broadcast_to(&y, x, row[k].ny, row[k].y));
            bool good = has_shape(y, row[k].ny, row[k].y);
            for (int64_t i = 0; good && i < agn_numel(y); i++) {
                int64_t rest = i, from = 0, unit = 1;
                for (int d = row[k].ny - 1; d >= 0; d--) {
                    int e = d - (row[k].ny - row[k].nx);
                    int64_t at = rest % row[k].y[d];
                    if (e >= 0) {
                        from += row[k].x[e] == 1 ? 0 : at * unit;
                        unit *= row[k].x[e];
                    }
                    rest /= row[k].y[d];
                }
                good = peek(y, i) == peek(x, from);
            }
            check(&t, good, "broadcast %s to %s", SHAPE_TEXT(x), SHAPE_TEXT(y));
            agn_release(b), agn_release(x), agn_release(y);
        }
    tell(&t, "broadcast_to: new axes, axes of 1, empty ones (B9)");
}

/* ---- pad, concat, stack ---------------------------------------------------------------------- */

static void test_pad(void)
{
    tally t = {0};
    static const double fills[] = {0, 1, -0.0, 7, 2.5, (double)INFINITY, (double)NAN};
    for (int trial = 0; trial < tap_scale(1500); trial++) {
        int nd = (int)rnd_below(4), dtype = trial % AGN_NDTYPES;
        double fill = fills[rnd_below(kind_of(dtype) == KIND_INT ? 2 : COUNT(fills))];
        int64_t shape[3], lo[3], hi[3], full[3];
        for (int d = 0; d < nd; d++) {
            shape[d] = rnd_below(4), lo[d] = rnd_below(3), hi[d] = rnd_below(3);
            full[d] = lo[d] + shape[d] + hi[d];
        }
        agn_tensor *b = random_of(dtype, nd, shape, -9, 9),
                   *x = laid_out(b, trial % N_LAYOUTS);
        agn_tensor *y = NULL;
        must(agn_pad(&y, x, nd, lo, hi, fill));
        bool good = has_shape(y, nd, full) && agn_dtype_of(y) == dtype;
        char want[16];
        for (int64_t i = 0; good && i < agn_numel(y); i++) {
            int64_t rest = i, from = 0, unit = 1;
            bool in = true;
            for (int d = nd - 1; d >= 0; d--) {
                int64_t k = rest % full[d] - lo[d];
                in = in && k >= 0 && k < shape[d];
                from += k * unit;
                unit *= shape[d], rest /= full[d];
            }
            poke(want, dtype, fill, 0);
            good = !memcmp(in ? place(x, from) : want, place(y, i),
                           agn_dtype_size(dtype)) ||
                   (!in && isnan(fill) && isnan(peek(y, i)));
        }
        check(&t, good, "pad of %s %s by %g", agn_dtype_name(dtype), SHAPE_TEXT(x),
              fill);
        agn_release(b), agn_release(x), agn_release(y);
    }
    agn_tensor *x = random_of(AGN_I32, 1, (int64_t[]){2}, 0, 9), *y = untouched;
    check(&t,
          refused(agn_pad(&y, x, 1, (int64_t[]){1}, (int64_t[]){1}, 2.5), AGN_EDOMAIN,
                  "pad", "2.5", "i32", y),
          "a fraction into integers");
    agn_release(x);
    tell(&t, "pad: shapes, dtypes, layouts and fill values");
}

static void test_join(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(1200); trial++) {
        int nd = 1 + (int)rnd_below(3), n = 1 + (int)rnd_below(trial % 50 ? 5 : 60);
        int axis = (int)rnd_below(nd), dtype = (int)rnd_below(AGN_NDTYPES), want = -1;
        int64_t shape[3], total = 0, ends[64];
        agn_tensor *xs[64], *y = NULL;
        for (int d = 0; d < nd; d++)
            shape[d] = rnd_below(4);
        for (int i = 0; i < n; i++) {
            shape[axis] = rnd_below(4);
            total += shape[axis];
            ends[i] = total;
            int dt = trial % 2 ? dtype : (int)rnd_below(AGN_NDTYPES);
            want = want < 0 ? dt : agn_promote(want, dt);
            agn_tensor *b = random_of(dt, nd, shape, 0, 9);
            xs[i] = laid_out(b, (int)rnd_below(N_LAYOUTS));
            agn_release(b);
        }
        must(agn_concat(&y, (const agn_tensor *const *)xs, n,
                        trial % 3 ? axis : axis - nd));
        shape[axis] = total;
        bool good = has_shape(y, nd, shape) && agn_dtype_of(y) == want;
        for (int i = 0; good && i < n; i++) { /* each part is a slice of the whole */
            agn_tensor *s = NULL, *c = NULL;
            int64_t start[3] = {0, 0, 0}, stop[3] = {AGN_END, AGN_END, AGN_END};
            start[axis] = i ? ends[i - 1] : 0, stop[axis] = ends[i];
            must(agn_slice(&s, y, nd, start, stop, NULL));
            must(agn_cast(&c, xs[i], want));
            good = same_values(s, c);
            agn_release(s), agn_release(c);
        }
        check(&t, good, "concat of %d tensors to %s", n, SHAPE_TEXT(y));
        agn_release(y);
        for (int i = 0; i < n; i++)
            agn_release(xs[i]);
    }
    tell(&t, "concat: up to 60 tensors, empty ones, mixed dtypes, all axes");
    t = (tally){0};
    for (int nd = 0; nd <= 3; nd++)
        for (int axis = -nd - 1; axis <= nd; axis++)
            for (int n = 1; n <= 9; n += 4) {
                int64_t shape[3] = {2, 3, 1};
                agn_tensor *xs[9], *y = NULL;
                for (int i = 0; i < n; i++)
                    xs[i] = random_of(AGN_F64, nd, shape, -1, 1);
                must(agn_stack(&y, (const agn_tensor *const *)xs, n, axis));
                int d = axis < 0 ? axis + nd + 1 : axis;
                bool good = agn_ndim(y) == nd + 1 && agn_shape(y)[d] == n;
                for (int i = 0; good && i < n; i++) {
                    agn_tensor *s = NULL;
                    must(agn_index_axis(&s, y, d, i));
                    good = same_values(s, xs[i]);
                    agn_release(s);
                }
                check(&t, good, "stack of %d at %d", n, axis);
                agn_release(y);
                for (int i = 0; i < n; i++)
                    agn_release(xs[i]);
            }
    tell(&t, "stack: every axis, 0-D parts, one part (B14)");
}

/* ---- gather and scatter ------------------------------------------------------------------------ */

static const int index_dtypes[] = {AGN_U8, AGN_I8, AGN_I16, AGN_I32, AGN_I64};

static agn_tensor *random_index(int dtype, int nd, const int64_t *shape, int64_t n)
{
    int64_t many = count_of(nd, shape);
    double *v = room_for((size_t)many * sizeof *v);
    for (int64_t i = 0; i < many; i++)
        v[i] = (double)(n ? rnd_below(dtype == AGN_U8 ? n : 2 * n) -
                                (dtype == AGN_U8 ? 0 : n)
                          : 0);
    agn_tensor *x = of_reals(dtype, nd, shape, v);
    free(v);
    return x;
}

typedef struct places {
    int64_t batch, outer, n, m, inner;
} places;

/* where picked element (b, o, j, i) comes from in x; -1 past the end of the lot */
static int64_t source(const places *p, const agn_tensor *idx, int64_t flat)
{
    int64_t i = flat % p->inner, j = flat / p->inner % p->m;
    int64_t slab = flat / p->inner / p->m, b = slab / p->outer;
    int64_t k = peek_int(idx, b * p->m + j);
    return (slab * p->n + (k < 0 ? k + p->n : k)) * p->inner + i;
}

static void test_gather(void)
{
    tally t = {0}, u = {0}, w = {0};
    for (int trial = 0; trial < tap_scale(3000); trial++) {
        int nx = 1 + (int)rnd_below(4), axis = (int)rnd_below(nx);
        int batch = trial % 2 ? 0 : (int)rnd_below(axis + 1), extra = (int)rnd_below(3);
        int64_t xs[4], is[8], vs[8];
        int nv = 0;
        for (int d = 0; d < nx; d++)
            xs[d] = trial % 20 == 0 ? rnd_below(4) : 1 + rnd_below(4);
        for (int d = 0; d < batch; d++)
            is[d] = xs[d];
        for (int d = 0; d < extra; d++)
            is[batch + d] = rnd_below(trial % 7 ? 4 : 2) + (trial % 5 != 0);
        if (xs[axis] == 0)
            for (int d = 0; d < extra; d++)
                is[batch + d] = 0;
        if (xs[axis] == 0 && extra == 0)
            is[batch + extra++] = 0;
        int ni = batch + extra, dtype = (int)rnd_below(AGN_NDTYPES);
        places p = {1, 1, xs[axis], 1, 1};
        for (int d = 0; d < axis; d++)
            vs[nv++] = xs[d], *(d < batch ? &p.batch : &p.outer) *= xs[d];
        for (int d = 0; d < extra; d++)
            vs[nv++] = is[batch + d], p.m *= is[batch + d];
        for (int d = axis + 1; d < nx; d++)
            vs[nv++] = xs[d], p.inner *= xs[d];
        agn_tensor *b = random_of(dtype, nx, xs, 0, 9),
                   *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
        agn_tensor *bi = random_index(index_dtypes[trial % 5], ni, is, xs[axis]);
        agn_tensor *idx = laid_out(bi, (int)rnd_below(N_LAYOUTS)), *y = NULL;
        int64_t at[2] = {axis - nx, batch};
        uint64_t hx = hash_of(x), hi = hash_of(idx);
        if (batch == 0)
            must(agn_gather(&y, x, idx, trial % 3 ? axis : axis - nx));
        else
            must(agn_op_apply(&y, 1, "gather", (const agn_tensor *[]){x, idx}, 2, at, 2,
                              NULL, 0));
        bool good = has_shape(y, nv, vs) && agn_dtype_of(y) == dtype;
        for (int64_t i = 0; good && i < agn_numel(y); i++)
            good = peekz(y, i) == peekz(x, source(&p, idx, i));
        check(&t, good, "gather %s by %s, axis %d, batch %d", SHAPE_TEXT(x),
              SHAPE_TEXT(idx), axis, batch);
        /* scatters: the same places, in the order of the indices */
        agn_tensor *bv = random_of(dtype, nv, vs, 0, 9),
                   *v = laid_out(bv, (int)rnd_below(N_LAYOUTS));
        agn_tensor *put = NULL, *add = NULL;
        const agn_tensor *in[3] = {x, idx, v};
        int64_t size = agn_numel(x);
        double complex *want = room_for((size_t)size * sizeof *want);
        must(agn_op_apply(&put, 1, "scatter_put", in, 3, at, 2, NULL, 0));
        for (int64_t i = 0; i < size; i++)
            want[i] = peekz(x, i);
        for (int64_t i = 0; i < agn_numel(v); i++)
            want[source(&p, idx, i)] = peekz(v, i);
        good = same_shapes(put, x) && agn_dtype_of(put) == dtype;
        for (int64_t i = 0; good && i < size; i++)
            good = peekz(put, i) == want[i];
        check(&u, good, "scatter_put %s into %s", SHAPE_TEXT(v), SHAPE_TEXT(x));
        bool once = true; /* no place twice: said so, the answer is the same */
        for (int64_t i = 0; once && i < agn_numel(v); i++)
            for (int64_t j = 0; once && j < i; j++)
                once = source(&p, idx, i) != source(&p, idx, j);
        if (once) {
            agn_tensor *again = NULL;
            must(agn_op_apply(&again, 1, "scatter_put", in, 3, (int64_t[]){at[0], at[1], 1}, 3, NULL, 0));
            check(&u, hash_of(again) == hash_of(put), "scatter_put %s into %s, distinct", SHAPE_TEXT(v),
                  SHAPE_TEXT(x));
            agn_release(again);
        }
        bool half = dtype == AGN_F16 || dtype == AGN_BF16;
        if (dtype != AGN_BOOL && !half) {
            if (batch == 0)
                must(agn_scatter_add(&add, x, idx, v, axis));
            else
                must(agn_op_apply(&add, 1, "scatter_add", in, 3, at, 2, NULL, 0));
            for (int64_t i = 0; i < size; i++)
                want[i] = peekz(x, i);
            for (int64_t i = 0; i < agn_numel(v); i++) {
                int64_t k = source(&p, idx, i);
                want[k] += peekz(v, i);
                if (dtype == AGN_F32 || dtype == AGN_C64) /* rounds at every step */
                    want[k] = z_of(f32_of(creal(want[k])), f32_of(cimag(want[k])));
            }
            good = same_shapes(add, x) && agn_dtype_of(add) == dtype;
            for (int64_t i = 0; good && i < size; i++)
                good = peekz(add, i) == want[i];
            check(&w, good, "scatter_add %s %s into %s", agn_dtype_name(dtype),
                  SHAPE_TEXT(v), SHAPE_TEXT(x));
        }
        check(&t, hash_of(x) == hx && hash_of(idx) == hi, "inputs changed");
        free(want);
        agn_release(b), agn_release(x), agn_release(bi), agn_release(idx),
            agn_release(y);
        agn_release(bv), agn_release(v), agn_release(put), agn_release(add);
    }
    tell(
        &t,
        "gather: axes, shared leading axes, index dtypes, layouts, empty indices (B7)");
    tell(&u, "scatter_put: the last of equal indices wins");
    tell(&w, "scatter_add: equal indices add, in their order (H27)");

    t = (tally){0};
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 4; k++) {
            int64_t bad[] = {-n - 1, n, INT64_MIN, INT64_MAX}, at[3] = {0, 0, bad[k]};
            if (n == 0)
                at[0] = at[1] = bad[k];
            char name[32];
            snprintf(name, sizeof name, "%" PRId64, bad[k]);
            agn_tensor *x = random_of(AGN_F32, 1, (int64_t[]){n}, 0, 1), *idx = NULL,
                       *y = untouched;
            agn_tensor *v = random_of(AGN_F32, 1, (int64_t[]){3}, 0, 1);
            must(agn_from_host(&idx, AGN_I64, 1, (int64_t[]){3}, at));
            const char *place = n ? "place 2" : "place 0";
            check(&t,
                  refused(agn_gather(&y, x, idx, 0), AGN_EINDEX, "gather", name, place,
                          y),
                  "gather %s", name);
            check(&t,
                  refused(agn_take_along_axis(&y, x, idx, 0), AGN_EINDEX,
                          "take_along_axis", name, place, y),
                  "take_along_axis %s", name);
            check(&t,
                  refused(agn_scatter_add(&y, x, idx, v, 0), AGN_EINDEX, "scatter_add",
                          name, place, y),
                  "scatter_add %s", name);
            check(&t,
                  refused(agn_index_put(&y, x, AGN_IX(agn_ix_array(idx)), v), AGN_EINDEX, "index_put",
                          name, place, y),
                  "index_put %s", name);
            agn_release(x), agn_release(v), agn_release(idx);
        }
    tell(&t, "an index out of range is named, and nothing is written (C14)");
}

static void test_along(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(1500); trial++) {
        int nd = 1 + (int)rnd_below(4), axis = (int)rnd_below(nd);
        int64_t xs[4], is[4], inner = 1;
        for (int d = 0; d < nd; d++)
            xs[d] = is[d] = 1 + rnd_below(4);
        is[axis] = rnd_below(9); /* may be longer than the axis (A18) */
        for (int d = axis + 1; d < nd; d++)
            inner *= xs[d];
        agn_tensor *b = random_of(trial % AGN_NDTYPES, nd, xs, -9, 9);
        agn_tensor *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
        agn_tensor *bi = random_index(index_dtypes[trial % 5], nd, is, xs[axis]);
        agn_tensor *idx = laid_out(bi, (int)rnd_below(N_LAYOUTS)), *y = NULL;
        must(agn_take_along_axis(&y, x, idx, trial % 2 ? axis : axis - nd));
        bool good = same_shapes(y, idx) && agn_dtype_of(y) == agn_dtype_of(x);
        for (int64_t i = 0; good && i < agn_numel(y); i++) {
            int64_t o = i / inner / is[axis], j = i % inner, k = peek_int(idx, i);
            good = peekz(y, i) ==
                   peekz(x, (o * xs[axis] + (k < 0 ? k + xs[axis] : k)) * inner + j);
        }
        check(&t, good, "take %s along axis %d of %s", SHAPE_TEXT(idx), axis,
              SHAPE_TEXT(x));
        agn_release(b), agn_release(x), agn_release(bi), agn_release(idx),
            agn_release(y);
    }
    tell(&t, "take_along_axis: axes, lengths, layouts");
}

static void test_index_put(void)
{
    tally t = {0};
    for (int trial = 0; trial < tap_scale(2000); trial++) {
        int nx = 1 + (int)rnd_below(4), n = 1 + (int)rnd_below(nx),
            ni = (int)rnd_below(3);
        int64_t xs[4], is[3], vs[8], rows, inner = 1;
        int nv = 0, dtype = trial % AGN_NDTYPES;
        for (int d = 0; d < nx; d++)
            xs[d] = 1 + rnd_below(4);
        for (int d = 0; d < ni; d++)
            vs[nv++] = is[d] = rnd_below(trial % 9 ? 4 : 2) + (trial % 4 != 0);
        for (int d = n; d < nx; d++)
            vs[nv++] = xs[d], inner *= xs[d];
        rows = count_of(ni, is);
        agn_tensor *b = random_of(dtype, nx, xs, 0, 9),
                   *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
        agn_tensor *idx[4], *wide[4], *y = NULL;
        for (int k = 0; k < n; k++) {
            int64_t some[3];
            for (int d = 0; d < ni; d++)
                some[d] = k && rnd_below(3) == 0 ? 1 : is[d]; /* tuples broadcast */
            idx[k] = random_index(index_dtypes[rnd_below(5)], ni, some, xs[k]);
            must(agn_broadcast_to(&wide[k], idx[k], ni, is));
        }
        int64_t some[8];
        int from = trial % 3 == 0 && nv ? (int)rnd_below(nv) : 0; /* values broadcast */
        for (int d = 0; d < nv; d++)
            some[d] = rnd_below(5) == 0 ? 1 : vs[d];
        agn_tensor *v = random_of(dtype, nv - from, some + from, 0, 9), *all = NULL;
        must(agn_broadcast_to(&all, v, nv, vs));
        agn_ix entries[4];
        for (int k = 0; k < n; k++)
            entries[k] = agn_ix_array(idx[k]);
        must(agn_index_put(&y, x, entries, n, v));
        int64_t size = agn_numel(x);
        double complex *want = room_for((size_t)size * sizeof *want);
        for (int64_t i = 0; i < size; i++)
            want[i] = peekz(x, i);
        for (int64_t r = 0; r < rows; r++) {
            int64_t at = 0;
            for (int k = 0; k < n; k++) {
                int64_t i = peek_int(wide[k], r);
                at = at * xs[k] + (i < 0 ? i + xs[k] : i);
            }
            for (int64_t j = 0; j < inner; j++)
                want[at * inner + j] = peekz(all, r * inner + j);
        }
        bool good = same_shapes(y, x) && agn_dtype_of(y) == dtype;
        for (int64_t i = 0; good && i < size; i++)
            good = peekz(y, i) == want[i];
        check(&t, good, "index_put of %s into %s by %d indices", SHAPE_TEXT(v),
              SHAPE_TEXT(x), n);
        free(want);
        for (int k = 0; k < n; k++)
            agn_release(idx[k]), agn_release(wide[k]);
        agn_release(b), agn_release(x), agn_release(v), agn_release(all),
            agn_release(y);
    }
    tell(
        &t,
        "index_put: index tuples and values that broadcast, the last of equal tuples wins");
    /* out of range in one axis does not land inside by way of another */
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){3, 4}, 0, 1),
               *v = scalar_of(AGN_F64, 5);
    agn_tensor *i = scalar_of(AGN_I64, 0), *j = scalar_of(AGN_I64, 5), *y = untouched;
    ok(refused(agn_index_put(&y, x, AGN_IX(agn_ix_array(i), agn_ix_array(j)), v), AGN_EINDEX, "index_put", "index 5",
               "axis 1", y),
       "index (0, 5) is outside [3,4]");
    agn_release(x), agn_release(v), agn_release(i), agn_release(j);
}

static void test_large(void)
{
    /* beyond the size at which work is spread over threads */
    agn_tensor *x = random_of(AGN_F64, 3, (int64_t[]){16, 100, 8}, -1, 1), *y = NULL;
    agn_tensor *idx = random_index(AGN_I64, 1, (int64_t[]){3000}, 100);
    must(agn_gather(&y, x, idx, 1));
    places p = {1, 16, 100, 3000, 8};
    bool good = true;
    for (int64_t i = 0; good && i < agn_numel(y); i++)
        good = peek(y, i) == peek(x, source(&p, idx, i));
    ok(good, "a gather of 384000 elements");
    uint64_t h = hash_of(y);
    for (int n = 1; n <= 8; n = n == 3 ? 8 : n + 1) {
        agn_tensor *z = NULL;
        must(agn_threads_set(n));
        must(agn_gather(&z, x, idx, 1));
        good = good && hash_of(z) == h;
        agn_release(z);
    }
    must(agn_threads_set(0));
    ok(good, "is the same for 1, 2, 3 and 8 threads");
    agn_release(x), agn_release(y), agn_release(idx);
    x = random_of(AGN_F64, 2, (int64_t[]){257, 129}, -1, 1);
    agn_tensor *tr = NULL;
    must(agn_transpose(&tr, x));
    must(agn_copy(&y, tr));
    good = true;
    for (int i = 0; i < 129; i++)
        for (int j = 0; j < 257; j++)
            good = good && peek(y, i * 257 + j) == peek(x, j * 129 + i);
    ok(good && agn_is_contiguous(y), "a large transposed copy");
    agn_release(x), agn_release(y), agn_release(tr);
}

int main(void)
{
    test_slices();
    test_index_and_flip();
    test_permute();
    test_reshape();
    test_pad();
    test_join();
    test_gather();
    test_along();
    test_index_put();
    test_large();
    int64_t blocks = -1;
    agn_memory_live(NULL, &blocks, NULL);
    diag("blocks alive at the end: %d", (int)blocks);
    return done();
}
