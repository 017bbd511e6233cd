/* graph/launch/step_text.c - the text of small steps: element-wise rows and chains of them, casts,
   copies, concatenations and products of small matrices, as a loop of one block or of all over what
   the step gives (loop fusion needs no more than an order: Kennedy & McKinley 1994). */
#include "graph/launch/launch.h"

#include "tensor/rows/fused_chain.h"

const agni_op agni_op_fused_elementwise = {.name = "fused_elementwise", .ew = -1};
const agni_op agni_op_copies = {.name = "copies", .ew = -1};

#define SAY(...) agni_text_append(t, __VA_ARGS__)

/* functions of the rows (tensor/cuda/region_functions.h), and how many operands they take */
static const struct {
    const char *f;
    int nin;
} rows[AGNI_EW_COUNT] = {
#define ROW_AS(nin, name, f) [AGNI_EW_##name] = {"t_" #f, nin}
#define ROW(nin, name) ROW_AS(nin, name, name)
    ROW(1, neg),
    ROW(1, abs),
    ROW(1, square),
    ROW_AS(1, reciprocal, recip),
    ROW(1, sqrt),
    ROW(1, rsqrt),
    ROW(1, exp),
    ROW(1, expm1),
    ROW(1, log),
    ROW(1, log1p),
    ROW(1, sin),
    ROW(1, cos),
    ROW(1, tan),
    ROW(1, tanh),
    ROW(1, sigmoid),
    ROW(1, softplus),
    ROW(1, relu),
    ROW(1, sign),
    ROW(1, floor),
    ROW(1, ceil),
    ROW(1, trunc),
    ROW_AS(1, round, rint),
    ROW(1, erf),
    ROW(1, erfc),
    ROW(1, isnan),
    ROW(1, logical_not),
    ROW(2, add),
    ROW(2, sub),
    ROW(2, mul),
    ROW(2, mulz),
    ROW(2, div),
    ROW(2, pow),
    ROW_AS(2, maximum, max),
    ROW_AS(2, minimum, min),
    ROW(2, lt),
    ROW(2, le),
    ROW(2, eq),
    ROW(2, ne),
    ROW(2, gt),
    ROW(2, ge),
    ROW(2, logical_and),
    ROW(2, logical_or),
    ROW(3, where),
#undef ROW
#undef ROW_AS
};

static const agn_tensor *array_of(const agni_plan *p, const agni_step *s, int k)
{
    return p->val[p->arr[s->arr + k]].h;
}

/* ---- which steps have one ---------------------------------------------------------------------- */

/* real numbers of one dtype, and truth values */
static bool is_real(const agni_plan *p, const agni_step *s, bool one)
{
    int dtype = AGN_BOOL;
    for (int k = 0; k < s->nin + s->nout; k++) {
        int d = array_of(p, s, k)->dtype;
        if (d != AGN_BOOL && d != AGN_F32 && d != AGN_F64)
            return false;
        if (one && d != AGN_BOOL && dtype != AGN_BOOL && d != dtype)
            return false;
        dtype = d == AGN_BOOL ? dtype : d;
    }
    return true;
}

/* the code of an element-wise step as words of a chain; their number, 0: it is none */
static int list_words(const agni_plan *p, const agni_step *s, agni_chain_word *word)
{
    int n = 0;
    bool cast = s->op == &agni_op_cast;
    if (s->op == &agni_op_fused_elementwise) {
        for (n = 0; n < s->at->ni; n++) {
            word[n] = agni_chain_unpack(s->at->i[n]);
            if (word[n].op < AGNI_EW_COUNT && !rows[word[n].op].f)
                return 0;
        }
        return n;
    }
    if (s->nout != 1 || s->nin > 3 || !is_real(p, s, !cast) ||
        (!cast && (s->op->ew < 0 || !rows[s->op->ew].f)))
        return 0;
    for (; n < s->nin; n++)
        word[n] = (agni_chain_word){AGNI_CHAIN_LOAD, (uint8_t)n, (uint8_t)n, 0, 0};
    word[n++] = (agni_chain_word){cast ? AGNI_CHAIN_MOVE : (int16_t)s->op->ew, 3, 0, 1, 2};
    word[n++] = (agni_chain_word){AGNI_CHAIN_STORE, 0, 3, 0, 0};
    return n;
}

static bool is_product(const agni_plan *p, const agni_step *s)
{
    return s->op == &agni_op_matmul && is_real(p, s, true) && array_of(p, s, 2)->ndim == 2 &&
           array_of(p, s, 0)->ndim == 2 && array_of(p, s, 1)->ndim == 2 &&
           array_of(p, s, 2)->dtype != AGN_BOOL;
}
static bool is_copy(const agni_plan *p, const agni_step *s)
{
    for (int k = 0; s->op == &agni_op_copies && k < s->nin; k++)
        if (!agni_same_shape(array_of(p, s, k), array_of(p, s, s->nin + k)))
            return false;
    return (s->op == &agni_op_copies || s->op == &agni_op_copy || s->op == &agni_op_concat) &&
           agni_dtypes[array_of(p, s, s->nin)->dtype].bytes <= 8;
}

int64_t agni_step_text_size(const agni_plan *p, const agni_step *s)
{
    int64_t size = 0;
    for (int k = s->nin; k < s->nin + (s->op == &agni_op_copies ? s->nout : 1); k++)
        size += array_of(p, s, k)->size;
    return size;
}
int64_t agni_step_text_work(const agni_plan *p, const agni_step *s)
{
    agni_chain_word word[AGNI_CHAIN_WORDS];
    if (s->kind != AGNI_STEP_KERNEL || s->prepacked)
        return 0;
    int64_t size = agni_step_text_size(p, s);
    if (is_copy(p, s))
        return size;
    if (is_product(p, s))
        return size * array_of(p, s, 0)->shape[1];
    return size * list_words(p, s, word);
}
int32_t agni_step_n_number(const agni_step *s)
{
    return s->op == &agni_op_fused_elementwise ? s->at->nf : 0;
}

/* ---- their text -------------------------------------------------------------------------------- */

/* the offset in y of element e of an array of the shape of x, to which y broadcasts */
static void write_offset(const agn_tensor *x, const agn_tensor *y, agni_text *t)
{
    int64_t inner = 1;
    bool any = false;
    for (int d = 1; d <= y->ndim; d++) {
        int64_t n = x->shape[x->ndim - d], by = y->shape[y->ndim - d] > 1 ? y->stride[y->ndim - d]
                                                                          : 0;
        if (n > 1 && by) {
            SAY("%se / %lldll %% %lldll * %lldll", any ? " + " : "", (long long)inner, (long long)n,
                (long long)by);
            any = true;
        }
        inner *= n;
    }
    if (!any)
        SAY("0");
}
static void begin_elements(int64_t n, agni_text *t)
{
    SAY("    for (long long e = first; e < %lldll; e += by) {\n", (long long)n);
}
static const char *type_of(const agn_tensor *x)
{
    return x->dtype == AGN_F64 ? "double" : x->dtype == AGN_F32 ? "float" : "bool";
}

static void write_words(const agni_plan *p, const agni_step *s, const agni_launch_member *at,
                        const agni_chain_word *word, int n, agni_text *t)
{
    const agn_tensor *y = array_of(p, s, s->nin);
    bool wide = false;
    int last = 0;
    for (int k = 0; k < s->nin + s->nout; k++)
        wide = wide || array_of(p, s, k)->dtype == AGN_F64;
    for (int k = 0; k < n; k++)
        last = word[k].op != AGNI_CHAIN_STORE && word[k].dst > last ? word[k].dst : last;
    begin_elements(y->size, t);
    SAY("        %s r0 = 0", wide ? "double" : "float");
    for (int r = 1; r <= last; r++)
        SAY(", r%d = 0", r);
    SAY(";\n");
    for (int q = 0; q < n; q++) {
        agni_chain_word v = word[q];
        bool load = v.op == AGNI_CHAIN_LOAD, store = v.op == AGNI_CHAIN_STORE;
        if (load || store) {
            int k = load ? v.a : s->nin + v.dst;
            const agn_tensor *x = array_of(p, s, k);
            if (load)
                SAY("        r%d = ", v.dst);
            SAY("%s((%s%s *)a.array[%d])[", load ? "" : "        ", load ? "const " : "", type_of(x),
                at->array + k);
            write_offset(y, x, t);
            if (load)
                SAY("];\n");
            else
                SAY(x->dtype == AGN_BOOL ? "] = r%d != 0;\n" : "] = r%d;\n", v.a);
        } else if (v.op == AGNI_CHAIN_NUMBER) {
            SAY("        r%d = a.number[%d];\n", v.dst, at->number + v.a);
        } else if (v.op == AGNI_CHAIN_MOVE) {
            SAY("        r%d = r%d;\n", v.dst, v.a);
        } else {
            SAY("        r%d = %s(r%d", v.dst, rows[v.op].f, v.a);
            if (rows[v.op].nin > 1)
                SAY(", r%d", v.b);
            if (rows[v.op].nin > 2)
                SAY(", r%d", v.c);
            SAY(");\n");
        }
    }
    SAY("    }\n");
}

/* one operand after the other, each to its place along the axis */
static void write_copies(const agni_plan *p, const agni_step *s, const agni_launch_member *at,
                         agni_text *t)
{
    static const char *const word[9] = {[1] = "unsigned char",
                                        [2] = "unsigned short",
                                        [4] = "unsigned",
                                        [8] = "unsigned long long"};
    const agn_tensor *y = array_of(p, s, s->nin);
    const char *type = word[agni_dtypes[y->dtype].bytes];
    int d = s->op == &agni_op_concat ? (int)s->at->i[0] + y->ndim : 0;
    int64_t done = 0;
    for (int k = 0; k < s->nin; k++) {
        const agn_tensor *x = array_of(p, s, k);
        int to = s->nin + (s->op == &agni_op_copies ? k : 0);
        y = array_of(p, s, to);
        begin_elements(x->size, t);
        SAY("        ((%s *)a.array[%d])[%lldll + ", type, at->array + to,
            (long long)(s->op == &agni_op_concat ? done * y->stride[d] : 0));
        write_offset(x, y, t);
        SAY("] = ((const %s *)a.array[%d])[", type, at->array + k);
        write_offset(x, x, t);
        SAY("];\n    }\n");
        done += x->ndim ? x->shape[d] : 0;
    }
}

static void write_product(const agni_plan *p, const agni_step *s, const agni_launch_member *at,
                          agni_text *t)
{
    const agn_tensor *a = array_of(p, s, 0), *b = array_of(p, s, 1), *y = array_of(p, s, 2);
    const char *type = type_of(y);
    begin_elements(y->size, t);
    SAY("        const %s *p = (const %s *)a.array[%d] + e / %lldll * %lldll;\n", type, type,
        at->array, (long long)y->shape[1], (long long)a->stride[0]);
    SAY("        const %s *q = (const %s *)a.array[%d] + e %% %lldll * %lldll;\n", type, type,
        at->array + 1, (long long)y->shape[1], (long long)b->stride[1]);
    SAY("        %s v = 0;\n        for (int k = 0; k < %lld; k++)\n"
        "            v = t_add_product(v, p[k * %lldll], q[k * %lldll]);\n",
        type, (long long)a->shape[1], (long long)a->stride[1], (long long)b->stride[0]);
    SAY("        ((%s *)a.array[%d])[", type, at->array + 2);
    write_offset(y, y, t);
    SAY("] = v;\n    }\n");
}

void agni_step_write_text(const agni_plan *p, const agni_step *s, const agni_launch_member *at,
                          agni_text *t)
{
    agni_chain_word word[AGNI_CHAIN_WORDS];
    SAY("static __device__ void run(const region_arguments &a, const int first, const int by)\n{\n");
    if (is_copy(p, s))
        write_copies(p, s, at, t);
    else if (is_product(p, s))
        write_product(p, s, at, t);
    else
        write_words(p, s, at, word, list_words(p, s, word), t);
    SAY("}\n");
}
