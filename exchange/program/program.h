/* exchange/program/program.h - programs as files, all numbers little-endian:

     "\x93AGNFN\r\n"  u32 version  u32 0  u64 bytes of the program  program  u32 CRC-32 of it

   program:   u32 inputs, constants, nodes, results; the inputs as kinds; the constants as
              kinds, each followed by its elements in row-major order; nodes; u32 the value of
              each result. Values are numbered: inputs, constants, what the nodes make in turn.
   kind:      u8 dtype, rank, flags (1: a literal, 2: lives on any device), 0; i64 shape
   node:      text op; u32 arguments, results, integers, reals; text object; u32 the value of
              each argument; i64 integers; f64 reals; then the object, if its text is not empty
   text:      u32 bytes, bytes
   objects:   body     of a call: u32 results of the function, times lanes were added; program
                       of a loop: program
              bodies   u32 how many, shared inputs; for each: u32 further inputs; program
              name     text
              pattern  u32 wide; u64 rows, columns, entries; u64 rows + 1 beginnings, columns
              product  C = A B of sparse matrices: the patterns C, A, B
              meeting  of two patterns: u32 wide; u64 entries of their sum, of each; for both u64
                       where its entries are
              graph    u64 sources, destinations, edges; u64 where each edge begins, where it ends

   Reading believes nothing: counts are held against the bytes that are left, each node is
   applied to values without elements, so its own op refuses what it does not take, and what
   an op trusts about an object of its own making is checked here (program_fit.c).           */
#ifndef AGNI_PROGRAM_H
#define AGNI_PROGRAM_H

#include "exchange/file/file.h"
#include "graph/program/program.h"

enum { AGNI_PROGRAM_VERSION = 1, AGNI_PROGRAM_HEADER = 24, AGNI_PROGRAM_NESTED = 16 };
enum { AGNI_KIND_WEAK = 1, AGNI_KIND_ANYWHERE = 2 };

/* ---- writing (program_write.c) ------------------------------------------------------- */

/* can all of it be saved? Else AGN_EUNSUPPORTED names the op */
agn_status agni_program_check(const agni_prog *p);
agni_writer agni_program_write; /* user: the program */

/* ---- reading (program_read.c) ---------------------------------------------------------- */

agn_status agni_program_read(agni_prog **out, const agni_input *in);

/* Bytes in order; after the first failure every number is 0. */
typedef struct agni_reader {
    const agni_input *in;
    int64_t at, end;
    agn_status st;
    int depth; /* programs within programs */
} agni_reader;
uint64_t agni_take_number(agni_reader *r, int bytes, const char *what);
/* a count of things that take so many bytes each */
int32_t agni_take_count(agni_reader *r, int64_t each, const char *what);
/* at most n - 1 bytes of text with its end */
void agni_take_text(agni_reader *r, char *buf, size_t n, const char *what);
agn_status agni_bad_program(agni_reader *r, const char *fmt, ...) AGNI_PRINTF(2, 3);
void agni_take_program(agni_reader *r, agni_prog **out);

/* ---- objects (program_object.c) --------------------------------------------------------- */

typedef struct agni_program_out {
    agni_output *o;
    uint32_t crc;
} agni_program_out;
agn_status agni_put_number(agni_program_out *w, uint64_t v, int bytes);
agn_status agni_put_string(agni_program_out *w, const char *s);
agn_status agni_put_program(agni_program_out *w, const agni_prog *p);

typedef agn_status agni_object_put(agni_program_out *w, const agni_op *op, const agni_obj *o);
typedef agni_obj *agni_object_take(agni_reader *r, const agni_op *op);
/* of sparse ops (program_sparse.c) */
agni_object_put agni_put_pattern, agni_put_product, agni_put_meeting;
agni_object_take agni_take_pattern, agni_take_product, agni_take_meeting;
/* of message passing (graph_object.c) */
agni_object_put agni_put_graph, agni_put_blocks;
agni_object_take agni_take_graph, agni_take_blocks;
bool agni_can_save_blocks(const agni_op *op, const agni_obj *o);

/* the name of a node's object in the file, "" for none; NULL: it cannot be saved */
const char *agni_program_object(const agni_op *op, const agni_obj *o);
agn_status agni_put_object(agni_program_out *w, const agni_op *op, const agni_obj *o);
agni_obj *agni_take_object(agni_reader *r, const agni_op *op, const char *kind);

/* ---- what ops trust (program_fit.c) ------------------------------------------------------ */

/* NULL, or what is wrong about arguments and body of a node */
const char *agni_program_misfit(const agni_op *op, const agni_attr *at, int nin,
                                const agn_tensor *const *in, int nout);

#endif
