/* graph/passes/nested_selects.c - selects below a select with the same condition (redundant predicates, as in
   if-conversion: Allen, Kennedy, Porterfield and Warren 1983):

       where(c, f(where(c, a, 0), b), 0) = where(c, f(a, b), 0)

   element by element, whatever f makes of a where c is false: nobody reads it. The second derivatives of
   relu's powers are full of them. */
#include "graph/passes/ir.h"

enum { UNREAD = -2, ANYWHERE = -1 };

typedef struct selection {
    const agni_ir *ir;
    int32_t *under; /* of values: the condition where all that reads them reads them */
    bool any;
} selection;

/* v is read where condition c holds */
static void read_under(selection *s, int32_t v, int32_t c)
{
    bool fits = c >= 0 && agni_same_shape(s->ir->val[v].t, s->ir->val[c].t);
    c = fits ? c : ANYWHERE;
    s->under[v] = s->under[v] == UNREAD || s->under[v] == c ? c : ANYWHERE;
}

/* from the last node to the first: what reads a value comes behind it */
static void find_conditions(selection *s)
{
    const agni_ir *ir = s->ir;
    for (int32_t v = 0; v < ir->n_val; v++)
        s->under[v] = UNREAD;
    for (int i = 0; i < ir->n_out; i++)
        s->under[ir->out[i]] = ANYWHERE;
    for (int k = ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &ir->node[k];
        const bool selects = n->op == &agni_op_where;
        int32_t c = n->op->ew >= 0 ? s->under[n->val] : ANYWHERE;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = agni_node_arg(ir, n, i);
            bool same = agni_same_shape(ir->val[v].t, ir->val[n->val].t);
            int32_t own = selects && i == 1 && c < 0 ? agni_node_arg(ir, n, 0) : c;
            read_under(s, v, same ? own : ANYWHERE);
        }
        if (selects && c >= 0)
            s->any |= c == agni_node_arg(ir, n, 0);
    }
}

static int32_t drop_select(void *user, agni_ir *ir, int k, const int32_t *arg)
{
    const selection *s = user;
    const agni_pnode *n = &s->ir->node[k];
    (void)ir;
    bool nested = n->op == &agni_op_where && s->under[n->val] >= 0 &&
                  s->under[n->val] == agni_node_arg(s->ir, n, 0) &&
                  agni_same_shape(s->ir->val[agni_node_arg(s->ir, n, 1)].t, s->ir->val[n->val].t) &&
                  s->ir->val[agni_node_arg(s->ir, n, 1)].t->dtype == s->ir->val[n->val].t->dtype;
    return nested ? arg[1] : -1;
}

agn_status agni_ir_drop_nested_selects(agni_ir **ir)
{
    selection s = {.ir = *ir};
    agni_ir *next = NULL;
    agn_status st = AGN_OK;
    s.under = agni_alloc(((size_t)(*ir)->n_val + 1) * sizeof *s.under);
    if (!s.under)
        return agni_nomem("compile", (size_t)(*ir)->n_val * sizeof *s.under);
    find_conditions(&s);
    if (s.any)
        st = agni_ir_copy(&next, *ir, drop_select, &s);
    agni_free(s.under);
    if (next) {
        agni_ir_free(*ir);
        *ir = next;
    }
    return st;
}
