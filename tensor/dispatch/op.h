/* tensor/dispatch/op.h - what an op is: one constant row, read by dispatch, derivatives and tests.

   An op says one rule, by its class; every other mode is derived (autograd/):
     EW       partial(i): the i-th partial derivative as an expression
     LINEAR   transpose(i): the adjoint in argument i; jointly linear in its diff arguments
     MULTI    transpose(i): linear in each diff argument separately
     CHOICE, SOLVE   jvp: the tangent, linear in the tangents given
     CONTROL  jvp, vjp, jet and batch over body programs
     RANDOM, DISCRETE   no derivative by nature: tangents are absent
     OPAQUE   a derivative exists and is not given: asking for it is AGN_EUNSUPPORTED     */
#ifndef AGNI_OP_H
#define AGNI_OP_H

#include "tensor/value/tensor.h"

typedef enum agni_class {
    AGNI_EW,
    AGNI_LINEAR,
    AGNI_MULTI,
    AGNI_CHOICE,
    AGNI_SOLVE,
    AGNI_CONTROL,
    AGNI_RANDOM,
    AGNI_DISCRETE,
    AGNI_OPAQUE
} agni_class;

/* Dtype of a result: that of the arguments, bool, their real or complex partner, or what
   infer says. Only SAME is rounded back to a narrow dtype. */
enum { AGNI_OUT_INFER, AGNI_OUT_SAME, AGNI_OUT_BOOL, AGNI_OUT_REAL, AGNI_OUT_CPLX };

/* Attributes of one application: immutable; counted when kept, else on the stack. Axes
   count from the end, so that leading batch axes change nothing. */
typedef struct agni_attr {
    agni_obj head;
    int32_t ni, nf;
    const int64_t *i;
    const double *f;
    agni_obj *obj;
} agni_attr;
agni_attr *agni_attr_keep(const agni_attr *a); /* a counted copy; NULL without memory */
bool agni_attr_equal(const agni_attr *a, const agni_attr *b);

/* Sets of dtypes, for rows. */
#define AGNI_BIT(d) (1u << AGN_##d)
#define AGNI_INTS (AGNI_BIT(I32) | AGNI_BIT(I64))
#define AGNI_FLOATS (AGNI_BIT(F32) | AGNI_BIT(F64))
#define AGNI_COMPLEXES (AGNI_BIT(C64) | AGNI_BIT(C128))
#define AGNI_FIELDS (AGNI_FLOATS | AGNI_COMPLEXES)
#define AGNI_REALS (AGNI_INTS | AGNI_FLOATS)
#define AGNI_NUMBERS (AGNI_REALS | AGNI_COMPLEXES)
#define AGNI_ANY ((1u << AGN_NDTYPES) - 1)

/* Traits of an op: what the planner has to know of its results beyond its class. */
enum {
    AGNI_SINGULAR = 1 << 0, /* infinite or NaN at some finite arguments */
    AGNI_FINITE_RANGE = 1 << 1,   /* real numbers to a finite range, from infinity too */
    AGNI_MASKS = 1 << 2,    /* a result may not depend on an argument at all */
    /* The same number for 0 and -0: a sum begins with 0, which is what is left of zeros of both
       signs. */
    AGNI_ZERO_LOST = 1 << 3,
    AGNI_ZERO_LOST_REAL = 1 << 4, /* for real arguments */
    /* A zero for a zero, of one sign or the other, and the same number else. */
    AGNI_ZERO_KEPT = 1 << 5,
    AGNI_ZERO_KEPT_REAL = 1 << 6,
    AGNI_ZERO_KEPT_FIRST = 1 << 7 /* in the first argument */
};

typedef struct agni_op agni_op;

/* One application, as rules see it. x and y are values; x[i] may be stale. */
typedef struct agni_rule {
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    const agn_tensor *const *x;
    const agn_tensor *const *y;
} agni_rule;

typedef const agn_tensor *agni_partial_fn(agn_scope *s, const agni_rule *r, int i);
typedef const agn_tensor *agni_transpose_fn(agn_scope *s, const agni_rule *r, int i,
                                            const agn_tensor *g);
/* t[i] and ty[o] may be NULL: zero */
typedef void agni_jvp_fn(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                         const agn_tensor **ty);
/* g[o] may be NULL: zero; gx[i] stays NULL where there is none or want[i] is false */
typedef void agni_vjp_fn(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                         const bool *want, const agn_tensor **gx);
/* Taylor coefficients: c[i * (K + 1) + k] of input i, out[o * (K + 1) + k], k >= 1; K and their
   lanes are those of g (autograd/modes/grading.h). NULL is zero. Coefficient 0 of outputs is
   r->y. */
typedef struct agni_grading agni_grading;
typedef void agni_jet_fn(agn_scope *s, const agni_rule *r, const agni_grading *g,
                         const agn_tensor *const *c, const agn_tensor **out);
/* x[i] of the rule are per-lane values; in[i] has a leading batch axis where batched[i].
   Makes out[o]; bout[o] tells whether it has one. */
typedef void agni_batch_fn(agn_scope *s, const agni_rule *r, int64_t lanes,
                           const agn_tensor *const *in, const bool *batched,
                           const agn_tensor **out, bool *bout);

/* Everything a call knows before it runs. */
typedef struct agni_call {
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    const agn_tensor *const *in;
    agni_meta *meta; /* of outputs, from infer */
} agni_call;

/* An application that a plan could make, its arguments by the numbers of their values. */
typedef struct agni_use {
    const agni_op *op;
    const agni_attr *at;
    int nin, nout;
    const int32_t *arg;
} agni_use;
/* One application to wide's arguments whose results are those of wide, followed by those of narrow,
   at no more than narrow's own cost: its attributes, which the caller releases, and in result[]
   which of its *nout results are narrow's. *at stays NULL where there is none. */
typedef agn_status agni_merge_fn(const agni_use *wide, const agni_use *narrow, agni_attr **at,
                                 int *nout, int32_t *result);
/* The op that gives y of one and other_y of another application in one pass over what both read, of
   the attributes of one, and in x[] the numbers of its arguments; NULL where there is none. */
enum { AGNI_MOST_ALONG = 4 };
typedef const agni_op *agni_along_fn(const agni_use *one, const agni_use *other,
                                     const agn_tensor *y, const agn_tensor *other_y, int32_t *x);

/* A loop to those who do not run it (LoopLikeOpInterface of MLIR): its first n_carried arguments
   and results are carried from step to step; a body runs length times, -1: unknown; condition is
   the carried value that says whether to go on, -1: none. */
typedef struct agni_loop_shape {
    int n_carried, condition;
    int64_t length;
} agni_loop_shape;
typedef agni_loop_shape agni_loop_fn(const agni_attr *at);

/* Prepacking of operand i, which stays the same from call to call, as in a loop. packed_bytes: of
   the packed operand, by shapes and strides alone (0: it is used as it is); run: the kernel with
   it, which gives the bits of the plain kernel. */
typedef struct agni_prepacked_form {
    size_t (*packed_bytes)(const agn_kernel_call *c, int i);
    void (*pack_operand)(const agn_kernel_call *c, int i, void *to);
    agn_status (*run)(const agn_kernel_call *c, int i, const void *packed);
} agni_prepacked_form;

/* How a linear op, or one linear in each argument, carries structural zeros of a derivative
   (autograd/modes/zeros.c). */
enum {
    AGNI_ZEROS_UNKNOWN, /* it does not say */
    AGNI_ZEROS_ALIKE,   /* each element to the same place */
    AGNI_ZEROS_MOVED,   /* each element to one place, and each place has one */
    AGNI_ZEROS_JOINED,  /* coefficients are not negative, or those of the other operand; each place is
                           reached in either direction */
    AGNI_ZEROS_PLACED,  /* coefficients are not negative; some places may not be reached */
    AGNI_ZEROS_ABSENT   /* not linear: an argument -inf is absent, as in a sum of exponentials */
};

struct agni_op {
    const char *name;
    const char *takes; /* arguments and attributes: tensor/dispatch/signature.c */
    agni_class cls;
    int8_t nin, nout;  /* -1: any number, nout from infer's count */
    uint32_t dtypes;   /* compute dtypes of the data arguments, 1u << dtype */
    uint32_t diff;     /* arguments that may carry a derivative */
    uint32_t promote;  /* arguments brought to one compute dtype before infer */
    int8_t result;     /* dtype of the first result, for element-wise rows and narrowing */
    int16_t ew;        /* row of the element-wise kernel tables, -1 for others */
    uint8_t traits;    /* AGNI_SINGULAR ...; of element-wise rows in tensor/rows/traits.c */
    bool foreign;      /* its rules are the user's: what is derived from them is checked */
    int8_t bounded;    /* the partial derivatives are finite everywhere: read by tests */
    int8_t zeros;      /* AGNI_ZEROS_... */
    int8_t zero;       /* maps 0 to 0: applies to stored entries of a sparse tensor */
    /* shapes and dtypes of outputs; reports bad arguments */
    agn_status (*infer)(agni_call *c);
    /* a view of in[0], or NULL in *out where a copy is needed */
    agn_status (*view)(const agni_call *c, agn_tensor **out);
    /* runs on whole tensors by calling other ops: control, decompositions */
    agn_status (*eval)(const agni_call *c, agn_tensor **out);
    agn_kernel *cpu;
    /* Fast path of small calls with one or two operands and no attributes, NULL if there is none.
       False: not taken; else *st is the status of the call. */
    bool (*small)(const agni_op *op, int nin, const agn_tensor *const *in, agn_tensor **out,
                  agn_status *st);
    /* bytes that cpu likes to work in, by shapes and strides alone: plans have them ready */
    size_t (*scratch)(const agn_kernel_call *c);
    const agni_prepacked_form *prepacked; /* for operands the same in many calls, or NULL */
    bool contiguous; /* cpu walks no strides: it gets row-major operands */
    bool may_fail;   /* cpu may meet a fault of the data when it has written a part */
    agni_partial_fn *partial;
    agni_transpose_fn *transpose;
    agni_jvp_fn *jvp;
    agni_vjp_fn *vjp;
    agni_jet_fn *jet;
    bool curves; /* jet is for coefficients along a curve: other series go by jvp */
    agni_batch_fn *batch;
    agni_merge_fn *merge;
    agni_along_fn *along;
    agni_loop_fn *loop; /* of loops, or NULL */

    struct agni_slots *slots; /* kernels of other back ends, found on demand */
    double lo, hi, lo2, hi2, lo3, hi3; /* test domains of real arguments */
    const char *doc;          /* one line */
};

/* Kernels of registered back ends: [back end - 1][dtype]; NULL: not looked up yet. */
typedef struct agni_slots {
    _Atomic(const agn_kernel_entry *) k[AGNI_MAX_BACKENDS - 1][AGN_NDTYPES];
} agni_slots;

/* All ops of all modules: each by name, and the table that registry/op_table.c fills. */
#include "registry/op_declarations.h"
extern const agni_op *const agni_ops[];
extern const int agni_n_ops;
const agni_op *agni_op_find(const char *name); /* built in or registered; NULL */
int agni_op_count(void);
const agni_op *agni_op_at(int i);
agn_status agni_ops_extend(const agni_op *op); /* kept by reference, for ever */
/* AGN_EARG and others where these are not the attributes that op takes. */
agn_status agni_check_signature(const agni_op *op, const agni_attr *at, int nin,
                            const agn_tensor *const *in);

/* ---- applying: check, infer, run, record -------------------------------------------- */

/* out[nout] are new references. The only way an op ever runs. */
agn_status agni_apply(const agni_op *op, const agni_attr *at, int nin,
                      const agn_tensor *const *in, int nout, agn_tensor **out);
static inline agn_status agni_apply1(const agni_op *op, const agni_attr *at, int nin,
                                     const agn_tensor *const *in, agn_tensor **out)
{
    agn_tensor *y = NULL;
    agn_status st = agni_apply(op, at, nin, in, 1, &y);
    if (!st)
        *out = y;
    return st;
}
/* What ops mean on sparse operands (tied in registry/op_table.c to the module that knows). */
typedef struct agni_sparse_table {
    bool (*takes)(const agni_op *op);
    agn_status (*apply)(const agni_op *op, const agni_attr *at, int nin,
                        const agn_tensor *const *in, int nout, agn_tensor **out);
    /* functions that are no ops: entries on one side of diagonal k, entries on it */
    agn_status (*triangle)(const char *op, agn_tensor **out, const agn_tensor *x, int64_t k,
                           bool lower);
    agn_status (*diagonal)(agn_tensor **out, const agn_tensor *x, int64_t k, int p, int q);
    /* r (cos phi + i sin phi) of a sparse angle */
    const agn_tensor *(*polar)(agn_scope *s, const agn_tensor *r, const agn_tensor *phi);
    /* other values on the pattern of a tensor */
    agn_status (*revalue)(agn_tensor **out, const char *op, const agn_tensor *like,
                          const agn_tensor *values);
    bool (*is_pattern)(const agni_obj *o); /* the attribute of an op: is it an agni_pattern? */
} agni_sparse_table;
extern const agni_sparse_table agni_sparse;
/* The same within a scope, which adopts the results. */
const agn_tensor *agni_apply_in(agn_scope *s, const agni_op *op, const agni_attr *at, int nin,
                                const agn_tensor *const *in);
bool agni_apply_many_in(agn_scope *s, const agni_op *op, const agni_attr *at, int nin,
                        const agn_tensor *const *in, int nout, const agn_tensor **out);
/* literals, and constants that rules made of numbers */
static inline bool agni_is_uncommitted(const agn_tensor *x)
{
    return !x->st || x->uncommitted || (x->weak && x->ndim == 0);
}
/* the device of the other arguments; of literals alone, that of one that has moved */
agn_status agni_common_device(const agni_op *op, int nin, const agn_tensor *const *in,
                              int32_t *device);
/* the kernel of a device other than the CPU, NULL: it has none; the failure that then names those
   it has */
const agn_kernel_entry *agni_find_device_kernel(const agni_call *c, int32_t device);
/* a kernel that is no op's, such as that of fused chains (tensor/rows/fused_chain.h) */
const agn_kernel_entry *agni_find_named_kernel(int32_t device, const char *name, int dtype);
agn_status agni_fail_no_kernel(const agni_call *c, int32_t device);
/* No element to read and none to write: no kernel is called then, as it might loop over the other
   axes, of any size. */
bool agni_is_empty_call(const agni_call *c);
/* Runs without recording, into given memory where out[i] is not NULL: for plans. */
agn_status agni_run(const agni_call *c, agn_tensor **out);

/* ---- recording ------------------------------------------------------------------------ */

/* A recorded application. Points only at its inputs. Freed iteratively. */
struct agni_node {
    agni_obj head;
    uint64_t id;  /* grows with time */
    uint64_t low; /* smallest id this value depends on */
    const agni_op *op;
    agni_attr *at;
    int32_t nin, nout;
    agn_tensor **in;
    uint32_t *version;  /* of the inputs' storages when they were recorded, then of the results' */
    agn_tensor **saved; /* where there are several results: their values without nodes, for
                           rules that read one nobody else holds */
};
/* Has an input with a node that op passes a derivative on from? */
bool agni_needs_recording(const agni_op *op, int nin, const agn_tensor *const *in);
agn_status agni_record_node(const agni_op *op, const agni_attr *at, int nin,
                       const agn_tensor *const *in, int nout, agn_tensor **out);
uint64_t agni_next_node_id(void); /* every later node has an id >= this */
/* A fresh leaf: an identity node on x. */
agn_status agni_make_leaf(agn_tensor **out, const agn_tensor *x);
/* A leaf without a value. */
agn_status agni_make_symbol(agn_tensor **out, int dtype, int ndim, const int64_t *shape, bool weak);

/* ---- helpers of rules ------------------------------------------------------------------- */

/* sums g over the axes along which x was broadcast to g's shape; also takes the real part
   where x is real and g complex */
const agn_tensor *agni_unbroadcast(agn_scope *s, const agn_tensor *g, const agn_tensor *x);
/* lane-wise ranks made equal: every batched operand gets its axis in front of rank axes */
const agn_tensor *agni_align_rank(agn_scope *s, const agn_tensor *x, bool batched, int rank);
agni_batch_fn agni_batch_aligned, agni_batch_front, agni_batch_all;
/* x repeated along a new leading axis unless it has one */
const agn_tensor *agni_ensure_batch_axis(agn_scope *s, const agn_tensor *x, bool batched,
                                 int64_t lanes);
const agn_tensor *agni_zeros_like(agn_scope *s, const agn_tensor *x);

#endif
