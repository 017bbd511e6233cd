/* graph/program/call_live.c - a call without its dead code (Aho, Lam, Sethi & Ullman 2006, 8.5): an
   eager derivative gives all results of an op their derivatives, and may be refused by one that
   nobody reads. */
#include "core/memory/scope.h"
#include "graph/program/program.h"

#include <string.h>

static agn_status run_stored(const agni_prog *p, agn_scope *s, const agn_tensor *const *in,
                             int n_in, const agn_tensor *const *extra, int n_extra,
                             const agn_tensor **out)
{
    const agn_tensor **a = agni_alloc((size_t)(n_in + n_extra + 1) * sizeof *a);
    if (!a)
        return agni_nomem("call", (size_t)(n_in + n_extra) * sizeof *a);
    for (int i = 0; i < n_in; i++)
        a[i] = in[i];
    for (int i = 0; i < n_extra; i++)
        a[n_in + i] = extra[i];
    agn_status st = agni_prog_replay(p, s, a, out, NULL);
    for (int i = 0; i < p->n_out && !st; i++) { /* it may be a constant of the program */
        out[i] = agn_scope_adopt(s, AGN_OK, &(agn_tensor *){agni_tensor_ref(out[i])});
        st = agn_scope_status(s);
    }
    agni_free(a);
    return st;
}

agn_status agni_call_live(agn_status st, const agn_fn *f, agn_scope *s,
                          const agn_tensor *const *in, const agn_tensor **out)
{
    char said[512];
    agni_prog *live = NULL, *p = NULL;
    const agn_tensor **extra = NULL;
    int n_extra = 0;
    uint64_t first;
    strncpy(said, agn_error_message(), sizeof said - 1);
    said[sizeof said - 1] = 0;
    agn_status traced = agni_trace(&live, &first, f, in, true);
    traced = traced ? traced : agni_prog_store(&p, live, &n_extra, &extra);
    if (!traced)
        st = run_stored(p, s, in, f->n_in, extra, n_extra, out);
    else
        st = agni_fail(st, "%s", said);
    agni_free(extra);
    agni_prog_release(live);
    agni_prog_release(p);
    return st;
}
