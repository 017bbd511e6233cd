/* tools/tool.h - the commands of the program agnesi. It uses the public interface
   only. */
#ifndef AGNESI_TOOL_H
#define AGNESI_TOOL_H

#include <agnesi/agnesi.h>
#include <stdio.h>

enum { TOOL_OK, TOOL_FAILED, TOOL_USAGE };

/* argv[0] is the command; the value becomes the exit status */
typedef int tool_command(int argc, char **argv);
tool_command tool_info, tool_ops, tool_program;

/* Says on stderr that there is no such what, and which of names[n] is nearest if one
   is near; returns TOOL_USAGE. */
int tool_unknown(const char *what, const char *given, const char *const *names, int n);

/* ---- the op table (tools/ops.c) -------------------------------------------------- */

/* The ops named, or all; ids in a block to be freed, NULL after saying what was
   wrong. */
int32_t *tool_pick_ops(int argc, char **argv, int *n);

/* ---- the op table run cell by cell (tools/verify.c) ------------------------------ */

int tool_verify(const int32_t *ids, int n);
/* orders 1 to top, at most 6, in every mode (tools/orders.c) */
int tool_orders(const int32_t *ids, int n, int top);
/* Does the op run on the device? Asked by running it. */
bool tool_runs_on(int32_t id, int32_t device);

#endif
