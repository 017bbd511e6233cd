/* exchange/program/verify_control.c - verification of control ops from a file: what their
   constructors guarantee of the programs in their attributes. */
#include "exchange/program/program.h"

#include "autograd/loops/reverse/reverse_scan.h"
#include "autograd/control/call.h"

static const agn_tensor *program_input(const agni_prog *p, int i)
{
    return p->val[i];
}
static const agn_tensor *program_result(const agni_prog *p, int o)
{
    return p->val[p->out[o]];
}

static bool same_kind(const agn_tensor *x, const agn_tensor *y)
{
    return x->dtype == y->dtype && x->weak == y->weak && agni_same_shape(x, y);
}
/* a result may be a literal where a value was, but not of another shape */
static bool can_carry(const agn_tensor *x, const agn_tensor *y)
{
    return x->dtype == y->dtype && agni_same_shape(x, y);
}
/* is y what there is of x in one of n steps? */
static bool is_slice_of(const agn_tensor *x, const agn_tensor *y, int64_t n)
{
    bool same = x->dtype == y->dtype && x->ndim == y->ndim + 1 && x->shape[0] == n;
    for (int d = 0; same && d < y->ndim; d++)
        same = x->shape[d + 1] == y->shape[d];
    return same;
}
/* do inputs from, from + 1 ... of p take in[n]? */
static bool accepts_inputs(const agni_prog *p, int from, int n, const agn_tensor *const *in)
{
    bool fit = true;
    for (int i = 0; fit && i < n; i++)
        fit = same_kind(in[i], program_input(p, from + i));
    return fit;
}
static bool accepts_slices(const agni_prog *p, int from, int n, const agn_tensor *const *in,
                           int64_t length)
{
    bool fit = true;
    for (int i = 0; fit && i < n; i++)
        fit = is_slice_of(in[i], program_input(p, from + i), length);
    return fit;
}
static bool returns_carried(const agni_prog *p, int n, const agn_tensor *const *carried)
{
    bool fit = true;
    for (int o = 0; fit && o < n; o++)
        fit = can_carry(carried[o], program_result(p, o));
    return fit;
}

/* ---- the ops ------------------------------------------------------------------------------- */

static const char *misfit_call(const agni_op *op, const agni_attr *at, int nin,
                               const agn_tensor *const *in, int nout)
{
    const agni_prog *p = agni_callee_of(at)->p;
    (void)op;
    bool fit = p->n_in == nin && p->n_out == nout && accepts_inputs(p, 0, nin, in);
    return fit ? NULL : "its program takes other arguments";
}

/* numbers of things, each within what there is in all */
static bool counts_within(const int64_t *n, int count, int64_t all)
{
    for (int i = 0; i < count; i++) {
        if (n[i] < 0 || n[i] > all)
            return false;
        all -= n[i];
    }
    return true;
}

static const char *misfit_loop(const agni_op *op, const agni_attr *at, int nin,
                               const agn_tensor *const *in, int nout)
{
    bool open = op == &agni_op_while;
    if (!counts_within(at->i, open ? 1 : 2, nin) || (!open && !counts_within(at->i + 2, 1, nout)))
        return "its counts are not those of its arguments";
    agni_scan f = agni_scan_describe(op, at, nin);
    if (f.p->n_in != nin || f.p->n_out != nout || nout != f.nc + f.ny ||
        f.length < (open ? -1 : 0) || f.keep < -1)
        return "its counts are not those of its body";
    if (open && (nin < 2 || nout < 2 || in[0]->dtype != AGN_BOOL || in[0]->ndim ||
                 in[1]->dtype != AGN_I64 || in[1]->ndim))
        return "it does not carry whether to go on";
    const agn_tensor *const *arrays = in + f.nc, *const *constants = arrays + f.nx;
    bool fit = accepts_inputs(f.p, 0, f.nc, in) &&
               accepts_slices(f.p, f.nc, f.nx, arrays, f.length) &&
               accepts_inputs(f.p, f.nc + f.nx, f.nk, constants) && returns_carried(f.p, f.nc, in);
    return fit ? NULL : "its body takes other arguments";
}

static const char *misfit_branch(const agni_op *op, const agni_attr *at, int nin,
                                 const agn_tensor *const *in, int nout)
{
    const agni_subprograms *b = agni_subprograms_of(at);
    (void)op;
    int64_t all = 1 + (int64_t)b->shared;
    for (int k = 0; k < b->n; k++)
        all += b->at[k].n_extra;
    if (b->n < 1 || (op == &agni_op_cond && b->n != 2) || all != nin)
        return "its counts are not those of its branches";
    for (int k = 0; k < b->n; k++) {
        const agni_prog *p = b->at[k].p, *first = b->at[0].p;
        bool fit = p->n_in == b->shared + b->at[k].n_extra && p->n_out == nout &&
                   accepts_inputs(p, 0, b->shared, in + 1) &&
                   accepts_inputs(p, b->shared, b->at[k].n_extra, in + 1 + b->at[k].first);
        for (int o = 0; fit && o < nout; o++)
            fit = can_carry(program_result(p, o), program_result(first, o));
        if (!fit)
            return "a branch takes other arguments";
    }
    return NULL;
}

static const char *misfit_back(const agni_op *op, const agni_attr *at, int nin,
                               const agn_tensor *const *in, int nout)
{
    const agni_subprograms *b = agni_subprograms_of(at);
    (void)op;
    if (b->n != 2 || b->shared != nin || b->at[0].n_extra || b->at[1].n_extra ||
        !counts_within(at->i, 4, nin) || at->i[0] > nout || at->i[4] < 0 || at->i[5] < -1)
        return "its counts are not those of its arguments";
    agni_reverse_scan q = agni_reverse_scan_describe(at, nin, nout);
    const agni_prog *forth = b->at[0].p, *back = b->at[1].p;
    const agn_tensor *const *state = in + q.nl, *const *arrays = state + q.nc,
                            *const *constants = arrays + q.nx + q.ng;
    if (forth->n_in != q.nc + q.nx + q.nk || forth->n_out != q.nc ||
        back->n_in != nin || back->n_out != nout)
        return "its counts are not those of its bodies";
    bool fit = accepts_inputs(forth, 0, q.nc, state) &&
               accepts_slices(forth, q.nc, q.nx, arrays, q.length) &&
               accepts_inputs(forth, q.nc + q.nx, q.nk, constants) &&
               returns_carried(forth, q.nc, state) && accepts_inputs(back, 0, q.nl + q.nc, in) &&
               accepts_slices(back, q.nl + q.nc, q.nx + q.ng, arrays, q.length) &&
               accepts_inputs(back, q.nl + q.nc + q.nx + q.ng, q.nk, constants) &&
               returns_carried(back, q.nl, in);
    return fit ? NULL : "its bodies take other arguments";
}

const char *agni_program_misfit(const agni_op *op, const agni_attr *at, int nin,
                                const agn_tensor *const *in, int nout)
{
    static const struct {
        const agni_op *op;
        const char *(*misfit)(const agni_op *op, const agni_attr *at, int nin,
                              const agn_tensor *const *in, int nout);
    } row[] = {
        {&agni_op_scan, misfit_loop},      {&agni_op_while, misfit_loop},
        {&agni_op_cond, misfit_branch},    {&agni_op_switch, misfit_branch},
        {&agni_op_scan_back, misfit_back}, {&agni_op_checkpoint, misfit_call},
    };
    if (op->cls != AGNI_CONTROL || op == &agni_op_named || op == &agni_op_graph_messages)
        return NULL; /* inference looks at the programs of blocks */
    for (int i = 0; i < AGNI_COUNT(row); i++)
        if (row[i].op == op)
            return row[i].misfit(op, at, nin, in, nout);
    return "it holds functions of the host, which no file can";
}
