/* tests/t-bounded.c - a tangent of zeros that are numbers, row by row: beside a pole, at infinity, and
   where a product overflows. A row whose partial derivatives are bounded has finite ones
   everywhere; of any other, 0 times a finite slope is 0, and 0 times an infinite one is 0 or NaN,
   never another number (doc/autograd.rst; structural zeros are tested in t-corners). */
#include "deriv.h"
#include "tensor/dispatch/op.h"

#define INF (double)INFINITY
static const double ends[] = {-INF,   -1e308, -800, -3, -1, -0.5, -1e-310, -0.0, 0,
                              1e-310, 1e-200, 0.5,  1,  3,  800,  1e308,   INF};
enum { ENDS = sizeof ends / sizeof *ends, GRID = ENDS * ENDS };
typedef double points[GRID][2]; /* numbers, or pairs of real and imaginary part */

typedef struct partial {
    const agni_op *op;
    int moves;         /* the argument that is differentiated */
    agn_tensor *in[2]; /* both, at all points */
    int n;
} partial;

static agn_status body(void *user, agn_scope *s, const T *in, T *out)
{
    const partial *p = user;
    T x[2] = {p->in[0], p->in[1]};
    x[p->moves] = in[0];
    const int64_t order = 1;
    out[0] = apply(s, p->op->name, p->op->nin, x, strchr(p->op->takes, ':') != NULL, &order);
    return agn_scope_status(s);
}

/* both arguments at each pair of ends, or one complex argument; C leaves open what complex
   functions do at infinity */
static void place(partial *p, bool complex)
{
    points x[2];
    p->n = 0;
    for (int i = 0; i < GRID; i++) {
        double a = ends[i / ENDS], b = ends[i % ENDS];
        if (complex && (isinf(a) || isinf(b)))
            continue;
        x[0][p->n][0] = a;
        x[0][p->n][1] = complex ? b : 0;
        x[1][p->n][0] = b;
        x[1][p->n++][1] = 0;
    }
    for (int k = 0; k < p->op->nin; k++) {
        agn_tensor *z = NULL;
        if (agn_from_host(&z, AGN_C128, 1, (int64_t[]){p->n}, x[k]) ||
            (complex ? agn_copy(&p->in[k], z) : agn_real(&p->in[k], z)))
            bail_out("no points: %s", agn_error_message());
        agn_release(z);
    }
}

/* tangents of the result for the tangent t everywhere, forward or in reverse */
static bool along(double to[GRID][2], const partial *p, bool reverse, double t)
{
    T x = p->in[p->moves];
    agn_fn *f = NULL, *d = NULL;
    agn_tensor *y = NULL, *r[2] = {NULL}, *v = NULL, *z = NULL;
    bool good = !agn_fn_new(&f, body, (void *)(uintptr_t)p, NULL, 1, 1) &&
                !(reverse ? agn_fn_vjp(&d, f) : agn_fn_jvp(&d, f)) &&
                !agn_fn_call(&y, 1, f, AGN_ARGS(x)) &&
                !agn_full(&v, agn_dtype_of(reverse ? y : x), 1, agn_shape(x), t) &&
                !agn_fn_call(r, 2, d, AGN_ARGS(x, v)) &&
                !agn_cast(&z, r[1], AGN_C128) &&
                !agn_to_host(to, z, sizeof(double[2]) * (size_t)p->n);
    if (!good)
        diag("%s: %s", p->op->name, agn_error_message());
    agn_tensor *all[] = {y, r[0], r[1], v, z};
    for (int i = 0; i < 5; i++)
        agn_release(all[i]);
    agn_fn_release(d);
    agn_fn_release(f);
    return good;
}

static bool finite2(const double *v)
{
    return isfinite(v[0]) && isfinite(v[1]);
}

static bool at_each_point(const partial *p, bool reverse)
{
    static points one, zero;
    if (!along(one, p, reverse, 1) || !along(zero, p, reverse, 0))
        return false;
    for (int i = 0; i < p->n; i++) {
        bool held = p->op->bounded ? finite2(one[i])
                                   : (zero[i][0] == 0 && zero[i][1] == 0) ||
                                         (!finite2(one[i]) && !finite2(zero[i]));
        if (!held) {
            char at[2][40] = {"", ""};
            double x[2] = {0};
            agn_tensor *e = NULL;
            for (int k = 0; k < p->op->nin; k++) {
                if (!agn_index_axis(&e, p->in[k], 0, i) && numbers(x, 2, e) > 0)
                    snprintf(at[k], sizeof at[k], "%g %g", x[0], x[1]);
                agn_release(e);
            }
            diag("d%d %s(%s; %s), %s: 1 gives %g %g, 0 gives %g %g", p->moves,
                 p->op->name, at[0], at[1], reverse ? "reverse" : "forward", one[i][0],
                 one[i][1], zero[i][0], zero[i][1]);
            return false;
        }
    }
    return true;
}

static void try_row(const agni_op *op, bool complex)
{
    bool good = true;
    for (int i = 0; i < op->nin; i++) {
        partial p = {.op = op, .moves = i};
        if (!(op->diff >> i & 1))
            continue;
        place(&p, complex);
        good &= at_each_point(&p, false) && at_each_point(&p, true);
        agn_release(p.in[0]);
        agn_release(p.in[1]);
    }
    ok(good, "%s%s, %s", op->name, complex ? " of complex numbers" : "",
       op->bounded ? "bounded" : "not bounded");
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int rows = 0;
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->cls != AGNI_EW || op->nin > 2 || !op->diff || !strstr(op->name, only))
            continue;
        rows++;
        if (op->dtypes >> AGN_F64 & 1)
            try_row(op, false);
        if (op->dtypes >> AGN_C128 & 1 && op->nin == 1)
            try_row(op, true);
    }
    if (!*only)
        ok(rows >= 40, "%d rows", rows);
    return done();
}
