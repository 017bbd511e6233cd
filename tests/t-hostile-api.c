/* tests/t-hostile-api.c - public functions with numbers, arrays and pointers no user would
 * give them: NULL, axis INT32_MIN, n = -1, rank 33, sizes of 2^62; see hostile.h. */
#include "hostile.h"

static agn_tensor *const untouched = (agn_tensor *)(void *)&round_seed;

/* numbers of axes and operands; arrays below have 40 members */
static int32_t count(void)
{
    static const int32_t odd[] = {-1, 33, 34, INT32_MIN, 40, -33};
    return one_in(6) ? odd[below(6)] : below(4);
}
static int32_t axis(void)
{
    static const int32_t odd[] = {INT32_MIN, INT32_MAX, 33, -33, 4, -5};
    return one_in(5) ? odd[below(6)] : below(6) - 3;
}
static agn_dtype dtype_of(void)
{
    static const int odd[] = {-1, AGN_NDTYPES, INT32_MAX, INT32_MIN};
    return (agn_dtype)(one_in(20) ? odd[below(4)] : one_in(2) ? AGN_F64 : below(AGN_NDTYPES));
}

enum { XS = 40 };
static agn_tensor *x[XS];
static int64_t size[XS], more[XS], third[XS];
static int32_t axes[XS * XS];

static const agn_tensor *one(void)
{
    return one_in(40) ? NULL : x[below(4)];
}
/* an index of 70 entries: more than there can be */
static const agn_ix *entries(void)
{
    static agn_ix e[70];
    for (int i = 0; i < 70; i++) {
        e[i] = (agn_ix){one_in(30) ? axis() : below(5), integer(), integer(), integer(), one()};
        if (e[i].kind == AGN_IX_ELLIPSIS && !one_in(4))
            e[i] = agn_ix_new();
    }
    return one_in(30) ? NULL : e;
}
static const char *index_text(void)
{
    static const char *const piece[] = {"1",  ":",  "-", "...", "None", "[0, 1]", ",",   ", ",
                                        "[]", "::", "0", " ",   "True", "False",  "-1:", "x"};
    static char text[64];
    text[0] = 0;
    for (int k = below(9); k > 0; k--)
        strcat(text, piece[below(16)]);
    return one_in(30) ? NULL : text;
}
static const int64_t *sizes(int64_t *of)
{
    return one_in(40) ? NULL : of;
}
static const int32_t *few(void)
{
    return one_in(10) ? NULL : axes;
}

/* what succeeded is looked at, in order, and released */
static void seen(agn_status st, agn_tensor **y, int n, const char *of)
{
    judge(st, of);
    for (int i = 0; i < n; i++)
        if (!st) {
            judge_result(y[i], of);
            agn_release(y[i]);
        } else if (y[i] != untouched) {
            fault("wrote a result it did not give", of);
        }
}
#define TRY(call_)                          \
    do {                                    \
        agn_tensor *y = untouched;          \
        forget();                           \
        agn_status st = call_;              \
        seen(st, &y, 1, #call_);            \
    } while (0)

static void creation(void)
{
    double data[4] = {1, 2, 3, 4};
    int64_t small[XS];
    for (int i = 0; i < XS; i++)
        small[i] = size[i] > 2 || size[i] < 0 ? size[i] : i < 2 ? size[i] : 1;
    int32_t n = count();
    bool fits = n >= 0 && n < 3; /* at most four elements, of at most eight bytes */
    for (int i = 0; fits && i < n; i++)
        fits = small[i] <= 2;
    if (fits)
        TRY(agn_from_host(&y, (agn_dtype)below(AGN_F64 + 1), n, sizes(small),
                          one_in(9) ? NULL : data));
    TRY(agn_empty(&y, dtype_of(), count(), sizes(size), one_in(9) ? axis() : 0));
    TRY(agn_full(&y, dtype_of(), count(), sizes(size), real()));
    TRY(agn_full_i64(&y, dtype_of(), count(), sizes(size), integer()));
    TRY(agn_arange(&y, dtype_of(), real(), real(), real()));
    TRY(agn_linspace(&y, dtype_of(), real(), real(), integer()));
    TRY(agn_eye(&y, dtype_of(), integer(), integer(), integer()));
    TRY(agn_lit(&y, real()));
    TRY(agn_uniform(&y, one(), dtype_of(), count(), sizes(size)));
    TRY(agn_normal(&y, one(), dtype_of(), count(), sizes(size)));
    TRY(agn_wrap_host(&y, dtype_of(), -1, size, more, data, false, NULL, NULL));
    TRY(agn_wrap_host(&y, AGN_F64, 33, size, more, data, false, NULL, NULL));
    TRY(agn_wrap_host(&y, AGN_F64, 1, size, NULL, NULL, false, NULL, NULL));
    TRY(agn_wrap_host(&y, AGN_F64, 0, NULL, NULL, (char *)data + 1, false, NULL, NULL));
    TRY(agn_wrap_host(&y, AGN_F64, 0, NULL, NULL, data, true, NULL, NULL));
}

static void moving(void)
{
    TRY(agn_reshape(&y, one(), count(), sizes(size)));
    TRY(agn_permute(&y, one(), few(), count()));
    TRY(agn_transpose(&y, one()));
    TRY(agn_expand_dims(&y, one(), axis()));
    TRY(agn_squeeze(&y, one(), axis()));
    /* a view of 2^62 elements is lawful and not read here */
    TRY(agn_broadcast_to(&y, one(), count(), sizes(size)));
    TRY(agn_slice(&y, one(), count(), sizes(size), sizes(more), one_in(4) ? NULL : third));
    TRY(agn_index_axis(&y, one(), axis(), integer()));
    TRY(agn_flip(&y, one(), few(), count()));
    TRY(agn_pad(&y, one(), count(), sizes(size), sizes(more), real()));
    TRY(agn_concat(&y, one_in(20) ? NULL : (const agn_tensor *const *)x, count(), axis()));
    TRY(agn_stack(&y, one_in(20) ? NULL : (const agn_tensor *const *)x, count(), axis()));
    TRY(agn_gather(&y, one(), one(), axis()));
    TRY(agn_take_along_axis(&y, one(), one(), axis()));
    TRY(agn_scatter_add(&y, one(), one(), one(), axis()));
    TRY(agn_index(&y, one(), entries(), count()));
    TRY(agn_index_put(&y, one(), entries(), count(), one()));
    TRY(agn_index_add(&y, one(), entries(), count(), one()));
    TRY(agn_index_str(&y, one(), index_text()));
    TRY(agn_index_put_str(&y, one(), index_text(), one()));
    TRY(agn_index_add_str(&y, one(), index_text(), one()));
    TRY(agn_as_strided(&y, one(), count(), sizes(size), sizes(more), integer()));
    TRY(agn_unfold(&y, one(), axis(), integer(), integer()));
    TRY(agn_diagonal(&y, one(), integer(), axis(), axis()));
    TRY(agn_tril(&y, one(), integer()));
    TRY(agn_triu(&y, one(), integer()));
    TRY(agn_flatten(&y, one(), axis(), axis()));
    TRY(agn_unflatten(&y, one(), axis(), count(), sizes(size)));
    TRY(agn_moveaxis(&y, one(), few(), few(), count()));
    TRY(agn_swapaxes(&y, one(), axis(), axis()));
    TRY(agn_roll(&y, one(), sizes(size), few(), count()));
    TRY(agn_rot90(&y, one(), integer(), axis(), axis()));
    TRY(agn_crop(&y, one(), count(), sizes(size), sizes(more)));
    TRY(agn_delete(&y, one(), one(), axis()));
    TRY(agn_insert(&y, one(), one(), one(), axis()));
    TRY(agn_put_along_axis(&y, one(), one(), one(), axis()));
    TRY(agn_scatter_reduce(&y, one(), one(), one(), axis(), count(), one_in(2)));
    TRY(agn_index_reduce(&y, one(), one(), one(), axis(), count(), one_in(2)));
    TRY(agn_gather_nd(&y, one(), one()));
    TRY(agn_scatter_nd_add(&y, one(), one(), one()));
    TRY(agn_take(&y, one(), one(), count()));
    TRY(agn_masked_scatter(&y, one(), one(), one()));
    TRY(agn_compress(&y, one(), one(), axis()));
    TRY(agn_bitcast(&y, one(), dtype_of()));
    TRY(agn_cast(&y, one(), dtype_of()));
    TRY(agn_to_device(&y, one(), axis()));
}

static void computing(void)
{
    static const char *const spec[] = {"ij,jk->ik", "", "...", "->", "ij->ji", "i,i", "ii->i",
                                       "...i,...i->...", "a->b", ",", "i->ii", "ij,jk", "\xff", NULL};
    TRY(agn_sum(&y, one(), few(), count(), one_in(2)));
    TRY(agn_mean(&y, one(), few(), count(), one_in(2)));
    TRY(agn_prod(&y, one(), few(), count(), one_in(2)));
    TRY(agn_max(&y, one(), few(), count(), one_in(2)));
    TRY(agn_logsumexp(&y, one(), few(), count(), one_in(2)));
    TRY(agn_argmax(&y, one(), axis(), one_in(2)));
    TRY(agn_cumsum(&y, one(), axis()));
    TRY(agn_sort(&y, one(), axis(), one_in(2)));
    TRY(agn_argsort(&y, one(), axis(), one_in(2)));
    TRY(agn_matmul(&y, one(), one()));
    TRY(agn_einsum(&y, spec[below(14)], (const agn_tensor *const *)x, count()));
    TRY(agn_polygamma(&y, one(), axis()));
    TRY(agn_where(&y, one(), one(), one()));
    TRY(agn_pow_c(&y, one(), real()));
    TRY(agn_key(&y, NULL));
    TRY(agn_key_fold(&y, one(), one()));
    TRY(agn_watch(&y, one()));
    TRY(agn_fft_rfft(&y, one(), integer(), axis(), count()));
    TRY(agn_fft_irfft(&y, one(), integer(), axis(), count()));
}

static agn_status identity(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)user;
    out[0] = in[0];
    return agn_scope_status(s);
}

/* a function of n arguments, where making one gave it; NULL otherwise */
static agn_fn *made(agn_status st, agn_fn *f, const char *of)
{
    judge(st, of);
    if (st ? f != NULL : f == NULL)
        fault("the status does not fit the function", of);
    return f;
}
#define MAKE(call_)                               \
    do {                                          \
        agn_fn *g = NULL;                         \
        forget();                                 \
        agn_status st = call_;                    \
        g = made(st, g, #call_);                  \
        if (g && (agn_fn_n_in(g) < 0 || agn_fn_n_out(g) < 1)) \
            fault("impossible numbers of arguments", #call_); \
        if (g && agn_fn_n_in(g) <= XS && agn_fn_n_out(g) == 1) { \
            agn_tensor *y = untouched;            \
            forget();                             \
            seen(agn_fn_call(&y, 1, g, (const agn_tensor *const *)x, agn_fn_n_in(g)), &y, 1, #call_); \
        }                                         \
        agn_fn_release(g);                        \
    } while (0)

static void functions(void)
{
    agn_fn *f = NULL;
    int32_t n = one_in(4) ? (one_in(2) ? 1 << 20 : INT32_MAX - below(2)) : 1 + below(3), m = one_in(9) ? INT32_MAX : 1;
    agn_status is = agn_fn_new(&f, identity, NULL, NULL, n, m);
    if (!made(is, f, "fn_new"))
        return;
    MAKE(agn_fn_new(&g, identity, NULL, NULL, axis(), axis()));
    if (n < 4 && m == 1) { /* axes[] has forty members */
        MAKE(agn_fn_vmap(&g, f, few(), agn_fn_n_in(f), few(), agn_fn_n_out(f)));
        MAKE(agn_fn_jacobian(&g, f, axis()));
        MAKE(agn_fn_hessian(&g, f, axis()));
    }
    MAKE(agn_fn_grad(&g, f, few(), count()));
    MAKE(agn_fn_value_and_grad(&g, f, few(), count()));
    MAKE(agn_fn_hvp(&g, f, few(), count()));
    MAKE(agn_fn_jvp(&g, f));
    MAKE(agn_fn_vjp(&g, f));
    MAKE(agn_fn_jet(&g, f, one_in(3) ? 64 : axis()));
    MAKE(agn_fn_partials(&g, f, axis(), few(), count(), count()));
    MAKE(agn_fn_checkpoint(&g, f));
    MAKE(agn_fn_cond(&g, f, f));
    MAKE(agn_fn_scan(&g, f, axis(), 0, below(9) - 2, one_in(2)));
    MAKE(agn_fn_compile(&g, f, &(agn_compile_options){.size = (size_t)below(64)}));
    agn_fn_release(f);
}

static void asking(void)
{
    agn_tensor *g[3] = {untouched, untouched, untouched}, *w = NULL, *w2 = NULL;
    const agn_tensor *a = x[0];
    if (!agn_watch(&w, a) && !agn_square(&w2, w)) {
        const agn_tensor *ys[3] = {w2, one_in(2) ? w : one(), one()};
        const agn_tensor *xs[3] = {w, one_in(2) ? w2 : one(), one()};
        const agn_tensor *ct[3] = {one(), NULL, one()};
        int ny = count(), nx = count();
        if (ny > 3)
            ny = 3;
        if (nx > 3)
            nx = 3;
        forget();
        agn_status st = agn_gradient(g, ys, ny, xs, nx, one_in(2) ? NULL : ct);
        seen(st, g, st ? 3 : nx, "gradient");
    }
    agn_release(w);
    agn_release(w2);
    double d = 0;
    int64_t k = 0;
    char text[64];
    size_t need = 0;
    void *p = NULL;
    unsigned char bytes[64];
    agn_status all[] = {agn_item_f64(&d, one()), agn_item_i64(&k, one()),
                        agn_to_host(bytes, one(), (size_t)below(65)),
                        agn_format(text, (size_t)below(65), &need, one()),
                        agn_data_mut(&p, (agn_tensor *)(uintptr_t)one())};
    for (int i = 0; i < 5; i++)
        tried++, worked += !all[i];
    if (agn_ndim(NULL) > 0 || agn_numel(NULL) > 0 || agn_shape(NULL) || agn_strides(NULL) ||
        agn_data(NULL) || agn_is_watched(NULL) || agn_is_symbolic(NULL) || agn_retain(NULL) ||
        agn_op_name(axis() | INT32_MIN) || agn_op_name(INT32_MAX) ||
        agn_dtype_size((agn_dtype)-1) || agn_dtype_size((agn_dtype)INT32_MAX))
        fault("has properties", "NULL");
    agn_release(NULL);
    agn_fn_release(NULL);
}

static void one_round(void)
{
    static void (*const part[])(void) = {creation, moving, computing, functions, asking};
    choose_base();
    int dtype = one_in(2) ? -1 : AGN_F64;
    for (int i = 0; i < XS; i++) {
        x[i] = i < 4 ? operand(i == 1 ? AGN_I64 : dtype) : agn_retain(x[i % 4]);
        size[i] = one_in(2) ? below(3) : integer();
        more[i] = one_in(2) ? below(3) : integer();
        third[i] = one_in(2) ? 1 : integer();
    }
    for (int i = 0; i < XS * XS; i++)
        axes[i] = one_in(2) ? i % XS : one_in(2) ? below(3) : axis();
    part[below(5)]();
    for (int i = 0; i < XS; i++)
        agn_release(x[i]);
}

int main(int argc, char **argv)
{
    return hostile_main(argc, argv, one_round);
}
