/* tensor/rows/loop_kernels.h - loops of a device as kernels of its table, and many copies as one:
   structured control flow on the device (CUDA C++ Programming Guide, conditional graph nodes). A
   back end may have

     "loop_move"   copies in[k] to out[k], contiguous, as ints[k] says: all of it, from row `at` of
                   in[k], or to row `at` of out[k]. The integer after those is the number of rows
                   where steps go through them from last to first, else -1. `at` is the next
                   integer, or follows from the counter that in[n_out] is.
     "loop_begin"  sets the counter out[0] to 0 and opens the body, which is queued on the stream
                   that it leaves in the call's object. The body runs as long as the counter is
                   below ints[0] (-1: any) and the condition in[0], where there is one, is true.
                   It declines where the device has no such nodes, or outside of a graph.
     "loop_end"    same operands, on the stream of the body: counts the step and closes it.
     "branch_begin", "branch_end"  open and close, likewise, a body that runs once where in[0]
                   chooses branch ints[0] of ints[1]: a bool the first where it is true, else the second;
                   an integer, clamped, that of its number.                                        */
#ifndef AGNI_LOOP_KERNELS_H
#define AGNI_LOOP_KERNELS_H

enum { AGNI_MOVE_ALL, AGNI_MOVE_FROM_ROW, AGNI_MOVE_TO_ROW };

/* the object of a call that opens or closes a body */
typedef struct agni_loop_body {
    void *stream; /* out: of the body */
    unsigned long long handle; /* the back end's */
} agni_loop_body;

#endif
