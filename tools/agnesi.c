/* agnesi - what this installation of the library is and can do */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static tool_command help, version;

static const struct {
    const char *name, *arguments, *text;
    tool_command *run;
} commands[] = {
    {"info", "", "version, build options, CPU level, libraries, back ends", tool_info},
    {"ops", "[OP...]", "the op table: what each op can do", tool_ops},
    {"ops", "--json [OP...]", "the same as JSON", tool_ops},
    {"ops", "--verify [OP...]",
     "run every cell of the table and print the measured errors", tool_ops},
    {"ops", "--orders N [OP...]",
     "differentiate each op 1 to N times, at most 6, in every mode", tool_ops},
    {"program", "FILE", "the program in a file of agn_fn_save, as text", tool_program},
    {"--help", "", "this text", help},
    {"--version", "", "the version alone", version},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int help(int argc, char **argv)
{
    (void)argc, (void)argv;
    puts("usage: agnesi COMMAND\n");
    for (int i = 0; i < N_COMMANDS; i++)
        printf("  %s %-*s  %s\n", commands[i].name, 24 - (int)strlen(commands[i].name),
               commands[i].arguments, commands[i].text);
    puts("\nThe exit status is 1 if a cell of the table fails, 2 for a wrong command.");
    return TOOL_OK;
}

static int version(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("agnesi %s\n", agn_version());
    return TOOL_OK;
}

/* how many letters to insert, delete, replace or swap to get from a to b (Damerau
   1964) */
static int distance(const char *a, const char *b)
{
    enum { MOST = 31 };
    int n = (int)strlen(a), m = (int)strlen(b), d[MOST + 1][MOST + 1];
    if (n > MOST || m > MOST)
        return MOST;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = d[i - 2][j - 2] + 1 < best ? d[i - 2][j - 2] + 1 : best;
            d[i][j] = best;
        }
    return d[n][m];
}

int tool_unknown(const char *what, const char *given, const char *const *names, int n)
{
    int best = 0, least = 1000;
    for (int i = 0; i < n; i++) {
        int d = distance(given, names[i]);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    fprintf(stderr, "agnesi: there is no %s '%s'", what, given);
    if (n > 0 && least <= 1 + (int)strlen(given) / 3)
        fprintf(stderr, "; did you mean '%s'?\n", names[best]);
    else
        fprintf(stderr, "; see agnesi --help\n");
    return TOOL_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        help(argc, argv);
        return TOOL_USAGE;
    }
    const char *names[N_COMMANDS];
    int status = -1;
    for (int i = 0; i < N_COMMANDS && status < 0; i++) {
        names[i] = commands[i].name;
        if (!strcmp(argv[1], names[i]))
            status = commands[i].run(argc - 1, argv + 1);
    }
    if (status < 0)
        return tool_unknown("command", argv[1], names, N_COMMANDS);
    if (fflush(stdout) || ferror(stdout)) {
        perror("agnesi: cannot write");
        return TOOL_FAILED;
    }
    return status;
}
