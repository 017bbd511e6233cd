/* bench/special-table.c - the table of doc/accuracy_special.rst. */
#include "bench/special-table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_point(FILE *to, const special *f, const worst *w)
{
    for (int i = 0; i < f->n; i++)
        fprintf(to, "%s%.17g", i ? " " : "", w->at[i]);
    if (f->high[0] != f->low[0])
        fprintf(to, "; %" PRId64, w->k[0]);
    if (f->high[1] != f->low[1])
        fprintf(to, " %" PRId64, w->k[1]);
}
static void print_box(FILE *to, const special *f)
{
    for (int i = 0; i < f->n; i++)
        fprintf(to, "%s[%g, %g]", i ? " " : "", f->box[i][0], f->box[i][1]);
    for (int i = 0; i < 2; i++)
        if (f->high[i] != f->low[i])
            fprintf(to, "%s%" PRId64 " to %" PRId64, i ? ", " : "; ", f->low[i], f->high[i]);
}
static void print_share(FILE *to, const worst *w)
{
    if (w->refused)
        fprintf(to, "%.2g%%", 100.0 * (double)w->refused / (double)w->n);
    else
        fprintf(to, "0");
}
void agni_print_row(FILE *to, const special *f, const result *r)
{
    fprintf(to, "   \"%s\", %.2g, %.0e%s, %.2g, \"", f->name, (double)(r->in.n + r->out.n),
            f->stated, f->unit ? " A" : "", r->in.error);
    print_point(to, f, &r->in);
    fprintf(to, "\", \"");
    print_box(to, f);
    fprintf(to, "\", ");
    print_share(to, &r->in);
    if (r->out.n > r->out.refused) {
        fprintf(to, ", %.2g, \"", r->out.error);
        print_point(to, f, &r->out);
        fprintf(to, "\", ");
    } else {
        fprintf(to, ", –, –, ");
    }
    if (r->out.n)
        print_share(to, &r->out);
    else
        fprintf(to, "–");
    fprintf(to, ", %.2g, %.2g\n", r->narrow.error * 0x1p24,
            (double)r->unknown / (double)(r->unknown + r->in.n + r->out.n + 1));
    fflush(to);
}
void agni_print_head(FILE *to)
{
    char day[32];
    time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(
        to,
        ".. csv-table:: %s: agnesi %s, Arb of FLINT %s\n"
        "   :header: function, arguments, stated, \"worst in the box\", at, box, NaN, \"outside\", at, NaN, "
        "\"f32, 2^-24\", unknown\n\n",
        day, agn_version(), FLINT_VERSION);
}
void agni_keep_row(FILE *to, const char *file, const char *name)
{
    char line[1024], head[128];
    int n = snprintf(head, sizeof head, "   \"%s\",", name);
    FILE *from = fopen(file, "r");
    while (from && fgets(line, sizeof line, from))
        if (!strncmp(line, head, (size_t)n))
            fputs(line, to);
    if (from)
        fclose(from);
}
int agni_replace_table(const char *file, FILE *table)
{
    char line[1024], made[1024];
    snprintf(made, sizeof made, "%s.new", file);
    FILE *from = fopen(file, "r"), *to = from ? fopen(made, "w") : NULL;
    bool bad = !to;
    while (!bad && fgets(line, sizeof line, from) && strncmp(line, ".. csv-table::", 14))
        fputs(line, to);
    rewind(table);
    while (!bad && fgets(line, sizeof line, table))
        fputs(line, to);
    if (from)
        fclose(from);
    if (to)
        bad = fclose(to) || rename(made, file);
    if (bad)
        perror(file);
    return bad;
}
