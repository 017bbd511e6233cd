/* tools/verify.c - agnesi ops --verify: every cell of the op table, run. */
#include "ask.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    question *ask;
    int argument;
} columns[] = {
    {"bool", ask_eval, AGN_BOOL}, {"i32", ask_eval, AGN_I32},
    {"i64", ask_eval, AGN_I64},   {"f32", ask_eval, AGN_F32},
    {"f64", ask_eval, AGN_F64},   {"c64", ask_eval, AGN_C64},
    {"c128", ask_eval, AGN_C128}, {"jvp", ask_jvp, 0},
    {"vjp", ask_vjp, 0},          {"jet", ask_jet, 0},
    {"vmap", ask_vmap, 0},        {"plan", ask_plan, 0},
    {"file", ask_file, 0},        {"cpu", ask_cpu, 0},
    {"cuda", ask_cuda, 0},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, WIDTH = 12, NAME = 23 };

static const struct {
    const char *word, *meaning;
} reasons[N_REASONS] = {
    [ASKED] = {"", ""},
    [NO_DTYPE] = {"dtype", "the op does not take this dtype"},
    [NO_SLOPE] = {"discrete", "the result is constant between jumps, or an index"},
    [NO_DRAW] = {"random", "a draw does not follow its key smoothly"},
    [NO_DIFFERENCE] =
        {"path", "no difference of values shows how a drawn number moves: tests do"},
    [NO_RULE] = {"rule", "the op gives none, and asking fails"},
    [NO_ORDER] = {"order", "the op's derivatives end before that order, and asking fails"},
    [NO_FORMULA] = {"formula", "this build has no independent formula"},
    [NO_LIBRARY] = {"library", "this build leaves out the library that computes it"},
    [NO_DEVICE] = {"device", "there is no usable device"},
    [NO_KERNEL] = {"kernel", "the device has no kernel for it"},
    [NO_FILE] = {"host", "it calls functions of the host, which no file holds, and saving fails"},
};

const char *reason_of(reason why)
{
    return reasons[why].word;
}

/* ---- one op ---------------------------------------------------------------------- */

typedef struct totals {
    int asked, failed;
    int given[N_REASONS];
    double worst[N_COLUMNS];
} totals;

static void print_cell(char *buf, size_t n, const answer *a)
{
    if (a->why != ASKED)
        snprintf(buf, n, "n/a: %s", reasons[a->why].word);
    else if (a->failed)
        snprintf(buf, n, "FAILS");
    else
        snprintf(buf, n, a->error <= a->allowed ? "%.1e" : "WRONG %.0e", a->error);
}

/* what to read below the row */
static void explain(const answer *a, const char *op, const char *column)
{
    if (a->failed)
        printf("    %s, %s: %s\n", op, column, a->message);
    else
        printf("    %s, %s: error %.3g, allowed %.3g\n", op, column, a->error,
               a->allowed);
}

static void verify_op(totals *t, const subject *s)
{
    static answer answers[N_COLUMNS];
    memset(answers, 0, sizeof answers);
    printf("%-*s", NAME, s->info.name);
    for (int k = 0; k < N_COLUMNS; k++) {
        answer *a = &answers[k];
        char cell[32];
        columns[k].ask(a, s, columns[k].argument);
        print_cell(cell, sizeof cell, a);
        printf(" %*s", k + 1 < N_COLUMNS ? -WIDTH : 0, cell);
        t->given[a->why]++;
        t->asked += a->why == ASKED;
        if (a->why == ASKED && a->error > t->worst[k])
            t->worst[k] = a->error;
    }
    putchar('\n');
    for (int k = 0; k < N_COLUMNS; k++) {
        const answer *a = &answers[k];
        if (a->why == ASKED && (a->failed || !(a->error <= a->allowed))) {
            t->failed++;
            explain(a, s->info.name, columns[k].name);
        }
    }
}

/* ---- the table ------------------------------------------------------------------- */

static void print_head(void)
{
    printf("%-*s", NAME, "op");
    for (int k = 0; k < N_COLUMNS; k++)
        printf(" %*s", k + 1 < N_COLUMNS ? -WIDTH : 0, columns[k].name);
    putchar('\n');
}

static void print_foot(const totals *t, int n)
{
    printf("%-*s", NAME, "largest");
    for (int k = 0; k < N_COLUMNS; k++)
        printf(" %*.1e", k + 1 < N_COLUMNS ? -WIDTH : 0, t->worst[k]);
    printf("\n\nErrors are |have - want| / max(1, |want|).\n");
    for (int r = 1; r < N_REASONS; r++)
        if (t->given[r])
            printf("n/a: %-9s %5d  %s\n", reasons[r].word, t->given[r],
                   reasons[r].meaning);
    printf("%d ops, %d cells run, %d failed\n", n, t->asked, t->failed);
}

int tool_verify(const int32_t *ids, int n)
{
    totals t = {0};
    print_head();
    for (int i = 0; i < n; i++) {
        subject s;
        if (subject_of(&s, ids[i])) {
            verify_op(&t, &s);
            continue;
        }
        t.failed++;
        printf("%-*s FAILS: no arguments are known: add a case to tools/cases.c\n",
               NAME, agn_op_name(ids[i]));
    }
    print_foot(&t, n);
    return t.failed ? TOOL_FAILED : TOOL_OK;
}

bool tool_runs_on(int32_t id, int32_t device)
{
    (void)device;
    subject s;
    answer a = {0};
    if (!subject_of(&s, id))
        return false;
    ask_cuda(&a, &s, 0);
    return a.why == ASKED && !a.failed;
}
