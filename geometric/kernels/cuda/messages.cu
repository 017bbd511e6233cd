/* geometric/kernels/cuda/messages.cu - message passing over a graph on a device: a thread for each
   element of the result reduces the edges of its row in their order, or those of a part of a hub,
   whose parts are then reduced in theirs, so that the same bits come every time. Operands are read
   where they stand. */
#include "geometric/kernels/cuda/parts.cuh"

#include <cstring>
#include <cuda_runtime.h>

namespace {

enum { OPERANDS = 5, THREADS = 256 };
/* as in geometric/kernels/cpu/message_rows.h */
enum { COPY, ADD, SUB, MUL, DIV };
enum { SUM, MAX, MIN };

/* Axes of features and of the batch; strides in elements, 0 where an operand is spread. */
struct axes {
    int32_t n;
    int64_t size[AGN_MAX_RANK], stride[OPERANDS][AGN_MAX_RANK];
};
struct messages {
    int32_t operands, message, reduce, to;
    int32_t at[OPERANDS];
    int64_t rows, width, inner; /* of the result; products that are summed within an element */
    int64_t row[OPERANDS];      /* elements of a row */
    axes batch, kept, summed;
    const void *x[OPERANDS];
};

__device__ inline void add_places(const axes &a, int64_t i, int n, int64_t *place)
{
    for (int d = a.n - 1; d >= 0; d--) {
        int64_t q = i / a.size[d], j = i - q * a.size[d];
        for (int k = 0; k < n; k++)
            place[k] += j * a.stride[k][d];
        i = q;
    }
}

template <class T> struct number { /* sums and products of integers wrap around */
    typedef T wrap;
};
template <> struct number<int32_t> {
    typedef uint32_t wrap;
};
template <> struct number<int64_t> {
    typedef uint64_t wrap;
};

template <class T> __device__ inline T quotient(T a, T b) { return a / b; }
/* those of integers are taken as real numbers, elsewhere */
inline __device__ int32_t quotient(int32_t a, int32_t) { return a; }
inline __device__ int64_t quotient(int64_t a, int64_t) { return a; }

template <class T> __device__ inline T combine(int f, T a, T b)
{
    typedef typename number<T>::wrap U;
    switch (f) {
    case ADD: return (T)((U)a + (U)b);
    case SUB: return (T)((U)a - (U)b);
    case MUL: return (T)((U)a * (U)b);
    case DIV: return quotient(a, b);
    default: return a;
    }
}
/* NaN wins */
template <class T> __device__ inline T fold(int r, T y, T m)
{
    typedef typename number<T>::wrap U;
    switch (r) {
    case MAX: return m > y || m != m ? m : y;
    case MIN: return m < y || m != m ? m : y;
    default: return (T)((U)y + (U)m);
    }
}

__device__ inline int64_t row_of(const messages &q, const agni_cu_graph &g, int k, int64_t edge,
                                 int64_t own)
{
    return q.at[k] == q.to ? own : q.at[k] == AGNI_CU_EDGES ? edge : g.end[q.at[k]][edge];
}

/* units: rows, and what hubs have beyond a part, whose results are pieces */
template <class T>
__global__ void __launch_bounds__(THREADS)
    reduce_messages(const __grid_constant__ messages q, const __grid_constant__ agni_cu_graph g,
                    T *y, T *piece, int64_t units, int64_t size, bool ties)
{
    typedef typename number<T>::wrap U;
    AGNI_CU_EACH (t, size) {
        int64_t line = t / q.width, b = line / units, u = line - b * units, f = t - line * q.width;
        int64_t place[OPERANDS] = {0, 0, 0, 0, 0};
        add_places(q.batch, b, q.operands, place);
        add_places(q.kept, f, q.operands, place);
        bool edges = q.to == AGNI_CU_EDGES;
        stretch own = edges ? stretch{u, u, u + 1} : stretch_of(g, q.to, u);
        T sum = 0;
        for (int64_t k = own.first; k < own.last; k++) {
            int64_t e = edges ? k : g.edge[q.to][k], from[OPERANDS];
            for (int o = 0; o < q.operands; o++)
                from[o] = place[o] + row_of(q, g, o, e, own.node) * q.row[o];
            for (int64_t j = 0; j < q.inner; j++) {
                int64_t at[OPERANDS];
                T v[OPERANDS];
                for (int o = 0; o < q.operands; o++)
                    at[o] = from[o];
                if (q.inner > 1)
                    add_places(q.summed, j, q.operands, at);
                for (int o = 0; o < q.operands; o++)
                    v[o] = ((const T *)q.x[o])[at[o]];
                if (ties) {
                    T m = combine(q.message, v[1], v[2]);
                    sum = m == v[0] || m != m ? (T)((U)sum + (U)v[3] * (U)v[4]) : sum;
                } else {
                    T m = combine(q.message, v[0], q.operands > 1 ? v[1] : v[0]);
                    sum = q.reduce != SUM && k == own.first && j == 0 ? m
                                                                      : fold(q.reduce, sum, m);
                }
            }
        }
        T *to = u < q.rows ? y + (b * q.rows + u) * q.width
                           : piece + (b * (units - q.rows) + u - q.rows) * q.width;
        to[f] = sum;
    }
}

/* the pieces of each hub, behind its first part */
template <class T>
__global__ void __launch_bounds__(THREADS)
    join_pieces(const __grid_constant__ messages q, const __grid_constant__ agni_cu_graph g, T *y,
                const T *piece, int64_t size)
{
    int64_t hubs = g.hubs[q.to], parts = g.parts[q.to];
    AGNI_CU_EACH (t, size) {
        int64_t line = t / q.width, b = line / hubs, h = line - b * hubs, f = t - line * q.width;
        int64_t from = g.first_part[q.to][h], to = g.first_part[q.to][h + 1];
        T *own = y + (b * q.rows + g.node_of[q.to][from]) * q.width + f, sum = *own;
        for (int64_t k = from; k < to; k++)
            sum = fold(q.reduce, sum, piece[(b * parts + k) * q.width + f]);
        *own = sum;
    }
}

/* ---- a call --------------------------------------------------------------------------------- */

/* by the name of an op: operands, message, reduction; whether flags of features end its integers */
struct form {
    const char *name;
    int operands, message, reduce;
    bool flags, given;
};
const form forms[] = {
    {"graph_copy", 1, COPY, SUM, false, false}, {"graph_add", 2, ADD, SUM, false, false},
    {"graph_mul", 2, MUL, SUM, true, false},    {"graph_div", 2, DIV, SUM, false, false},
    {"graph_extreme", 2, COPY, MIN, false, true}, {"graph_tie", 5, COPY, SUM, true, true},
};

/* features[n] of the op and, of those summed, flags or NULL */
int read_form(const agn_kernel_call *c, messages *q, const int64_t **flags)
{
    const form *f = forms;
    const int64_t *v = c->ints;
    while (strcmp(f->name, c->op) != 0)
        f++;
    q->operands = f->operands;
    q->message = f->message;
    q->reduce = f->reduce;
    for (int i = 0; i < f->operands; i++)
        q->at[i] = (int32_t)*v++;
    q->to = (int32_t)*v++;
    int left = c->n_int - f->operands - 1;
    if (f->given) {
        q->message = (int32_t)*v++;
        left--;
    }
    *flags = f->flags ? v : NULL;
    if (f->flags)
        return left;
    int features = (int)*v++;
    if (left > 1 && f->given && *v)
        q->reduce = MAX;
    else if (left > 1 && *v)
        q->message = SUB;
    return features;
}

/* of axis d from the end of the features, or of a whole operand where front is the rank left out */
int64_t stride_of(const agn_array *x, int from_end)
{
    int64_t stride = 1;
    int axis = x->ndim - from_end;
    if (axis < 0 || x->shape[axis] == 1)
        return 0;
    for (int d = axis + 1; d < x->ndim; d++)
        stride *= x->shape[d];
    return stride;
}

void add_axis(axes *a, const agn_kernel_call *c, int operands, int64_t size, int from_end)
{
    if (size == 1)
        return;
    a->size[a->n] = size;
    for (int k = 0; k < operands; k++)
        a->stride[k][a->n] = stride_of(c->in + k, from_end);
    a->n++;
}

void find_axes(const agn_kernel_call *c, messages *q, int features, const int64_t *flags)
{
    const agn_array *y = c->out;
    q->rows = y->shape[y->ndim - 1 - features];
    q->width = q->inner = 1;
    for (int k = 0; k < q->operands; k++) {
        q->x[k] = c->in[k].data;
        q->row[k] = 1;
        for (int d = 0; d < features; d++)
            q->row[k] *= c->in[k].shape[c->in[k].ndim - 1 - d];
    }
    for (int d = 0; d < y->ndim - 1 - features; d++)
        add_axis(&q->batch, c, q->operands, y->shape[d], y->ndim - d);
    for (int d = 0; d < features; d++) {
        int64_t size = 1;
        for (int k = 0; k < q->operands; k++) {
            int64_t n = c->in[k].shape[c->in[k].ndim - features + d];
            size = n != 1 ? n : size;
        }
        bool sums = flags && flags[d];
        add_axis(sums ? &q->summed : &q->kept, c, q->operands, size, features - d);
        *(sums ? &q->inner : &q->width) *= size;
    }
}

template <class T> agn_status start_messages(const agn_kernel_call *c, const messages &q)
{
    agni_cu_graph g;
    T *y = (T *)c->out->data;
    void *piece = NULL;
    cudaStream_t s = (cudaStream_t)c->stream;
    agn_status st = agni_cu_graph_of(c, &g);
    if (st)
        return st;
    bool edges = q.to == AGNI_CU_EDGES;
    int64_t parts = edges ? 0 : g.parts[q.to], units = q.rows + parts,
            lines = agni_cu_size(c->out) / q.rows; /* batch times width */
    if (parts)
        st = agni_cu_scratch(c, (size_t)(lines * parts) * sizeof(T), &piece);
    if (st)
        return st;
    reduce_messages<T><<<agni_cu_blocks(lines * units, THREADS), THREADS, 0, s>>>(
        q, g, y, (T *)piece, units, lines * units, q.operands == OPERANDS);
    if (parts)
        join_pieces<T><<<agni_cu_blocks(lines * g.hubs[q.to], THREADS), THREADS, 0, s>>>(
            q, g, y, (const T *)piece, lines * g.hubs[q.to]);
    st = agni_cu_check_launch(c);
    agni_cu_scratch_free(c, piece);
    return st;
}

template <class T> agn_status run_messages(const agn_kernel_call *c)
{
    messages q = {};
    const int64_t *flags;
    if (agni_cu_size(c->out) == 0)
        return AGN_OK;
    int features = read_form(c, &q, &flags);
    find_axes(c, &q, features, flags);
    int was = agni_cu_enter(c->device);
    agn_status st = start_messages<T>(c, q);
    agni_cu_leave(was);
    return st;
}

#define FLOATS(name, run) {name, AGN_F32, false, run<float>}, {name, AGN_F64, false, run<double>}
#define REALS(name, run) \
    FLOATS(name, run), {name, AGN_I32, false, run<int32_t>}, {name, AGN_I64, false, run<int64_t>}
const agn_kernel_entry table[] = {
    REALS("graph_copy", run_messages),    REALS("graph_add", run_messages),
    REALS("graph_mul", run_messages),     FLOATS("graph_div", run_messages),
    REALS("graph_extreme", run_messages), FLOATS("graph_tie", run_messages),
};

} // namespace

extern "C" const agni_cu_table agni_cu_messages = {table, (int)(sizeof table / sizeof *table)};
