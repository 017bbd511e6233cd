/* tools/program.c - agnesi program FILE: what a saved function computes. */
#include "tool.h"

#include <stdlib.h>

int tool_program(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "agnesi: program takes a file, got %d arguments\n", argc - 1);
        return TOOL_USAGE;
    }
    size_t need = 0;
    agn_status st = agn_fn_file_text(NULL, 0, &need, argv[1]);
    char *text = st ? NULL : malloc(need);
    if (text)
        st = agn_fn_file_text(text, need, NULL, argv[1]);
    if (st || !text) {
        fprintf(stderr, "agnesi: %s\n", st ? agn_error_message() : "out of memory");
        free(text);
        return TOOL_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return TOOL_OK;
}
