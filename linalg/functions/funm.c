/* linalg/functions/funm.c - functions of matrices that the user gives as functions of numbers
   (Davies & Higham 2003): the ops of the ordered Schur form and of Parlett's recurrence, and the
   function made of them, whose derivative is a block of the same function of a matrix twice as
   large (Mathias 1996; Higham 2008, 3.1). */
#include "linalg/linalg.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/autograd.h>
#include <agnesi/control.h>
#include <agnesi/linalg.h>
#include <math.h>
#include <string.h>

/* ---- records ---------------------------------------------------------------------- */

static agn_status infer_spectrum(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    st = st ? st : agni_infer_same(c);
    if (!st) {
        c->meta[1] = c->meta[2] = c->meta[0];
        c->meta[2].ndim--;
    }
    return st;
}

static agn_status infer_parlett(agni_call *c)
{
    const agn_tensor *t = c->in[0], *m = c->in[1], *f = c->in[2];
    agn_status st = agni_check_square(c->op->name, t);
    if (st)
        return st;
    if (m->ndim != t->ndim - 1 || f->ndim != t->ndim ||
        memcmp(m->shape, t->shape, (size_t)m->ndim * sizeof *t->shape) ||
        memcmp(f->shape, t->shape, (size_t)m->ndim * sizeof *t->shape) || f->shape[f->ndim - 1] < 1)
        return agni_fail(AGN_ESHAPE,
                         "%s: sizes differ: t is %s, the centres are %s, the coefficients %s",
                         c->op->name, AGNI_SHAPE(t), AGNI_SHAPE(m), AGNI_SHAPE(f));
    return agni_infer_same(c);
}

/* the coefficients move where f holds tensors that are differentiated */
static void refuse_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                       const agn_tensor **ty)
{
    (void)t, (void)ty;
    agn_scope_fail(
        s,
        agni_fail(AGN_EUNSUPPORTED,
                  "%s: no derivative in tensors that the function of %s holds: in the matrix alone",
                  r->op->name, AGNI_SHAPE(r->x[0])));
}

static agni_slots slots[2];
#define RECORD(op, text_in, class_, ins, outs, rule, batch_, number, text) \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,  \
                                         .takes = text_in,       \
                                         .cls = class_,          \
                                         .nin = ins,             \
                                         .nout = outs,           \
                                         .dtypes = AGNI_COMPLEXES, \
                                         .diff = ins == 1 ? 0 : 7, \
                                         .promote = ins == 1 ? 1 : 7, \
                                         .ew = -1,               \
                                         .infer = infer_##op,    \
                                         .cpu = agni_cpu_##op,   \
                                         .jvp = rule,            \
                                         .batch = batch_,        \
                                         .slots = &slots[number], \
                                         .lo = -2,               \
                                         .hi = 2,                \
                                         .lo2 = -2,              \
                                         .hi2 = 2,               \
                                         .lo3 = -2,              \
                                         .hi3 = 2,               \
                                         .doc = text}
RECORD(spectrum, "a", AGNI_DISCRETE, 1, 3, NULL, agni_batch_front, 0,
       "Schur's form with near values together, and their means");
RECORD(parlett, "t centre c", AGNI_SOLVE, 3, 1, refuse_jvp, agni_batch_all, 1,
       "a function of a triangular matrix by its Taylor coefficients");

/* ---- values ------------------------------------------------------------------------ */

enum { MOST_TERMS = 65 };

/* coefficients 0 to k - 1 of f along x + along t, which f must give in the shape of x */
static bool expand_function(agn_scope *s, const agn_fn *f, const agn_tensor *x,
                            const agn_tensor *along, int k, const agn_tensor **c)
{
    const agn_tensor *in[MOST_TERMS], *none = ag_zeros_like(s, x);
    agn_tensor *y[MOST_TERMS] = {NULL};
    agn_fn *jet = NULL;
    in[0] = x;
    in[1] = along;
    for (int i = 2; i < k; i++)
        in[i] = none;
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_jet(&jet, f, k - 1);
    st = st ? st : agn_fn_call(y, k, jet, in, k);
    agn_fn_release(jet);
    for (int i = 0; i < k; i++)
        c[i] = agn_scope_adopt(s, st, &y[i]);
    st = st ? st : agn_scope_status(s);
    for (int i = 0; !st && i < k; i++) {
        if (c[i]->ndim != x->ndim ||
            memcmp(c[i]->shape, x->shape, (size_t)x->ndim * sizeof *x->shape))
            st = agni_fail(AGN_ESHAPE, "linalg_funm: f takes %s to %s: it must act on each number",
                           AGNI_SHAPE(x), AGNI_SHAPE(c[i]));
        else if (c[i]->dtype != x->dtype)
            st = agni_fail(
                AGN_EDTYPE,
                "linalg_funm: f takes %s to %s: it must take complex numbers to complex ones",
                agni_dtypes[x->dtype].name, agni_dtypes[c[i]->dtype].name);
    }
    return !agn_scope_fail(s, st);
}

/* c, or NaN where the derivative along i is not i times that along 1: f is not holomorphic */
static const agn_tensor *demand_holomorphic(agn_scope *s, const agn_tensor *along_one,
                                            const agn_tensor *along_i, const agn_tensor *c)
{
    const agn_tensor *turned = ag_complex(s, ag_neg(s, ag_imag(s, along_one)),
                                          ag_real(s, along_one));
    const agn_tensor *off = ag_abs(s, ag_sub(s, along_i, turned));
    const agn_tensor *size = ag_add(s, ag_abs(s, along_i), ag_abs(s, turned));
    const agn_tensor *bad = ag_gt(s, off, ag_mul_c(s, size, 0x1p-26));
    return c ? ag_where(s, bad, agni_full_like(s, (double)NAN, c), c) : NULL;
}

/* the user is f */
static agn_status value_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agn_tensor *y[3] = {NULL}, *c[MOST_TERMS] = {NULL}, *d[2] = {NULL};
    int64_t n = in[0]->shape[in[0]->ndim - 1];
    int k = n < 2 ? 2 : n + 16 < MOST_TERMS ? (int)n + 16 : MOST_TERMS;
    if (!agni_apply_many_in(s, &agni_op_linalg_spectrum, NULL, 1, in, 3, y))
        return agn_scope_status(s);
    const agn_tensor *one = ag_ones_like(s, y[2]),
                     *turn = ag_complex(s, ag_zeros_like(s, ag_real(s, one)), ag_real(s, one));
    if (!expand_function(s, user, y[2], one, k, c) || !expand_function(s, user, y[2], turn, 2, d))
        return agn_scope_status(s);
    c[0] = demand_holomorphic(s, c[1], d[1], c[0]);
    const agn_tensor *series = ag_stack(s, c, k, -1);
    const agn_tensor *f = series ? agni_apply_in(s, &agni_op_linalg_parlett, NULL, 3,
                                                 (const agn_tensor *[]){y[0], y[2], series})
                                 : NULL;
    out[0] = ag_matmul(s, y[1], ag_matmul(s, f, agni_conjugate_transpose(s, y[1])));
    return agn_scope_status(s);
}

/* ---- the function with its derivatives ----------------------------------------------- */

static void release_fn(void *f)
{
    agn_fn_release(f);
}

static const agn_tensor *apply_function(agn_scope *s, agn_fn *f, const agn_tensor *x);

/* above the diagonal of f([x, e; 0, x]); e is brought to the size of 1 first, being of no
   importance to the form */
static const agn_tensor *derive_function(agn_scope *s, agn_fn *f, const agn_tensor *x,
                                         const agn_tensor *e)
{
    int64_t n = x->shape[x->ndim - 1];
    if (n == 0)
        return e;
    const agn_tensor *size = ag_amax(s, ag_abs(s, ag_stop_gradient(s, e)),
                                     (const int32_t[]){-2, -1}, 2, true);
    size = size ? ag_where(s, ag_gt(s, size, ag_zeros_like(s, size)), size, ag_ones_like(s, size))
                : NULL;
    const agn_tensor *b = agni_block_triangle(s, x, ag_div(s, e, size));
    const agn_tensor *y = b ? apply_function(s, f, b) : NULL;
    return y ? ag_mul(s, agni_take_block(s, y, 0, n, n), size) : NULL;
}

static agn_status tangent_body(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    out[0] = derive_function(s, user, in[0], in[2]);
    return agn_scope_status(s);
}
/* the adjoint of e to L(x, e) takes g to the conjugate of L(x^T, conj(g)) */
static agn_status cotangent_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    out[0] = agni_conjugate_dense(s, derive_function(s, user, agni_matrix_transpose(s, in[0]),
                                                     agni_conjugate_dense(s, in[2])));
    return agn_scope_status(s);
}

static const agn_tensor *apply_function(agn_scope *s, agn_fn *f, const agn_tensor *x)
{
    agn_fn *plain = NULL, *whole = NULL;
    agn_tensor *y = NULL;
    agn_status st = agn_scope_status(s);
    if (!st && !x)
        return NULL;
    agn_fn *held = agn_fn_retain(f);
    st = st ? st : agn_fn_new(&plain, value_body, held, release_fn, 1, 1);
    if (st)
        agn_fn_release(held);
    if (!st) {
        held = agn_fn_retain(f);
        st = agn_fn_custom(&whole, plain,
                           &(agn_custom_rule){.size = sizeof(agn_custom_rule),
                                              .user = held,
                                              .destroy = release_fn,
                                              .jvp = tangent_body,
                                              .vjp = cotangent_body});
        if (st)
            agn_fn_release(held);
    }
    st = st ? st : agn_fn_call(&y, 1, whole, &x, 1);
    agn_fn_release(plain);
    agn_fn_release(whole);
    return agn_scope_adopt(s, st, &y);
}

/* in c128, and back to the precision of a */
static const agn_tensor *in_double(agn_scope *s, agn_fn *f, const agn_tensor *x)
{
    bool narrow = x && (x->dtype == AGN_F32 || x->dtype == AGN_C64);
    if (!x || x->shape[x->ndim - 1] == 0)
        return agni_as_complex(s, x);
    const agn_tensor *y = apply_function(s, f, ag_cast(s, x, AGN_C128));
    return narrow ? ag_cast(s, y, AGN_C64) : y;
}

static agn_status check_function(const char *op, const agn_tensor *a, const agn_fn *f)
{
    agn_status st = agni_need_square(op, a);
    if (!st && (agn_fn_n_in(f) != 1 || agn_fn_n_out(f) != 1))
        st = agni_fail(AGN_EARG, "%s: f has %d arguments and %d results: one of each is needed", op,
                       agn_fn_n_in(f), agn_fn_n_out(f));
    return st;
}

agn_status agn_linalg_funm(agn_tensor **out, const agn_tensor *a, const agn_fn *f)
{
    static const char op[] = "linalg_funm";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, f);
    agn_status st = check_function(op, a, f);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *held = agn_fn_retain(f);
    const agn_tensor *y = in_double(s, held, agni_as_field(s, a));
    agn_fn_release(held);
    return agni_return(op, s, out, y);
}

agn_status agn_linalg_funm_hermitian(agn_tensor **out, const agn_tensor *a, const agn_fn *f,
                                     bool upper)
{
    static const char op[] = "linalg_funm_hermitian";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    AGNI_NEED(op, f);
    agn_status st = check_function(op, a, f);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    agn_fn *held = agn_fn_retain(f);
    const agn_tensor *x = agni_as_field(s, a),
                     *y = in_double(s, held, agni_complete_triangle(s, x, upper));
    if (y && agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        y = ag_real(s, y);
    agn_fn_release(held);
    return agni_return(op, s, out, y);
}

/* ---- condition of the exponential -------------------------------------------------------- */

/* |K| |a| / |e^a| with K the derivative as a matrix of order n^2, norms of Frobenius and, of K, the
   2-norm */
agn_status agn_linalg_expm_cond(agn_tensor **out, const agn_tensor *a)
{
    static const char op[] = "linalg_expm_cond";
    AGNI_NEED(op, out);
    AGNI_NEED(op, a);
    agn_status st = agni_need_square(op, a);
    if (st)
        return st;
    if (a->ndim >= AGNI_MAX_RANK)
        return agni_fail(AGN_ESHAPE, "%s: %d axes, at most %d", op, a->ndim, AGNI_MAX_RANK - 1);
    agn_scope *s = agn_scope_open(NULL);
    int64_t n = a->shape[a->ndim - 1], shape[AGNI_MAX_RANK];
    const agn_tensor *x = agni_as_field(s, a), *y = NULL;
    if (x && n == 0)
        y = ag_zeros_like(s, ag_pnorm(s, x, 2, (const int32_t[]){-2, -1}, 2, false));
    else if (x && n <= 1000) {
        const agn_tensor *e = ag_reshape(s, agni_eye_beside(s, n * n, n * n, x), 3,
                                         (const int64_t[]){n * n, n, n});
        agn_tensor *v = NULL, *dv = NULL;
        st = agn_scope_status(s);
        st = st ? st : agn_linalg_expm_frechet(&v, &dv, ag_expand_dims(s, x, -3), e);
        agn_scope_adopt(s, st, &v);
        const agn_tensor *k = agn_scope_adopt(s, st, &dv);
        memcpy(shape, x->shape, (size_t)(x->ndim - 2) * sizeof *shape);
        shape[x->ndim - 2] = shape[x->ndim - 1] = n * n;
        k = ag_linalg_matrix_norm(s, ag_reshape(s, k, x->ndim, shape), AGN_NORM_TWO);
        const agn_tensor *whole = ag_linalg_matrix_norm(s, ag_linalg_matrix_exp(s, x),
                                                        AGN_NORM_FROBENIUS);
        y = ag_div(s, ag_mul(s, k, ag_linalg_matrix_norm(s, x, AGN_NORM_FROBENIUS)), whole);
    } else if (x)
        agn_scope_fail(s,
                       agni_fail(AGN_EUNSUPPORTED, "%s: a matrix of order n^2 is formed, a is %s",
                                 op, AGNI_SHAPE(a)));
    return agni_return(op, s, out, y);
}
