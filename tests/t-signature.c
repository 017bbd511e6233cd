/* tests/t-signature.c - what ops say they take, and that they take nothing else: the text of
   each row read here once more, and every wrong number of attributes refused by name. */
#include <agnesi/agnesi.h>

#include "tap.h"

enum { MOST = 8 };

typedef struct reading {
    int n_in; /* -1: any number */
    int ints, reals, objects, repeat;
    char kinds[16]; /* of the integers */
    bool well;      /* formed */
} reading;

/* words and attributes as the header describes them */
static reading read_signature(const char *p)
{
    reading r = {.well = true};
    int open = -1;
    bool attributes = false;
    while (*p && r.well) {
        if (*p == '(')
            open = r.ints, p++;
        size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
        r.well = n > 0;
        p += n;
        if (*p == ':') {
            attributes = true;
            char k = p[1];
            r.well = r.well && k && strchr("ibadro", k) && r.ints < 15;
            if (r.well && k != 'r' && k != 'o')
                r.kinds[r.ints++] = k;
            r.reals += k == 'r';
            r.objects += k == 'o';
            p += 2;
            if (*p == '*')
                r.repeat = 1, p++;
        } else {
            r.well = r.well && !attributes;
            r.n_in += r.n_in >= 0;
            if (*p == '*')
                r.n_in = -1, p++;
        }
        if (*p == ')' && p[1] == '*') {
            r.well = r.well && open >= 0;
            r.repeat = r.ints - open;
            open = -1;
            p += 2;
        }
        r.well = r.well && (!*p || *p == ' ');
        p += *p == ' ';
    }
    return r;
}

static bool right_count(const reading *r, int n)
{
    return r->repeat ? n >= r->ints - r->repeat && (n - r->ints) % r->repeat == 0
                     : n == r->ints;
}

static const char *op;
static const agn_tensor *in[MOST];
static int n_in, n_out, wrong;

/* the call is refused with both facts, and writes nothing */
static void refuse(agn_status want, const char *fact, const int64_t *ints, int n,
                   int n_real)
{
    static const double reals[MOST];
    agn_tensor *out[MOST], *untouched = (agn_tensor *)(void *)&out;
    for (int i = 0; i < MOST; i++)
        out[i] = untouched;
    agn_status st = agn_op_apply(out, n_out, op, in, n_in, ints, n, reals, n_real);
    const char *m = agn_error_message();
    if (st == want && out[0] == untouched && !strncmp(m, op, strlen(op)) &&
        strstr(m, fact))
        return;
    wrong++;
    diag("%s with %d integers and %d reals: %s, \"%s\"", op, n, n_real,
         agn_status_name(st), m);
    for (int i = 0; !st && i < n_out; i++)
        agn_release(out[i]);
}

static void wrong_counts(const reading *r, const char *text)
{
    static const int64_t ints[2 * MOST] = {0};
    for (int n = 0; n <= MOST; n++)
        for (int f = 0; f < 4; f++)
            if (!right_count(r, n) || f != r->reals || r->objects)
                refuse(AGN_EARG, text, ints, n, f);
}

/* each attribute in turn takes values that its kind has not */
static void wrong_values(const reading *r)
{
    static const struct {
        char kind;
        int64_t v;
        agn_status want;
        const char *fact;
    } bad[] = {{'b', 2, AGN_EARG, "2"},
               {'b', -1, AGN_EARG, "-1"},
               {'d', 12, AGN_EDTYPE, "12"},
               {'d', -1, AGN_EDTYPE, "-1"},
               {'a', 0, AGN_EINDEX, "2 axes"},
               {'a', -3, AGN_EINDEX, "2 axes"},
               {'a', INT64_MIN, AGN_EINDEX, "2 axes"}};
    int n = r->ints + (r->repeat > 0) * r->repeat;
    for (int k = 0; k < n && !r->objects; k++)
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            int64_t ints[32];
            char kind = 0;
            for (int i = 0; i < n; i++) {
                char here = r->kinds[i < r->ints ? i : i - r->repeat];
                ints[i] = here == 'a' ? -1 : here == 'd' ? AGN_F64 : 1;
                kind = i == k ? here : kind;
            }
            ints[k] = bad[b].v;
            if (bad[b].kind == kind)
                refuse(bad[b].want, bad[b].fact, ints, n, r->reals);
        }
}

int main(void)
{
    agn_tensor *x = NULL;
    if (agn_full(&x, AGN_F64, 2, (const int64_t[]){2, 2}, 1))
        bail_out("%s", agn_error_message());
    for (int i = 0; i < MOST; i++)
        in[i] = x;
    for (int id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        if (agn_op_describe(&info, id))
            bail_out("%s", agn_error_message());
        const char *text = agn_op_signature(id);
        reading r = read_signature(text);
        wrong = !r.well || r.n_in != info.n_in || r.objects > 1;
        if (strcmp(info.kind, "control") != 0) {
            op = info.name;
            n_in = info.n_in < 0 ? 2 : info.n_in;
            n_out = info.n_out;
            wrong_counts(&r, text);
            wrong_values(&r);
        }
        ok(!wrong, "%s takes \"%s\" and nothing else", info.name, text);
    }
    ok(!agn_op_signature(-1) && !agn_op_signature(agn_op_count()),
       "no op has no signature");
    agn_release(x);
    return done();
}
