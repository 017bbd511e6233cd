/* tools/ops.c - agnesi ops: the op table as the library itself tells it. */
#include "tool.h"

#include <agnesi/backend.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ops ------------------------------------------------------------------- */

int32_t *tool_pick_ops(int argc, char **argv, int *n)
{
    int all = agn_op_count(), count = argc > 0 ? argc : all;
    const char **names = calloc((size_t)all + 1, sizeof *names);
    int32_t *ids = calloc((size_t)count + 1, sizeof *ids);
    bool fine = names && ids;
    if (!fine)
        fprintf(stderr, "agnesi: out of memory for %d ops\n", all);
    for (int i = 0; fine && i < all; i++)
        names[i] = agn_op_name(i);
    for (int i = 0; fine && i < count; i++) {
        int id = argc > 0 ? 0 : i;
        while (argc > 0 && id < all && strcmp(argv[i], names[id]) != 0)
            id++;
        ids[i] = id;
        if (id == all) {
            tool_unknown("op", argv[i], names, all);
            fine = false;
        }
    }
    free(names);
    if (!fine) {
        free(ids);
        return NULL;
    }
    *n = count;
    return ids;
}

/* ---- columns --------------------------------------------------------------------- */

typedef struct row {
    agn_op_info info;
    const char *takes;
    bool cuda, host; /* host: without a kernel on a device it runs on the host */
} row;

static const struct {
    const char *name;
    size_t at; /* of the bool in row */
} flags[] = {
    {"jvp", offsetof(row, info.jvp)},       {"vjp", offsetof(row, info.vjp)},
    {"jet", offsetof(row, info.jet)},       {"vmap", offsetof(row, info.vmap)},
    {"sparse", offsetof(row, info.sparse)}, {"cpu", offsetof(row, info.cpu)},
    {"cuda", offsetof(row, cuda)},          {"host", offsetof(row, host)},
};
enum { N_FLAGS = sizeof flags / sizeof *flags };

static bool flag(const row *r, int k)
{
    return *(const bool *)((const char *)r + flags[k].at);
}

/* "f32 f64", or with other words around and between */
static void dtypes_text(char *buf, size_t n, uint32_t dtypes, const char *quote,
                        const char *between)
{
    size_t at = 0;
    buf[0] = 0;
    for (int d = 0; d < AGN_NDTYPES; d++)
        if (dtypes >> d & 1 && at < n)
            at += (size_t)snprintf(buf + at, n - at, "%s%s%s%s", at ? between : "",
                                   quote, agn_dtype_name(d), quote);
}

/* ---- as a table ------------------------------------------------------------------ */

static void table(const row *rows, int n, const char *cuda)
{
    char text[128];
    int wide_name = 2, wide_kind = 5, wide_dtypes = 6;
    for (int i = 0; i < n; i++) {
        dtypes_text(text, sizeof text, rows[i].info.dtypes, "", " ");
        int lengths[] = {(int)strlen(rows[i].info.name), (int)strlen(rows[i].info.kind),
                         (int)strlen(text)};
        wide_name = lengths[0] > wide_name ? lengths[0] : wide_name;
        wide_kind = lengths[1] > wide_kind ? lengths[1] : wide_kind;
        wide_dtypes = lengths[2] > wide_dtypes ? lengths[2] : wide_dtypes;
    }
    printf("%-*s  %-*s  %-*s  eval", wide_name, "op", wide_kind, "class", wide_dtypes,
           "dtypes");
    for (int k = 0; k < N_FLAGS; k++)
        printf("  %s", flags[k].name);
    printf("  takes\n");
    for (int i = 0; i < n; i++) {
        dtypes_text(text, sizeof text, rows[i].info.dtypes, "", " ");
        printf("%-*s  %-*s  %-*s  %-4s", wide_name, rows[i].info.name, wide_kind,
               rows[i].info.kind, wide_dtypes, text,
               rows[i].info.dtypes ? "yes" : "no");
        for (int k = 0; k < N_FLAGS; k++)
            printf("  %-*s", (int)strlen(flags[k].name), flag(&rows[i], k) ? "yes" : "no");
        printf("  %s\n", *rows[i].takes ? rows[i].takes : "-");
    }
    printf(
        "\n%d ops; cuda: %s\ntakes: operands (x* any number), then name:kind of attributes: i integer, "
        "b 0 or 1, a axis from the end, d dtype, r real, o object\n"
        "host: without a kernel of the device it runs on the host, copied there and back\n",
        n, cuda);
}

/* ---- as JSON --------------------------------------------------------------------- */

static void json_text(const char *key, const char *s)
{
    printf("\"%s\": \"", key);
    for (; *s; s++) {
        if ((unsigned char)*s < 32)
            printf("\\u%04x", (unsigned)*s);
        else
            printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    }
    printf("\"");
}

/* "x keep:b axes:a*" as a list of names and a list of names with their kinds; the same rows
   are told by agn_op_signature */
static void json_signature(const char *takes)
{
    static const char *const kinds[] = {"iinteger", "bflag", "aaxis",
                                        "ddtype",   "rreal", "oobject"};
    bool attribute = false, first = true, group = false;
    printf("\"arguments\": [");
    while (*takes) {
        takes += strspn(takes, " ");
        group |= *takes == '(';
        takes += *takes == '(';
        int n = (int)strcspn(takes, ":* )");
        const char *end = takes + n;
        if (*end == ':' && !attribute) {
            printf("], \"attributes\": [");
            attribute = first = true;
        }
        printf("%s{\"name\": \"%.*s\"", first ? "" : ", ", n, takes);
        for (int k = 0; *end == ':' && k < 6; k++)
            if (end[1] == kinds[k][0])
                printf(", \"kind\": \"%s\"", kinds[k] + 1);
        end += *end == ':' ? 2 : 0;
        printf(", \"repeats\": %s}", group || *end == '*' ? "true" : "false");
        group = group && *end != ')';
        takes = end + strspn(end, ")*");
        first = false;
    }
    printf(attribute ? "]" : "], \"attributes\": []");
}

static void json(const row *rows, int n, const char *cuda)
{
    printf("{");
    json_text("version", agn_version());
    printf(", ");
    json_text("cuda", cuda);
    printf(", \"ops\": [\n");
    for (int i = 0; i < n; i++) {
        const agn_op_info *f = &rows[i].info;
        char text[256];
        printf("  {");
        json_text("name", f->name);
        printf(", ");
        json_text("class", f->kind);
        printf(", ");
        json_text("signature", *rows[i].takes ? rows[i].takes : "-");
        printf(", ");
        json_signature(rows[i].takes);
        dtypes_text(text, sizeof text, f->dtypes, "\"", ", ");
        printf(", \"n_in\": %d, \"n_out\": %d, \"dtypes\": [%s], \"eval\": %s",
               (int)f->n_in, (int)f->n_out, text, f->dtypes ? "true" : "false");
        for (int k = 0; k < N_FLAGS; k++)
            printf(", \"%s\": %s", flags[k].name, flag(&rows[i], k) ? "true" : "false");
        printf(", ");
        json_text("doc", *f->doc ? f->doc : f->name);
        printf("}%s\n", i + 1 < n ? "," : "");
    }
    printf("]}\n");
}

/* ---- the command ----------------------------------------------------------------- */

static int print(const int32_t *ids, int n, bool as_json)
{
    const char *cuda = "";
    int32_t device = -1;
    row *rows = calloc((size_t)n + 1, sizeof *rows);
    if (!rows) {
        fprintf(stderr, "agnesi: out of memory for %d ops\n", n);
        return TOOL_FAILED;
    }
    if (agn_backend_status("cuda", &cuda) > 0) {
        cuda = "usable";
        if (agn_device_find(&device, "cuda"))
            device = -1;
    }
    int status = TOOL_OK;
    for (int i = 0; i < n; i++) {
        rows[i].info.size = sizeof rows[i].info;
        if (agn_op_describe(&rows[i].info, ids[i])) {
            fprintf(stderr, "agnesi: %s\n", agn_error_message());
            status = TOOL_FAILED;
        }
        rows[i].takes = agn_op_signature(ids[i]);
        const char *name;
        for (int k = 0; !rows[i].host && (name = agn_host_run_name(k, NULL)); k++)
            rows[i].host = !strcmp(name, rows[i].info.name);
        rows[i].cuda = device >= 0 && tool_runs_on(ids[i], device);
    }
    if (!status)
        (as_json ? json : table)(rows, n, cuda);
    free(rows);
    return status;
}

int tool_ops(int argc, char **argv)
{
    static const char *const options[] = {"--json", "--verify", "--orders"};
    bool given[3] = {false};
    int first = 1, top = 3;
    for (; first < argc && argv[first][0] == '-'; first++) {
        int k = 0;
        while (k < 3 && strcmp(argv[first], options[k]) != 0)
            k++;
        if (k == 3)
            return tool_unknown("option of ops", argv[first], options, 3);
        given[k] = true;
        if (k == 2 && first + 1 < argc && argv[first + 1][0] >= '1' && argv[first + 1][0] <= '6')
            top = argv[++first][0] - '0';
    }
    int n = 0;
    int32_t *ids = tool_pick_ops(argc - first, argv + first, &n);
    if (!ids)
        return TOOL_USAGE;
    int status = given[2]   ? tool_orders(ids, n, top)
                 : given[1] ? tool_verify(ids, n)
                            : print(ids, n, given[0]);
    free(ids);
    return status;
}
