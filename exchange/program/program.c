/* exchange/program/program.c - functions in files: traced to a program when saved, replayed when
   loaded. */
#include "exchange/program/program.h"

#include "core/memory/scope.h"

/* ---- saving ------------------------------------------------------------------------------- */

agn_status agn_fn_save(const char *path, const agn_fn *f, const agn_tensor *const *in, int32_t n_in)
{
    if (!path || !f)
        return agni_fail(AGN_ENULL, "fn_save: %s is NULL", path ? "f" : "path");
    agni_prog *p = NULL;
    agn_status st = agni_check_n_in("fn_save", f, in, n_in);
    st = st ? st : agni_trace_stored("fn_save", &p, f, in);
    st = st ? st : agni_prog_check_guards(p);
    st = st ? st : agni_program_check(p);
    st = st ? st : agni_save("fn_save", path, agni_program_write, p);
    agni_prog_release(p);
    return st;
}

/* ---- loading ------------------------------------------------------------------------------ */

static void release_program(void *data)
{
    agni_prog_release(data);
}

static agn_status check_argument(const agni_prog *p, int i, const agn_tensor *x)
{
    const agn_tensor *want = p->val[i];
    if (x->dtype != want->dtype || x->weak != want->weak)
        return agni_fail(
            AGN_EDTYPE, "call: argument %d is %s%s, the saved function takes %s%s", i,
            agni_dtypes[x->dtype].name, x->weak ? " (a literal)" : "",
            agni_dtypes[want->dtype].name, want->weak ? " (a literal)" : "");
    if (!agni_same_shape(x, want))
        return agni_fail(AGN_ESHAPE,
                         "call: argument %d is %s, the saved function takes %s", i,
                         AGNI_SHAPE(x), AGNI_SHAPE(want));
    return AGN_OK;
}

static agn_status replay_program(const agn_fn *f, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    const agni_prog *p = f->data;
    for (int i = 0; i < f->n_in; i++) {
        agn_status st = check_argument(p, i, in[i]);
        if (st)
            return st;
    }
    return agni_prog_replay(p, s, in, out, NULL);
}

static agn_status read_file(agni_prog **out, const char *op, const char *path)
{
    agni_input in;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_program_read(out, &in);
    agni_input_close(&in);
    return st;
}

agn_status agn_fn_load(agn_fn **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "fn_load: %s is NULL", out ? "path" : "out");
    agni_prog *p = NULL;
    agn_status st = read_file(&p, "fn_load", path);
    if (st)
        return st;
    st = agni_fn_make(out, replay_program, p->n_in, p->n_out, p, release_program);
    if (st)
        agni_prog_release(p);
    return st;
}

agn_status agn_fn_file_text(char *buf, size_t n, size_t *need, const char *path)
{
    if (!path || (!buf && n))
        return agni_fail(AGN_ENULL, "fn_file_text: %s is NULL", path ? "buf" : "path");
    agni_prog *p = NULL;
    agn_status st = read_file(&p, "fn_file_text", path);
    st = st ? st : agni_prog_text(buf, n, need, p);
    agni_prog_release(p);
    return st;
}
