/* exchange/program/program_read.c - deserialisation of a program: nodes are applied to symbolic
   values, so that the inference of each op validates them. */
#include "exchange/program/program.h"

#include "core/internal.h"
#include "core/memory/scope.h"
#include "exchange/file/zip.h"
#include <stdarg.h>
#include <string.h>

/* ---- bytes ------------------------------------------------------------------------------- */

agn_status agni_bad_program(agni_reader *r, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    if (r->st)
        return r->st;
    va_start(ap, fmt);
    agni_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    return r->st = agni_fail(AGN_EFORMAT, "%s: %s: byte %lld: %s", r->in->op,
                             agni_path_end(r->in->file), (long long)r->at, text);
}

static bool read_bytes(agni_reader *r, void *p, int64_t n, const char *what)
{
    if (!r->st && n > r->end - r->at)
        agni_bad_program(r, "%s takes %lld bytes, %lld are left", what, (long long)n,
                         (long long)(r->end - r->at));
    if (!r->st && n)
        r->st = agni_input_read(r->in, r->at, p, (size_t)n, what);
    r->at += r->st ? 0 : n;
    return !r->st;
}

uint64_t agni_take_number(agni_reader *r, int bytes, const char *what)
{
    unsigned char b[8] = {0};
    return read_bytes(r, b, bytes, what) ? agni_little(b, bytes) : 0;
}

int32_t agni_take_count(agni_reader *r, int64_t each, const char *what)
{
    int64_t n = (int64_t)agni_take_number(r, 4, what);
    if (r->st || n <= (r->end - r->at) / each)
        return (int32_t)n;
    agni_bad_program(r, "%lld %s are more than %lld bytes can hold", (long long)n, what,
                     (long long)(r->end - r->at));
    return 0;
}

void agni_take_text(agni_reader *r, char *buf, size_t n, const char *what)
{
    int32_t len = agni_take_count(r, 1, what);
    if (!r->st && (size_t)len >= n)
        agni_bad_program(r, "%s has %d bytes, at most %zu make sense", what, len,
                         n - 1);
    read_bytes(r, buf, r->st ? 0 : len, what);
    buf[r->st ? 0 : len] = '\0';
    if (!r->st && strlen(buf) != (size_t)len)
        agni_bad_program(r, "%s has a byte 0 within", what);
}

/* ---- values -------------------------------------------------------------------------------- */

static agn_tensor *read_value_kind(agni_reader *r, int i)
{
    unsigned char b[4] = {0};
    int64_t shape[AGNI_MAX_RANK], size = 1;
    read_bytes(r, b, sizeof b, "a kind");
    if (!r->st && (b[0] >= AGN_NDTYPES || b[1] > AGNI_MAX_RANK || b[2] > 3 || b[3]))
        agni_bad_program(r, "value %d is of dtype %d, rank %d, flags %d", i, b[0], b[1],
                         b[2]);
    for (int d = 0; !r->st && d < b[1]; d++) {
        shape[d] = (int64_t)agni_take_number(r, 8, "a shape");
        if (!r->st &&
            (shape[d] < 0 || !agni_checked_mul(size, shape[d] ? shape[d] : 1, &size) ||
             size > INT64_MAX / 16))
            agni_bad_program(r, "value %d has the extent %lld", i, (long long)shape[d]);
    }
    agn_tensor *x = r->st ? NULL : agni_tensor_header(b[0], b[1], shape);
    if (!r->st && !x)
        r->st = agni_nomem(r->in->op, sizeof *x);
    if (x) {
        x->weak = b[2] & AGNI_KIND_WEAK;
        x->uncommitted = b[2] & AGNI_KIND_ANYWHERE;
    }
    return x;
}

static agn_tensor *read_constant(agni_reader *r, int i)
{
    agn_tensor *kind = read_value_kind(r, i), *x = NULL;
    int64_t bytes = kind ? agni_tensor_bytes(kind) : 0;
    if (!r->st && bytes > r->end - r->at)
        agni_bad_program(r, "constant %d takes %lld bytes, %lld are left", i,
                         (long long)bytes, (long long)(r->end - r->at));
    if (!r->st)
        r->st = agni_tensor_make(&x, r->in->op, kind->dtype, kind->ndim, kind->shape,
                                 AGN_CPU);
    if (!r->st && read_bytes(r, x->data, bytes, "a constant") && !agni_little_endian())
        agni_swap_bytes(x->data, bytes,
                        (int)agni_dtypes[x->dtype].bytes >>
                            (agni_kind(x->dtype) == AGNI_KIND_COMPLEX));
    for (int64_t k = 0; !r->st && x->dtype == AGN_BOOL && k < bytes; k++)
        if (((const unsigned char *)x->data)[k] > 1)
            agni_bad_program(r, "constant %d has a bool that is %d", i,
                             ((const unsigned char *)x->data)[k]);
    if (!r->st) {
        x->weak = kind->weak;
        x->uncommitted = kind->uncommitted;
    }
    agn_release(kind);
    if (!r->st)
        return x;
    agn_release(x);
    return NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef struct body {
    agni_reader *r;
    int32_t n_in, n_node, n_out;
    const agn_tensor **v;
    int64_t n, cap; /* values so far */
} body;

static bool reserve_values(body *b, int64_t more)
{
    int64_t cap = b->cap;
    while (cap < b->n + more)
        cap = cap ? 2 * cap : 64;
    if (cap == b->cap)
        return true;
    const agn_tensor **v = agni_realloc(b->v, (size_t)cap * sizeof *v);
    if (!v) {
        b->r->st = agni_nomem(b->r->in->op, (size_t)cap * sizeof *v);
        return false;
    }
    b->v = v;
    b->cap = cap;
    return true;
}

static const agn_tensor *read_operand(const body *b)
{
    uint64_t v = agni_take_number(b->r, 4, "a value");
    if (!b->r->st && v >= (uint64_t)b->n)
        agni_bad_program(b->r, "value %llu is asked for, there are %lld",
                         (unsigned long long)v, (long long)b->n);
    return b->r->st ? NULL : b->v[v];
}

/* a node that its op refuses makes the file invalid */
static void report_refusal(agni_reader *r, const char *op, agn_status st)
{
    char why[160];
    /* AGN_ENOMEM is also said of a size that cannot exist, which is the file's fault */
    bool starved = st == AGN_ENOMEM && strstr(agn_error_message(), "memory");
    if (!st || starved) {
        r->st = st;
        return;
    }
    agni_format(why, sizeof why, "%s", agn_error_message());
    agni_bad_program(r, "a node of %s: %s", op, why);
}

static void apply_node(body *b, agn_scope *s, const agni_op *op, const agni_attr *at, int nin,
                       const agn_tensor *const *in, int nout)
{
    agni_reader *r = b->r;
    const char *why = agni_program_misfit(op, at, nin, in, nout);
    agn_tensor **y = agni_zalloc((size_t)(nout + 1) * sizeof *y);
    agn_status st = AGN_OK;
    if (!y)
        r->st = agni_nomem(r->in->op, (size_t)nout * sizeof *y);
    else if (why)
        agni_bad_program(r, "a node of %s: %s", op->name, why);
    else if ((st = agni_apply(op, at, nin, in, nout, y)))
        report_refusal(r, op->name, st);
    for (int o = 0; y && !r->st && o < nout; o++)
        b->v[b->n++] = agn_scope_adopt(s, AGN_OK, &y[o]);
    agni_free(y);
}

enum { MOST_RESULTS = 1 << 16, NODE_BYTES = 24 };

static void read_node(body *b, agn_scope *s)
{
    agni_reader *r = b->r;
    char name[64], kind[64];
    agni_take_text(r, name, sizeof name, "the name of an op");
    const agni_op *op = r->st ? NULL : agni_op_find(name);
    if (!r->st && !op)
        agni_bad_program(r, "an op called \"%s\", of which nothing is known", name);
    int32_t nin = agni_take_count(r, 4, "arguments");
    int32_t nout = agni_take_count(r, 1, "results");
    int32_t ni = agni_take_count(r, 8, "integers"), nf = agni_take_count(r, 8, "reals");
    agni_take_text(r, kind, sizeof kind, "the kind of an object");
    if (!r->st &&
        (nin < 1 || nout < 1 || nout > MOST_RESULTS ||
         (op->nin >= 0 && nin != op->nin) || (op->nout >= 0 && nout != op->nout)))
        agni_bad_program(r, "a node of %s with %d arguments and %d results", name, nin,
                         nout);
    size_t n = r->st ? 0 : (size_t)nin + 1, k = r->st ? 0 : (size_t)ni + (size_t)nf + 1;
    const agn_tensor **in = agni_alloc((n + 1) * sizeof *in);
    int64_t *i = agni_alloc((k + 1) * sizeof *i);
    double *f = agni_alloc((k + 1) * sizeof *f);
    if (!r->st && (!in || !i || !f))
        r->st = agni_nomem(r->in->op, n * sizeof *in + k * sizeof *i);
    for (int a = 0; !r->st && a < nin; a++)
        in[a] = read_operand(b);
    for (int a = 0; !r->st && a < ni; a++)
        i[a] = (int64_t)agni_take_number(r, 8, "an integer");
    for (int a = 0; !r->st && a < nf; a++) {
        uint64_t bits = agni_take_number(r, 8, "a real");
        memcpy(&f[a], &bits, sizeof bits);
    }
    agni_obj *o = !r->st && *kind ? agni_take_object(r, op, kind) : NULL;
    agni_attr at = {.ni = ni, .nf = nf, .i = i, .f = f, .obj = o};
    if (!r->st) /* before what it says about the arguments is looked at */
        report_refusal(r, name, agni_check_signature(op, &at, nin, in));
    bool attributes = !r->st && op->takes && strchr(op->takes, ':');
    if (!r->st && reserve_values(b, nout))
        apply_node(b, s, op, attributes ? &at : NULL, nin, in, nout);
    if (o)
        agni_obj_release(o);
    agni_free(in);
    agni_free(i);
    agni_free(f);
}

static agn_status read_nodes(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    body *b = user;
    if (reserve_values(b, b->n_in) && b->n_in)
        memcpy(b->v, in, (size_t)b->n_in * sizeof *in);
    b->n = b->n_in;
    for (int32_t k = 0; !b->r->st && k < b->n_node; k++)
        read_node(b, s);
    for (int32_t o = 0; !b->r->st && o < b->n_out; o++)
        out[o] = read_operand(b);
    return b->r->st;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* the last n inputs of p are constants: c[] */
static agn_status bind_constants(agni_prog *p, int n, agn_tensor *const *c)
{
    int64_t *version = agni_alloc((size_t)(p->n_cap + n + 1) * sizeof *version);
    if (!version)
        return agni_nomem("program", (size_t)n * sizeof *version);
    for (int i = 0; i < n; i++) {
        int32_t v = p->n_in - n + i;
        agn_release(p->val[v]);
        p->val[v] = agni_tensor_ref(c[i]);
        version[i] = agni_tensor_version(c[i]);
    }
    if (p->n_cap)
        memcpy(version + n, p->cap_version, (size_t)p->n_cap * sizeof *version);
    agni_free(p->cap_version);
    p->cap_version = version;
    p->n_in -= n;
    p->n_cap += n;
    return AGN_OK;
}

static agn_status trace_body(agni_prog **out, body *b, int n_in, agn_tensor *const *in)
{
    agni_prog *live = NULL;
    const agn_tensor **extra = NULL;
    uint64_t first;
    int n_extra = 0;
    agn_status st = agni_trace_body(&live, &first, read_nodes, b, n_in,
                                    (const agn_tensor *const *)in, b->n_out, true);
    st = st ? st : agni_prog_store(out, live, &n_extra, &extra);
    agni_free(extra);
    agni_prog_release(live);
    if (!st && n_extra) /* every value comes from an input */
        st = agni_bad_program(b->r, "%d values from nowhere", n_extra);
    return st;
}

void agni_take_program(agni_reader *r, agni_prog **out)
{
    int32_t n_in = agni_take_count(r, 4, "inputs"),
            n_const = agni_take_count(r, 4, "constants");
    int32_t n_node = agni_take_count(r, NODE_BYTES, "nodes");
    int32_t n_out = agni_take_count(r, 4, "results"), n = 0, most = 1 << 20;
    if (!r->st && (n_out < 1 || n_out > most || n_in > most || n_const > most))
        agni_bad_program(r, "a program of %d inputs, %d constants and %d results", n_in,
                         n_const, n_out);
    if (!r->st && ++r->depth > AGNI_PROGRAM_NESTED)
        agni_bad_program(r, "programs within programs, more than %d",
                         AGNI_PROGRAM_NESTED);
    agn_tensor **in = r->st ? NULL
                            : agni_zalloc(((size_t)n_in + (size_t)n_const + 1) *
                                          sizeof *in);
    if (!r->st && !in)
        r->st = agni_nomem(r->in->op, (size_t)n_in * sizeof *in);
    for (; !r->st && n < n_in + n_const; n++)
        in[n] = n < n_in ? read_value_kind(r, n) : read_constant(r, n);
    agni_prog *p = NULL;
    body b = {.r = r, .n_in = n_in + n_const, .n_node = n_node, .n_out = n_out};
    if (!r->st) {
        agn_status st = trace_body(&p, &b, n, in);
        r->st = r->st ? r->st : st;
    }
    if (!r->st)
        r->st = bind_constants(p, n_const, in + n_in);
    for (int i = 0; in && i < n; i++)
        agn_release(in[i]);
    agni_free(in);
    agni_free(b.v);
    r->depth--;
    if (r->st)
        agni_prog_release(p);
    else
        *out = p;
}

/* ---- files ----------------------------------------------------------------------------------- */

static agn_status check_checksum(agni_reader *r)
{
    char part[4096];
    uint32_t crc = 0;
    for (int64_t at = r->at; !r->st && at < r->end;) {
        size_t n = r->end - at < (int64_t)sizeof part ? (size_t)(r->end - at)
                                                      : sizeof part;
        r->st = agni_input_read(r->in, at, part, n, "the program");
        crc = r->st ? 0 : agni_crc32(crc, part, n);
        at += (int64_t)n;
    }
    unsigned char sum[4];
    if (!r->st)
        r->st = agni_input_read(r->in, r->end, sum, 4, "the checksum");
    if (!r->st && agni_little(sum, 4) != crc)
        agni_bad_program(
            r, "the file is damaged: its checksum is %08llx, that of its bytes %08x",
            (unsigned long long)agni_little(sum, 4), (unsigned)crc);
    return r->st;
}

agn_status agni_program_read(agni_prog **out, const agni_input *in)
{
    unsigned char head[AGNI_PROGRAM_HEADER];
    agni_prog *p = NULL;
    agni_reader r = {.in = in, .end = in->size};
    read_bytes(&r, head, sizeof head, "the header");
    if (!r.st && memcmp(head,
                        "\x93"
                        "AGNFN\r\n",
                        8) != 0)
        agni_bad_program(&r, "this is no saved function");
    uint64_t version = r.st ? 0 : agni_little(head + 8, 4),
             bytes = r.st ? 0 : agni_little(head + 16, 8);
    if (!r.st && (version < 1 || version > AGNI_PROGRAM_VERSION))
        agni_bad_program(&r, "the file is of version %llu, versions 1 to %d are known",
                         (unsigned long long)version, AGNI_PROGRAM_VERSION);
    if (!r.st && bytes + 4 != (uint64_t)(in->size - AGNI_PROGRAM_HEADER))
        agni_bad_program(&r, "the program has %llu bytes and a checksum, %lld follow",
                         (unsigned long long)bytes,
                         (long long)(in->size - AGNI_PROGRAM_HEADER));
    r.end = in->size - 4;
    if (!r.st && !check_checksum(&r))
        agni_take_program(&r, &p);
    if (!r.st && r.at != r.end)
        agni_bad_program(&r, "%lld bytes follow the program",
                         (long long)(r.end - r.at));
    if (r.st)
        agni_prog_release(p);
    else
        *out = p;
    return r.st;
}
