/* tests/t-poles.c - element-wise rows where their derivatives are infinite or end: at 0, at the
   ends of their domains, at infinity. Nobody agrees on what a derivative is there, but each
   mode must say the same: the same number, the same infinity, NaN together. */
#include "deriv.h"
#include "tensor/dispatch/op.h"

typedef struct place {
    const agni_op *op;
    int arg; /* that moves */
    double at[3];
} place;

static agn_status row_body(void *user, agn_scope *s, const T *in, T *out)
{
    const place *p = user;
    T x[3];
    for (int i = 0; i < p->op->nin; i++)
        x[i] = i == p->arg ? in[0] : ag_lit(s, p->at[i]);
    out[0] = apply(s, p->op->name, p->op->nin, x, strstr(p->op->takes, ":i") != NULL, (int64_t[]){1});
    return agn_scope_status(s);
}

/* Modes are finite together; where they are not, one order of products may say infinite, another NaN. */
static bool same(double a, double b)
{
    return a == b || (!isfinite(a) && !isfinite(b)) || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool compare(const place *p, const char *word, double have, double want)
{
    if (same(have, want))
        return true;
    diag("%s in argument %d at %g, %g, %g: %s is %g, forward mode says %g", p->op->name, p->arg,
         p->at[0], p->at[1], p->at[2], word, have, want);
    return false;
}

static bool try_place(const place *p)
{
    static const char *const words[] = {"F",   "R",   "J",   "FF",  "RR",  "RF",  "FR", "JJ",
                                        "JF",  "FFF", "RRR", "FRF", "RFR", "JJJ", "FJR"};
    agn_fn *f = NULL, *jet = NULL;
    agn_tensor *x = scalar(p->at[p->arg]), *v = scalar(1), *z = scalar(0), *y[4] = {NULL};
    const T dir[3][ARGS] = {{v}, {v}, {v}};
    double want[3] = {0, 0, 0};
    bool good = true;
    if (agn_fn_new(&f, row_body, (void *)(uintptr_t)p, NULL, 1, 1))
        bail_out("%s", agn_error_message());
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t order = strlen(words[i]);
        agn_fn *d = nesting(words[i], f, 1, dir);
        double have = value_of(d, (const T[]){x});
        if (strspn(words[i], "F") == order)
            want[order - 1] = have;
        good &= compare(p, words[i], have, want[order - 1]);
        agn_fn_release(d);
    }
    if (agn_fn_jet(&jet, f, 3) || agn_fn_call(y, 4, jet, AGN_ARGS(x, v, z, z)))
        good = false;
    for (int o = 1, factorial = 1; o <= 3; o++)
        good &= compare(p, "a jet", number(y[o]) * (factorial *= o), want[o - 1]);
    for (int i = 0; i < 4; i++)
        agn_release(y[i]);
    agn_release(x);
    agn_release(v);
    agn_release(z);
    agn_fn_release(jet);
    agn_fn_release(f);
    return good;
}

/* each argument at each place, the others at each place too */
static void try_row(const agni_op *op)
{
    static const double at[] = {0, 1, -1, INFINITY, -INFINITY, 0.5};
    enum { N = sizeof at / sizeof *at };
    bool good = true;
    for (int a = 0; a < op->nin; a++) {
        if (!(op->diff >> a & 1))
            continue;
        for (int u = 0; u < N; u++)
            for (int w = 0; w < (op->nin > 1 ? N : 1); w++) {
                place p = {op, a, {at[w], at[w], 0.5}};
                p.at[a] = at[u];
                good &= try_place(&p);
            }
    }
    ok(good, "%s", op->name);
}

/* densities that are polynomials, at the ends of where they live: (1 - w)^2 3 and its kin */
static void densities(void)
{
    static const struct {
        place p;
        double first, second;
    } rows[] = {
        {{&agni_op_beta_d, 2, {1, 1, 1}}, 0, 0},  {{&agni_op_beta_d, 2, {1, 1, 0}}, 0, 0},
        {{&agni_op_beta_d, 2, {1, 2, 1}}, -2, 0}, {{&agni_op_beta_d, 2, {2, 1, 0}}, 2, 0},
        {{&agni_op_beta_d, 2, {1, 3, 1}}, 0, 6},  {{&agni_op_beta_d, 2, {3, 1, 0}}, 0, 6},
        {{&agni_op_beta_d, 2, {2, 3, 1}}, 0, 24}, {{&agni_op_beta_d, 2, {2, 3, 0}}, 12, -48},
        {{&agni_op_gamma_d, 1, {1, 0}}, -1, 1},   {{&agni_op_gamma_d, 1, {2, 0}}, 1, -2},
        {{&agni_op_gamma_d, 1, {3, 0}}, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const place *p = &rows[i].p;
        agn_fn *f = NULL;
        agn_tensor *x = scalar(p->at[p->arg]), *v = scalar(1);
        const T dir[3][ARGS] = {{v}, {v}, {v}};
        bool good = try_place(p) && !agn_fn_new(&f, row_body, (void *)(uintptr_t)p, NULL, 1, 1);
        for (int order = 1; order <= 2 && good; order++) {
            agn_fn *d = nesting(order == 1 ? "R" : "RR", f, 1, dir);
            double have = value_of(d, (const T[]){x});
            good = compare(p, "reverse", have, order == 1 ? rows[i].first : rows[i].second);
            agn_fn_release(d);
        }
        ok(good, "%s at %g, %g, %g", p->op->name, p->at[0], p->at[1], p->at[2]);
        agn_release(x);
        agn_release(v);
        agn_fn_release(f);
    }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        if (op->cls == AGNI_EW && op->ew >= 0 && op->dtypes >> AGN_F64 & 1 &&
            strstr(op->name, only))
            try_row(op);
    }
    densities();
    return done();
}
