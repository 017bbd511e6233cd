/* graph/memory/plan.h - a plan: steps over memory laid out once. Immutable after it is made; what a
   call writes lives in a workspace, so that several threads may run one plan.             */
#ifndef AGNI_PLAN_H
#define AGNI_PLAN_H

#include "graph/passes/ir.h"

enum { AGNI_IN_INPUT, AGNI_IN_CONST, AGNI_IN_ARENA, AGNI_IN_OUTPUT };

/* Memory that values look at: an argument, a constant, a piece of the arena, a result. */
typedef struct agni_buffer {
    int32_t kind, index; /* of the argument or result; the value of a constant */
    int64_t offset;      /* in the arena */
    int64_t bytes;
    int32_t from, to; /* steps between which it is in use */
} agni_buffer;

/* A value in memory: h gives dtype, shape and strides, no data. */
typedef struct agni_plan_value {
    agn_tensor *h;
    int32_t buffer;   /* -1: lives in tiles only */
    int64_t offset; /* in bytes, from the buffer */
} agni_plan_value;

/* Where a value is made: a part of another one (concat_in_place.c); and its row-major copy. */
typedef struct agni_placement {
    int32_t in; /* -1: it has its own memory */
    int32_t copy; /* 0: none yet */
    int64_t offset;
} agni_placement;

typedef struct agni_region agni_region;
typedef struct agni_device_loop agni_device_loop;
typedef struct agni_launch agni_launch;

enum { AGNI_STEP_KERNEL, AGNI_STEP_EVAL, AGNI_STEP_REGION, AGNI_STEP_LOOP };
typedef struct agni_step {
    int32_t kind, nin, nout;
    int32_t arr; /* first of its arrays: inputs, then outputs */
    const agni_op *op;
    agni_attr *at;
    bool owns_at; /* at is of the step, not of a node */
    agn_kernel *run;
    agni_region *region;
    agni_launch *launch; /* of this step and those after it that are one kernel of the device */
    agni_device_loop *device_loop; /* whose body is a plan of the device */
    int32_t scratch; /* buffer of the memory a kernel works in; 0: none */
    int32_t prepacked,
        prepacked_operand; /* buffer of that operand, packed; 0: none */
    int32_t loop, n_loop; /* loops that do the same (scalar_loops.c) */
    int32_t loops_end;     /* the step after the last of a run of such steps; 0: this is none */
} agni_step;
struct agni_scalar_loop;

typedef struct agni_clock agni_clock; /* clock.h */

typedef struct agni_workspace {
    agni_clock *clock; /* of the call, NULL: nobody asks */
    bool tell;         /* its progress */
    bool prepacked;        /* what is made of operands that stay the same */
    int32_t at;        /* the step that runs */
    char *arena;
    agn_tensor *arena_owner; /* of a device, which the arena lies on; NULL on the CPU */
    char **base; /* by buffer */
    agn_array *arr;
    agn_kernel_call *call;
    struct agni_replays *replays; /* replay.c; NULL: none yet */
    struct agni_workspace **body; /* by step, of its loop's plan; NULL: there are no loops */
    void *stream; /* of the device, NULL on the CPU */
    char *tiles; /* of all workers */
    int64_t tile_workers;
} agni_workspace;

enum { AGNI_SPARE = 16, AGNI_PLAN_ALIGN = 64 };
typedef struct agni_plan {
    agni_obj head;
    agni_prog *prog; /* for the versions of captured tensors */
    agni_ir *ir;
    agni_plan_value *val;
    int32_t n_val, cap_val;
    agni_buffer *buffer;
    int32_t n_buffer, cap_buffer;
    agni_step *step;
    int32_t n_step, cap_step;
    int32_t *arr; /* value of each array */
    int32_t n_arr, cap_arr;
    int32_t *moving_buffer; /* arguments and results */
    int32_t n_moving_buffer;
    int32_t *moving; /* arrays that begin elsewhere at each call */
    int32_t n_moving, n_moving_bare; /* all; those of steps without loops, which come first */
    struct agni_scalar_loop *loop;
    int32_t n_loop, cap_loop;
    int32_t n_in, n_out, n_held;
    int32_t device; /* of arguments, results and the arena */
    agn_tensor **out;    /* descriptions of results */
    int32_t *lent;       /* the argument that a result is, where that is not copied; or -1 */
    int64_t arena;       /* bytes */
    int64_t tile;        /* bytes of one worker, for the largest region */
    agni_placement *placement;     /* [ir->n_val] */
    int32_t n_traced;    /* nodes before simplification */
    atomic_bool no_graphs; /* its steps cannot be queued as one */
    double ms;           /* that planning took */
    agni_storage *place; /* that tensors of the arena pretend to be in */
    _Atomic(agni_workspace *) spare[AGNI_SPARE];
} agni_plan;

typedef struct agni_plan_options {
    bool tiles, simplify;
    bool lend; /* a result that is an argument is not copied: see lent */
    int32_t n_held; /* the last arguments, the same in all runs between enter and leave */
    int32_t device; /* other than the CPU: steps are launches; with tiles, of regions, too */
} agni_plan_options;

/* takes over prog on success */
agn_status agni_plan_make(agni_plan **out, agni_prog *prog, agni_plan_options opts);
void agni_plan_release(agni_plan *p);
/* The plan of a body that is run again and again: made at the first call, kept in *slot, which
   owns it; results that are arguments are lent, the last n_held arguments stay the same. */
typedef _Atomic(agni_plan *) agni_plan_slot;
agn_status agni_plan_make_once(agni_plan **out, agni_plan_slot *slot, agni_prog *prog,
                               int32_t n_held);
/* Runs with the same held arguments, whose memory is written by nobody meanwhile. in: contiguous
   tensors of the plan's shapes and device; data: memory of each result. */
agn_status agni_plan_enter(agni_plan *p, agni_workspace **w);
agn_status agni_plan_run(agni_plan *p, agni_workspace *w, const agn_tensor *const *in,
                         void *const *data);
void agni_plan_leave(agni_plan *p, agni_workspace *w); /* which may be NULL */
/* One run, for a call of the host: its progress is told; with a clock, steps are timed. out: what
   data lies in. */
agn_status agni_plan_call(agni_plan *p, const agn_tensor *const *in, void *const *data,
                          agni_storage *const *out, agni_clock *clock);
/* appends text; grows *buf */
typedef struct agni_text {
    char *p;
    size_t n, cap;
    bool failed;
} agni_text;
void agni_text_append(agni_text *t, const char *fmt, ...) AGNI_PRINTF(2, 3);
/* ops and how often, the most frequent first */
void agni_text_append_nodes(agni_text *t, const agni_ir *ir, const int32_t *node, int32_t n);
/* t into buf (n bytes, always terminated; NULL where n is 0); *need, which may be NULL, is what all
   of it takes with its end. Frees t. */
agn_status agni_text_copy_out(const char *op, agni_text *t, char *buf, size_t n, size_t *need);
agn_status agni_plan_describe(const agni_plan *p, agni_text *t);

/* offsets of what lives in the arena, and its size (memory_plan.c) */
agn_status agni_plan_assign_offsets(agni_plan *p);
/* execute.c */
agni_workspace *agni_workspace_new(agni_plan *p);
void agni_workspace_free(agni_workspace *w);
void agni_workspace_set_stream(agni_workspace *w, const agni_plan *p, void *stream);
/* where arguments and results of the next run lie */
void agni_workspace_move(agni_workspace *w, const agni_plan *p, void *const *in, void *const *data);

/* ---- buffers.c: while the plan is made -------------------------------------------------- */

/* memory for a value that a step makes; its buffer lives from this step on */
bool agni_plan_allocate(agni_plan *p, int32_t v);
/* marks a read of v by the step that comes next */
void agni_plan_extend_live_range(agni_plan *p, int32_t v);
int32_t agni_plan_add_buffer(agni_plan *p, agni_buffer r); /* its number; -1 without memory */
int32_t agni_plan_add_array(agni_plan *p, int32_t v); /* number of a new array of v; -1 */
/* another value like one, nowhere yet; -1 */
int32_t agni_plan_add_value(agni_plan *p, const agn_tensor *like);
/* a step with its arrays and the memory its kernel works in */
agn_status agni_plan_add_step(agni_plan *p, agni_step s, const int32_t *in, const int32_t *out);
/* a step that copies */
agn_status agni_plan_add_copy(agni_plan *p, int32_t from, int32_t to);
/* bytes of the arena in use during the next step only; buffer number or -1 */
int32_t agni_plan_add_scratch(agni_plan *p, int64_t bytes);

/* ---- concat_in_place.c ----------------------------------------------------------------------- */

struct agni_partition;
/* finds values that can be made where a concat wants them */
agn_status agni_plan_concat_slots(agni_plan *p, const struct agni_partition *c);
/* the rest of a concat some of whose operands were; *done is false where none was */
agn_status agni_plan_concat_in_place(agni_plan *p, const agni_pnode *n, bool *done);

/* ---- block_layout.c -------------------------------------------------------------------------- */

/* arrays that regions alone write and read lie as their tiles do */
agn_status agni_plan_lay_out_blocks(agni_plan *p);

#endif
