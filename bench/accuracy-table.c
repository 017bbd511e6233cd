/* bench/accuracy-table.c - prints what bench/accuracy.c found. */
/* before complex.h, whose I is a parameter there */
#include "tensor/cpu/level_dispatch.h"
#include "bench/accuracy.h"
#include "tools/oracle.h"

#include <agnesi/agnesi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#define LIBC gnu_get_libc_version()
#else
#define LIBC "of the system"
#endif
#ifdef __VERSION__
#define COMPILER __VERSION__
#else
#define COMPILER "unknown"
#endif

static void print_at(FILE *to, const function *f, const worst *w)
{
    for (int i = 0; i < f->n; i++)
        fprintf(to, "%s%.17g", i ? " " : "", w->at[i]);
}

void accuracy_print(FILE *to, const function *f, const char *type, const result *r)
{
    fprintf(to, "%-14s %-10s %.2g  box %.3g at (", f->name, type, (double)(r->in.n + r->out.n),
            r->in.error);
    print_at(to, f, &r->in);
    if (r->out.n) {
        fprintf(to, ")  outside %.3g at (", r->out.error);
        print_at(to, f, &r->out);
    }
    fprintf(to, ")  hidden %.1g\n", r->hidden);
    fflush(to);
}

/* what tools/oracle.def promises, of f32 and f64 */
static void print_bound(FILE *to, const char *name, const char *type)
{
    char op[64];
    oracle q;
    snprintf(op, sizeof op, "%.*s", (int)strcspn(name, " "), name);
    bool narrow = !strncmp(type, "f32", 3);
    if ((narrow || !strncmp(type, "f64", 3)) && find_oracle(&q, op) && q.real)
        fprintf(to, "%g", q.ulp[!narrow]);
    else
        fprintf(to, "–");
}

void accuracy_rst(FILE *to, const function *f, const char *type, const result *r)
{
    fprintf(to, "   \"%s\", %s, %.2g, ", f->name, type, (double)(r->in.n + r->out.n));
    print_bound(to, f->name, type);
    fprintf(to, ", %.3g, \"", r->in.error);
    print_at(to, f, &r->in);
    fprintf(to, "\", \"");
    for (int i = 0; i < f->n; i++)
        fprintf(to, "%s[%g, %g]", i ? " " : "", f->box[i][0], f->box[i][1]);
    if (r->out.n) {
        fprintf(to, "\", %.3g, \"", r->out.error);
        print_at(to, f, &r->out);
        fprintf(to, "\"");
    } else {
        fprintf(to, "\", –, –");
    }
    fprintf(to, ", %.1g\n", r->hidden);
}

void accuracy_rst_head(FILE *to)
{
    char day[32];
    time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(to,
            ".. csv-table:: %s: agnesi %s, CPU level %s, MPFR %s, C library %s, compiler %s\n"
            "   :header: function, dtype, arguments, bound, \"worst ulp in the box\", at, box, "
            "\"outside\", at, hidden\n\n",
            day, agn_version(), agni_simd_kernels_get()->name, mpfr_get_version(), LIBC, COMPILER);
}

void accuracy_rst_keep(FILE *to, const char *file, const char *name)
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

/* the lines of a file before its table, then the new table */
void accuracy_replace(const char *file, FILE *table)
{
    char line[1024], made[1024];
    snprintf(made, sizeof made, "%s.new", file);
    FILE *from = fopen(file, "r"), *to = fopen(made, "w");
    if (!from || !to) {
        perror(from ? made : file);
        exit(1);
    }
    while (fgets(line, sizeof line, from) && strncmp(line, ".. csv-table::", 14))
        fputs(line, to);
    rewind(table);
    while (fgets(line, sizeof line, table))
        fputs(line, to);
    fclose(from);
    if (fclose(to) || rename(made, file)) {
        perror(file);
        exit(1);
    }
}
