/* geometric/blocks/edge_blocks.h - a program of rows, run over blocks of edges: the ends' rows are
   gathered for a block, what the program makes of them is reduced at once (fused gather, apply and
   scatter; Fey and Lenssen 2019).

   An operand stands at the nodes of a side, at the edges, or nowhere: the program then gets it
   whole. The arguments of the node are those with rows, then whole ones. A result is summed at a
   side, kept for each edge, summed over all blocks (whole: the cotangent of a whole operand), or an
   extreme of what reaches a node. The adjoint is such a node again, with the cotangents among the
   operands. */
#ifndef AGNI_EDGE_BLOCKS_H
#define AGNI_EDGE_BLOCKS_H

#include "autograd/control/subprograms.h"
#include "geometric/graph/graph.h"

/* where operands and results stand: AGN_GRAPH_SRC, AGN_GRAPH_DST, AGN_GRAPH_EDGE, and */
enum { AGNI_WHOLE = 3, AGNI_LARGEST = 4, AGNI_SMALLEST = 5 /* at destinations */ };
enum { AGNI_BLOCK_PROGRAMS = 2 };

/* How freely a program may be rewritten: messages that are compared with an extreme have the bits
   of the ones it was chosen from. Each element of an element-wise op is the same wherever it is
   made; sums and products are not. */
enum { AGNI_BLOCKS_FREE, AGNI_BLOCKS_ON_TILES /* no other ops */, AGNI_BLOCKS_BY_KERNELS };

/* The attribute: programs of a full block and of what is left, each over all arguments of the
   node. */
typedef struct agni_edge_blocks {
    agni_obj head;
    const agn_graph *g;
    int n;
    int exact; /* AGNI_BLOCKS_... */
    struct {
        int64_t rows, count; /* edges of a block, how many blocks */
        agni_prog *p;
        agni_plan_slot plan;
        atomic_bool ran; /* once before: what a run needs is kept for the next */
    } at[AGNI_BLOCK_PROGRAMS];
} agni_edge_blocks;
/* blocks of so many of the edges, 1 or more; no programs yet, NULL without memory */
agni_edge_blocks *agni_edge_blocks_new(const agn_graph *g, int64_t block, int exact);

/* what the integers of a node say */
typedef struct agni_block_form {
    const agni_edge_blocks *b;
    int rows, nin, nout;   /* operands with rows, all, results */
    const int64_t *side;   /* [rows] */
    const int64_t *target; /* [nout] */
} agni_block_form;
agni_block_form agni_read_block_form(const agni_attr *at, int nin, int nout);

static inline bool agni_is_extreme_target(int64_t target)
{
    return target >= AGNI_LARGEST;
}

/* The body of program k is body[k], called with blocks of the operands with rows and with whole
   ones. block: edges of one; the sizes are those of form where that is not NULL. */
typedef struct agni_block_call {
    const agn_graph *g;
    int64_t block;
    int exact; /* at least; more where a result is an extreme */
    agni_c_body body[AGNI_BLOCK_PROGRAMS];
    int rows, nin, nout;
    const int64_t *side, *target;
} agni_block_call;
void agni_emit_blocks(agn_scope *s, const agni_block_call *q, const agn_tensor *const *in,
                      const agn_tensor **out);
/* how many edges a block has, where each takes so many bytes */
int64_t agni_choose_block(const agn_graph *g, int64_t bytes);

/* Does each row of each result depend on the same row of the first n_rows arguments alone, as far
   as the ops of p tell? */
agn_status agni_find_rowwise(bool *is, const agni_prog *p, int n_rows, int64_t rows);

/* Are its ops element by element? Those that move elements are. */
bool agni_is_elementwise(const agni_prog *p);
/* Could tiles join a product and a sum of it, and round once? */
bool agni_has_multiply_add(const agni_prog *p);

/* is argument i an operand of an op, or a result? */
bool agni_reads_argument(const agni_prog *p, int i);
/* Does a result o with of[o] depend on argument i, as far as the structure of p tells? */
bool agni_argument_reaches(const agni_prog *p, int i, const bool *of);

/* evaluation (run_blocks.c) and rules (block_rules.c) */
agn_status agni_run_blocks(const agni_call *c, agn_tensor **out);
agni_jvp_fn agni_blocks_jvp;
agni_vjp_fn agni_blocks_vjp;
agni_jet_fn agni_blocks_jet;
agni_batch_fn agni_blocks_batch;
agni_merge_fn agni_blocks_merge;

#endif
