/* exchange/program/program_write.c - serialisation of a program. */
#include "exchange/program/program.h"

#include "exchange/file/zip.h"
#include <string.h>

/* ---- bytes ------------------------------------------------------------------------------ */

static agn_status put_bytes(agni_program_out *w, const void *p, size_t n)
{
    w->crc = agni_crc32(w->crc, p, n);
    return agni_put(w->o, p, n);
}

agn_status agni_put_number(agni_program_out *w, uint64_t v, int bytes)
{
    unsigned char b[8];
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(v >> 8 * i);
    return put_bytes(w, b, (size_t)bytes);
}

agn_status agni_put_string(agni_program_out *w, const char *s)
{
    agn_status st = agni_put_number(w, strlen(s), 4);
    return st ? st : put_bytes(w, s, strlen(s));
}

static agn_status put_numbers(agni_program_out *w, const void *p, int n, int bytes)
{
    agn_status st = AGN_OK;
    for (int i = 0; !st && i < n; i++) {
        uint64_t v = 0;
        uint32_t narrow;
        memcpy(bytes == 8 ? (void *)&v : (void *)&narrow,
               (const char *)p + (size_t)i * (size_t)bytes, (size_t)bytes);
        st = agni_put_number(w, bytes == 8 ? v : narrow, bytes);
    }
    return st;
}

/* ---- values ------------------------------------------------------------------------------ */

static agn_status put_kind(agni_program_out *w, const agn_tensor *x)
{
    int flags = (x->weak ? AGNI_KIND_WEAK : 0) | (x->uncommitted ? AGNI_KIND_ANYWHERE : 0);
    const unsigned char b[4] = {(unsigned char)x->dtype, (unsigned char)x->ndim,
                                (unsigned char)flags, 0};
    agn_status st = put_bytes(w, b, sizeof b);
    return st ? st : put_numbers(w, x->shape, x->ndim, 8);
}

static agn_status put_constant(agni_program_out *w, const agn_tensor *x)
{
    agn_tensor *rows = NULL;
    agn_status st = put_kind(w, x);
    st = st ? st : agni_rows(&rows, w->o->op, x);
    size_t bytes = st ? 0 : (size_t)agni_tensor_bytes(rows);
    char *copy = NULL;
    if (!st && bytes && !agni_little_endian()) {
        int complex = agni_kind(x->dtype) == AGNI_KIND_COMPLEX;
        if (!(copy = agni_alloc(bytes)))
            st = agni_nomem(w->o->op, bytes);
        else
            agni_swap_bytes(memcpy(copy, rows->data, bytes), (int64_t)bytes,
                            (int)agni_dtypes[x->dtype].bytes >> complex);
    }
    if (!st && bytes)
        st = put_bytes(w, copy ? copy : rows->data, bytes);
    agni_free(copy);
    agn_release(rows);
    return st;
}

/* ---- programs ------------------------------------------------------------------------------ */

static agn_status put_node(agni_program_out *w, const agni_prog *p, const agni_pnode *n)
{
    static const agni_attr none;
    const agni_attr *at = n->at ? n->at : &none;
    const uint64_t counts[] = {(uint64_t)n->nin, (uint64_t)n->nout, (uint64_t)at->ni,
                               (uint64_t)at->nf};
    agn_status st = agni_put_string(w, n->op->name);
    for (int i = 0; !st && i < AGNI_COUNT(counts); i++)
        st = agni_put_number(w, counts[i], 4);
    st = st ? st : agni_put_string(w, agni_program_object(n->op, at->obj));
    st = st ? st : put_numbers(w, p->arg + n->arg, n->nin, 4);
    st = st ? st : put_numbers(w, at->i, at->ni, 8);
    st = st ? st : put_numbers(w, at->f, at->nf, 8);
    return st || !at->obj ? st : agni_put_object(w, n->op, at->obj);
}

agn_status agni_put_program(agni_program_out *w, const agni_prog *p)
{
    const int32_t counts[] = {p->n_in, p->n_cap, p->n_node, p->n_out};
    agn_status st = put_numbers(w, counts, AGNI_COUNT(counts), 4);
    for (int i = 0; !st && i < p->n_in; i++)
        st = put_kind(w, p->val[i]);
    for (int i = 0; !st && i < p->n_cap; i++)
        st = put_constant(w, p->val[p->n_in + i]);
    for (int k = 0; !st && k < p->n_node; k++)
        st = put_node(w, p, &p->node[k]);
    return st ? st : put_numbers(w, p->out, p->n_out, 4);
}

/* Attributes that are no data, such as functions of the host, cannot be saved. */
agn_status agni_program_check(const agni_prog *p)
{
    for (int i = 0; i < p->n_cap; i++)
        if (p->val[p->n_in + i]->layout != AGN_DENSE)
            return agni_fail(AGN_EUNSUPPORTED,
                             "fn_save: captured tensor %d of %d is sparse", i,
                             p->n_cap);
    for (int k = 0; k < p->n_node; k++) {
        const agni_pnode *n = &p->node[k];
        if (!agni_program_object(n->op, n->at ? n->at->obj : NULL))
            return agni_fail(
                AGN_EUNSUPPORTED,
                "fn_save: %s, node %d, keeps functions of the host or an object that "
                "files have no form for (%s)",
                n->op->name, k, n->at->obj->type->name);
    }
    return AGN_OK;
}

agn_status agni_program_write(agni_output *o, const void *user)
{
    static const unsigned char magic[8] = "\x93"
                                          "AGNFN\r\n";
    agni_output *count = agni_alloc(sizeof *count);
    if (!count)
        return agni_nomem(o->op, sizeof *count);
    count->op = o->op;
    count->path = o->path;
    count->fd = AGNI_COUNT_ONLY;
    count->at = 0;
    count->n = 0;
    agni_program_out w = {count, 0};
    agn_status st = agni_put_program(&w, user);
    uint64_t bytes = (uint64_t)count->at;
    agni_free(count);
    w = (agni_program_out){o, 0};
    st = st ? st : agni_put(o, magic, sizeof magic);
    st = st ? st : agni_put_little(o, AGNI_PROGRAM_VERSION, 4);
    st = st ? st : agni_put_little(o, 0, 4);
    st = st ? st : agni_put_little(o, bytes, 8);
    st = st ? st : agni_put_program(&w, user);
    return st ? st : agni_put_little(o, w.crc, 4);
}
