/* t-profile - what a plan tells of itself: its text, the time of its steps, a trace file. */
#include "nets.h"

typedef const agn_tensor *const *args;

static char text[1 << 16];

/* the number before a word, in the line that begins with start */
static double number_before(const char *start, const char *word)
{
    const char *p = strstr(text, start), *q = p ? strstr(p, word) : NULL;
    while (q && q > p && q[-1] == ' ')
        q--;
    while (q && q > p && q[-1] != ' ')
        q--;
    return q ? strtod(q, NULL) : -1;
}

static void test_explain(const agn_fn *f)
{
    must(agn_plan_explain(text, sizeof text, NULL, f));
    ok(strstr(text, "region of 1000 rows") && strstr(text, "made of"), "the region");
    ok(strstr(text, "4 matmul") && strstr(text, "1 tanh"), "the nodes that are fused");
    /* 2 products forward, 2 for weights and 1 for the hidden layer back, of 1000 points */
    double flops = number_before("bound:", "flops"),
           bytes = number_before("bound:", "bytes");
    ok(flops > 1000 * 2 * (24 + 8 + 24 + 8) && flops < 1000 * 2 * 120, "%g flops",
       flops);
    ok(bytes > 8 * 3000 && bytes < 8 * 6000, "%g bytes: the points, and little else",
       bytes);
    ok(number_before("bound:", "ms in one") > 0 && strstr(text, "Gflop/s"),
       "a bound in ms");
}

static void test_profile(const agn_fn *f, agn_tensor *const *in)
{
    size_t need = 0;
    must(agn_plan_profile(text, sizeof text, &need, f, (args)in, agn_fn_n_in(f), 20));
    ok(need == strlen(text) + 1, "the length of a profile");
    ok(strstr(text, "profile: 20 calls") && strstr(text, "region of 1000 rows"),
       "steps by name");
    double share = 0;
    for (const char *p = text; (p = strchr(p, '%')); p++) {
        const char *q = p;
        while (q[-1] != ' ')
            q--;
        share += strtod(q, NULL);
    }
    ok(share > 99.5 && share < 100.5, "the shares add up: %g%%", share);
    char part[10];
    must(agn_plan_profile(part, sizeof part, NULL, f, (args)in, agn_fn_n_in(f), 1));
    is_str(part, "profile: ", "as much as there is room for");
}

/* as much of JSON as the trace has: balanced, and no comma before an end */
static bool well_formed(const char *p)
{
    int depth = 0;
    char last = 0;
    for (bool quoted = false; *p; p++) {
        if (*p == '"')
            quoted = !quoted;
        if (quoted || *p == ' ' || *p == '\n')
            continue;
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if ((last == ',' && strchr("]},", *p)) || (last == '}' && *p == '{') ||
            depth < 0)
            return false;
        last = *p;
    }
    return depth == 0;
}
static int count(const char *word)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++)
        n++;
    return n;
}

static void test_trace(const agn_fn *f, agn_tensor *const *in)
{
    static const char *path = "t-profile.tmp.json";
    must(agn_plan_trace_save(path, f, (args)in, agn_fn_n_in(f), 2));
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    ok(n > 0 && well_formed(text), "the trace is JSON");
    is_int(count("region of 1000 rows"), 2, "a region for each call");
    ok(count("\"chunk 0\"") == 2 && count("\"ph\": \"X\"") >= 6,
       "its chunks, as complete events");
    ok(count("thread_name") >= 2, "rows have names");
    agn_tensor *bad = NULL;
    ok(agn_plan_trace_save("no-such-folder/x.json", f, (args)in, agn_fn_n_in(f), 1) == AGN_EIO &&
           strstr(agn_error_message(), "no-such-folder"),
       "a folder that is not there");
    must(agn_full(&bad, AGN_F64, 0, NULL, 1));
    const agn_tensor *wrong[NET_ARGS] = {in[0], in[1], in[2], in[3], bad};
    wrong[0] = bad;
    ok(agn_plan_trace_save(path, f, wrong, agn_fn_n_in(f), 1) != AGN_OK, "arguments that do not fit");
    file = fopen(path, "rb");
    ok(file != NULL, "the old file stays");
    if (file)
        fclose(file);
    remove(path);
    agn_release(bad);
}

static void test_refused(const agn_fn *f, const agn_fn *g, agn_tensor *const *in)
{
    const agn_tensor *none[NET_ARGS] = {NULL};
    agn_tensor *w = NULL;
    must(agn_watch(&w, in[0]));
    const agn_tensor *recorded[NET_ARGS] = {w, in[1], in[2], in[3], in[4]};
    char t[8];
    is_int(agn_plan_profile(t, 8, NULL, NULL, (args)in, 3, 1), AGN_ENULL,
           "profile: no function");
    is_int(agn_plan_profile(NULL, 8, NULL, f, (args)in, 3, 1), AGN_ENULL,
           "profile: no text");
    is_int(agn_plan_profile(t, 8, NULL, f, NULL, 3, 1), AGN_ENULL,
           "profile: no arguments");
    is_int(agn_plan_profile(t, 8, NULL, f, (args)in, 2, 1), AGN_EARG,
           "profile: another number of arguments");
    is_int(agn_plan_profile(t, 8, NULL, f, none, agn_fn_n_in(f), 1), AGN_ENULL,
           "profile: an argument is NULL");
    is_int(agn_plan_profile(t, 8, NULL, g, (args)in, agn_fn_n_in(g), 1), AGN_EARG,
           "profile: not compiled");
    is_int(agn_plan_profile(t, 8, NULL, f, recorded, agn_fn_n_in(f), 1), AGN_EARG, "profile: recorded");
    is_int(agn_plan_profile(t, 8, NULL, f, (args)in, agn_fn_n_in(f), 0), AGN_EARG, "profile: no calls");
    is_int(agn_plan_trace_save(NULL, f, (args)in, 3, 1), AGN_ENULL, "trace: no path");
    is_int(agn_plan_trace_save("x", NULL, (args)in, 3, 1), AGN_ENULL,
           "trace: no function");
    is_int(agn_plan_trace_save("x", f, NULL, 3, 1), AGN_ENULL, "trace: no arguments");
    is_int(agn_plan_trace_save("x", f, (args)in, 4, 1), AGN_EARG, "trace: another number of arguments");
    is_int(agn_plan_trace_save("x", g, (args)in, agn_fn_n_in(g), 1), AGN_EARG, "trace: not compiled");
    is_int(agn_plan_trace_save("x", f, (args)in, agn_fn_n_in(f), -1), AGN_EARG, "trace: no calls");
    agn_release(w);
}

/* each allocation fails in turn */
static void test_memory(const agn_fn *f, agn_tensor *const *in)
{
    int failed = 0, wrong = 0;
    for (int64_t k = 0;; k++) {
        int64_t before, after;
        char t[8] = "before";
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(k);
        agn_status st = agn_plan_profile(t, sizeof t, NULL, f, (args)in, agn_fn_n_in(f), 2);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        if (!st)
            break;
        failed++;
        wrong += st != AGN_ENOMEM || after != before || strcmp(t, "before") != 0;
    }
    ok(failed > 5 && wrong == 0, "each of %d allocations fails cleanly", failed);
}

int main(void)
{
    agn_fn *g = net_steps(), *f = NULL;
    agn_tensor *in[NET_ARGS], *y[NET_OUT];
    must(agn_fn_compile(&f, g, NULL));
    net_arguments(in, 1000, AGN_F64);
    must(agn_fn_call(y, NET_OUT, f, (args)in, agn_fn_n_in(f)));
    test_explain(f);
    test_profile(f, in);
    test_trace(f, in);
    test_refused(f, g, in);
    test_memory(f, in);
    net_drop(y, NET_OUT);
    net_drop(in, NET_ARGS);
    agn_fn_release(f);
    agn_fn_release(g);
    return done();
}
