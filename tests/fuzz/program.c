/* tests/fuzz/program.c - random programs under random nestings of transforms: forward, reverse,
   Taylor, lanes, loops, plans must all say the same, and an interpreter that shares no rule
   with the library (tests/fuzz/judge-nest.py) too.

     t-program [COUNT [SEED [WORD]]]   COUNT programs from SEED; a program's seed reproduces it
     t-program --wide ...              programs of many rows
     t-program --loops ...             programs with loops among their steps
     t-program --judge COUNT SEED      with numbers of 60 digits too, for a part of them
     t-program --table COUNT SEED      and prints how often each op met each transform      */
#include "../tap.h"
#include "program.h"
#include <unistd.h>

/* ---- comparisons ---------------------------------------------------------------------------- */

/* what the library says by a word, against forward mode and loops in C */
typedef struct comparison {
    const char *word;  /* NULL: the one that was drawn */
    const char *plain; /* what it should be */
    bool planned;      /* compiled as a whole */
} comparison;

static const comparison comparisons[] = {
    {"", "", true},   {"R", "F", false}, {"V", "F", false}, {"J", "F", false},
    {"R", "F", true}, {"K", "K", false}, {"H", "K", false}, {NULL, NULL, false},
    {NULL, NULL, true},
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

enum verdict { AGREE, DIFFER, NOT_FINITE, ILL, REFUSED };
static const char *const verdicts[] = {"agrees", "differs", "value not finite",
                                       "conditioned too badly", "refused"};

typedef struct finding {
    int which;
    double have, want, allowed;
    char message[256];
} finding;

static const double NOISE = 0x1p-40, SAFETY = 4096;
static const double RELATIVE = 1e-12; /* of the result itself */
static const double KINK = 16; /* what a choice changes, of what a few other choices did */

static double value_by(const program *p, const char *word, bool plain, bool planned,
                       double level, agn_status *st)
{
    program *q = (program *)(uintptr_t)p;
    agn_fn *f = fuzz_nest(p, word, plain), *plan = NULL;
    agn_tensor *y = NULL;
    double v = (double)NAN, before = p->level;
    *st = f ? AGN_OK : AGN_EARG;
    q->level = level;
    q->unrolled = plain;
    if (!*st && planned)
        *st = agn_fn_compile(&plan, f, NULL);
    if (!*st)
        *st = agn_fn_call(&y, 1, planned ? plan : f, (const T *)p->x,
                          agn_fn_n_in(planned ? plan : f));
    if (!*st)
        *st = agn_item_f64(&v, y);
    q->level = before;
    agn_release(y);
    agn_fn_release(plan);
    agn_fn_release(f);
    return v;
}

/* a value by forward mode, and what roundings of its steps may change in it */
typedef struct reference {
    char word[8];
    double value, allowed;
    agn_status st;
} reference;

static double allowance(const program *p, const char *word, double value)
{
    agn_status st;
    double up = value_by(p, word, true, false, NOISE, &st);
    double down = value_by(p, word, true, false, -NOISE, &st);
    double moved = fmax(fabs(up - value), fabs(down - value));
    return RELATIVE * fmax(1, fabs(value)) + SAFETY * 0x1p-52 * moved / NOISE;
}
static reference refer(const program *p, const char *word)
{
    reference r = {.value = 0};
    snprintf(r.word, sizeof r.word, "%s", word);
    r.value = value_by(p, word, true, false, 0, &r.st);
    r.allowed = allowance(p, word, r.value);
    return r;
}
/* Values that are equal get equal noise, so that ties stay ties; but where large terms cancel because
   two values are equal, as in the slopes of rel_entr(x, x), that sees nothing of it. What parting them
   allows, which at a tie that matters would be more than this. */
static bool cancels(const program *p, const reference *known, double error)
{
    program *q = (program *)(uintptr_t)p;
    q->apart = true;
    double allowed = allowance(p, known->word, known->value);
    q->apart = false;
    return error <= allowed && allowed <= 1e-6 * fmax(1, fabs(known->value));
}

static agn_status moved_input(agn_tensor **out, T like, const double *v)
{
    agn_tensor *x = NULL;
    int dtype = agn_dtype_of(like);
    agn_status st = agn_from_host(&x, dtype == AGN_C128 ? AGN_C128 : AGN_F64, agn_ndim(like),
                                  agn_shape(like), v);
    st = st ? st : agn_cast(out, x, dtype);
    agn_release(x);
    return st;
}
/* how far result o of f moves when its arguments do by a little, each number by its own: at a kink, or at
   ties that a product may round apart, as far as its slopes differ */
static double *moves_of(const agn_fn *f, const program *p, int o, int n, const double *at)
{
    enum { TRIES = 32 }; /* of a tie, half of them choose the other side */
    uint64_t state = p->seed;
    double *most = calloc((size_t)n + 1, sizeof *most);
    for (int t = 0; t < TRIES && most; t++) {
        agn_tensor *x[MOST_INPUTS] = {NULL}, *y[1 + MOST_INPUTS] = {NULL};
        agn_status st = AGN_OK;
        for (int i = 0; i < p->n_x && !st; i++) {
            int m;
            double *v = fuzz_all_numbers(p->x[i], &m);
            for (int k = 0; k < m; k++)
                v[k] += ((double)(fuzz_draw(&state) >> 11) * 0x1p-52 - 1) *
                        (p->single ? 0x1p-18 : 0x1p-36);
            st = v ? moved_input(&x[i], p->x[i], v) : AGN_ENOMEM;
            free(v);
        }
        int m = 0;
        double *v = st || agn_fn_call(y, agn_fn_n_out(f), f, (const T *)x, agn_fn_n_in(f)) ? NULL : fuzz_all_numbers(y[o], &m);
        for (int k = 0; v && m == n && k < n; k++)
            most[k] = fabs(v[k] - at[k]) <= most[k] ? most[k] : fabs(v[k] - at[k]);
        free(v);
        for (int i = 0; i <= p->n_x; i++) {
            agn_release(y[i]);
            agn_release(i < p->n_x ? x[i] : NULL);
        }
    }
    return most;
}
/* is a value so near a kink that roundings of large products choose? */
static bool bent(const program *p, const reference *known, double error)
{
    program *q = (program *)(uintptr_t)p;
    if (p->kind != FUZZ_WIDE)
        return false;
    q->unrolled = true;
    agn_fn *f = fuzz_nest(p, known->word, true);
    double *moves = f ? moves_of(f, p, 0, 1, &known->value) : NULL;
    bool yes = moves && error <= KINK * moves[0] && moves[0] > known->allowed;
    free(moves);
    agn_fn_release(f);
    return yes;
}

static enum verdict compare_words(const program *p, const char *word, const char *plain,
                                  bool planned, reference *known, finding *found)
{
    if (strcmp(known->word, plain) || known->allowed == 0)
        *known = refer(p, plain);
    agn_status st;
    double have = value_by(p, word, false, planned, 0, &st);
    *found = (finding){0, have, known->value, known->allowed, ""};
    if (st || known->st) {
        snprintf(found->message, sizeof found->message, "%s", agn_error_message());
        /* a value outside of a domain is refused by who computes it, which a loop that reads none of it
           does not */
        bool pruned = !st && known->st == AGN_EDOMAIN;
        return st == AGN_EUNSUPPORTED || st == known->st || pruned ? REFUSED : DIFFER;
    }
    if (!isfinite(have) && !isfinite(known->value))
        return NOT_FINITE;
    /* where the program itself has no value, a mode may still find a zero that is not multiplied */
    if ((!isfinite(have) || !isfinite(known->value)) &&
        !isfinite(value_by(p, "", true, false, 0, &st)))
        return NOT_FINITE;
    /* also where a rounding makes it NaN */
    if (!(known->allowed <= 1e-5 * fmax(1, fabs(known->value))))
        return ILL;
    double error = fabs(have - known->value);
    return error <= known->allowed                             ? AGREE
           : cancels(p, known, error) || bent(p, known, error) ? ILL
                                                               : DIFFER;
}
static enum verdict compare(const program *p, int which, const char *word, reference *known,
                            finding *found)
{
    const comparison *c = &comparisons[which];
    enum verdict v = compare_words(p, c->word ? c->word : word, c->word ? c->plain : word,
                                   c->planned, known, found);
    found->which = which;
    return v;
}

/* Value and gradient of what a word makes, planned with one and with more threads: the same bits, and
   those of the tape but for roundings. scale: of the largest number before */
static bool plans_agree_on(const agn_fn *f, const program *p, int o, T made, T planned, T again,
                           double *scale, finding *found)
{
    int n, m, l;
    double *v = fuzz_all_numbers(made, &n), *w = fuzz_all_numbers(planned, &m),
           *u = fuzz_all_numbers(again, &l);
    bool good = v && w && u && n == m && n == l;
    double largest = 0;
    for (int j = 0; j < n && good; j++)
        largest = isfinite(v[j]) ? fmax(largest, fabs(v[j])) : largest;
    *scale = fmax(*scale, largest);
    double allowed = (p->single ? 1e-3 : 1e-7) * fmax(largest, 1e-3 * *scale), *moves = NULL;
    for (int j = 0; j < n && good; j++) {
        bool same = !memcmp(&w[j], &u[j], sizeof *w),
             close = fabs(w[j] - v[j]) <= allowed || !isfinite(v[j]);
        moves = close || moves ? moves : moves_of(f, p, o, n, v);
        close |= moves && !(fabs(w[j] - v[j]) > allowed + KINK * moves[j]);
        *found = (finding){-1, w[j], v[j], allowed, ""};
        snprintf(found->message, sizeof found->message, "element %d of %d%s", j, n,
                 same ? "" : ", threads change it");
        good = same && close;
    }
    free(moves);
    free(v);
    free(w);
    free(u);
    return good;
}
/* plans that run on tiles, of all plans; programs in which a loop matters */
static int n_plan, n_tiled, n_looped;
static void count_loop(const program *p)
{
    bool live[MOST_STEPS], any = false;
    fuzz_live(p, live);
    for (int i = 0; i < p->n_step; i++)
        any |= live[i] && p->s[i].op == &fuzz_loop;
    n_looped += any;
}
static void count_plan(const agn_fn *plan)
{
    size_t need = 0;
    char *text = agn_plan_explain(NULL, 0, &need, plan) ? NULL : malloc(need);
    n_plan++;
    n_tiled += text && !agn_plan_explain(text, need, NULL, plan) && strstr(text, "region of");
    free(text);
}
/* called elsewhere, of which a plan must keep nothing */
static void used_before(const agn_fn *plan, const program *p)
{
    agn_tensor *y[1 + MOST_INPUTS] = {NULL};
    agn_status st = agn_fn_call(y, agn_fn_n_out(plan), plan, (const T *)p->v[0], agn_fn_n_in(plan));
    for (int i = 0; i <= p->n_x && !st; i++)
        agn_release(y[i]);
}
static bool plans_agree(const program *p, const char *word, finding *found)
{
    program *q = (program *)(uintptr_t)p;
    q->unrolled = false;
    agn_fn *f = fuzz_nest(p, word, false), *grad = NULL, *plan = NULL;
    agn_tensor *y[3][1 + MOST_INPUTS] = {{NULL}};
    agn_status st = f ? agn_fn_value_and_grad(&grad, f, fuzz_all, p->n_x) : AGN_ENOMEM;
    if (!st)
        st = agn_fn_call(y[0], agn_fn_n_out(grad), grad, (const T *)p->x, agn_fn_n_in(grad));
    bool refused = st == AGN_EUNSUPPORTED || st == AGN_EDOMAIN;
    for (int k = 1; k < 3 && !st; k++) {
        st = agn_threads_set(k == 1 ? 1 : 2 + (int)(p->seed % 3));
        if (!st)
            st = agn_fn_compile(&plan, grad, NULL);
        if (!st && k == 2)
            used_before(plan, p);
        if (!st)
            st = agn_fn_call(y[k], agn_fn_n_out(plan), plan, (const T *)p->x, agn_fn_n_in(plan));
        if (!st && k == 1)
            count_plan(plan);
        agn_fn_release(plan);
        plan = NULL;
    }
    bool good = !st;
    double scale = 1;
    for (int i = 0; i <= p->n_x && good; i++)
        good = plans_agree_on(grad, p, i, y[0][i], y[1][i], y[2][i], &scale, found);
    if (st)
        snprintf(found->message, sizeof found->message, "%s", agn_error_message());
    for (int k = 0; k < 3; k++)
        for (int i = 0; i <= p->n_x; i++)
            agn_release(y[k][i]);
    agn_fn_release(grad);
    agn_fn_release(f);
    return good || refused || st == AGN_EUNSUPPORTED;
}

/* ---- what was met --------------------------------------------------------------------------------- */

enum { MOST_OPS = 512, LETTERS = sizeof FUZZ_LETTERS - 1, MOST_REASONS = 64 };
static int met[MOST_OPS][LETTERS];
static struct {
    char text[120];
    int n;
} reasons[MOST_REASONS];
static int judged, skipped;

static int number_of(const agni_op *op)
{
    for (int i = 0; i < agni_op_count(); i++)
        if (agni_op_at(i) == op)
            return i;
    return 0;
}
static void count(const program *p, const char *word, bool planned)
{
    bool live[MOST_STEPS];
    fuzz_live(p, live);
    for (int i = 0; i < p->n_step; i++) {
        const step *q = &p->s[i];
        const agni_op *op = q->op == &fuzz_call ? agni_op_find(fuzz_call_ops[q->ints[0]]) : q->op;
        for (int l = 0; l < LETTERS && live[i] && op && op != &fuzz_form && op != &fuzz_loop; l++)
            met[number_of(op)][l] += strchr(word, FUZZ_LETTERS[l]) != NULL ||
                                     (planned && FUZZ_LETTERS[l] == 'P');
    }
    judged++;
}
static void skip_for(enum verdict v, const finding *found)
{
    char text[120];
    snprintf(text, sizeof text, "%s%s%.90s", verdicts[v], *found->message ? ": " : "",
             found->message);
    skipped++;
    for (int i = 0; i < MOST_REASONS; i++)
        if (!*reasons[i].text || !strcmp(reasons[i].text, text)) {
            strcpy(reasons[i].text, text);
            reasons[i].n++;
            return;
        }
}

/* random numbers differ between the lanes of vmap, rightly: such programs have none */
static bool draws(const program *p)
{
    for (int i = 0; i < p->n_step; i++)
        if (p->s[i].op && p->s[i].op->cls == AGNI_RANDOM)
            return true;
    return false;
}

static void word_of(const program *p, char *word)
{
    uint64_t state = p->seed * 0x9E3779B97F4A7C15u + 7;
    fuzz_word(word, &state);
    for (char *c = word; *c; c++)
        if ((*c == 'B' || *c == 'M') && draws(p))
            *c = 'A';
}

/* ---- one program ------------------------------------------------------------------------------------ */

static bool still_fails(const program *p, const char *word, void *with)
{
    const finding *q = with;
    finding found;
    reference known = {.value = 0};
    program *c = (program *)(uintptr_t)p;
    if (q->which < 0)
        return !plans_agree(p, word, &found);
    return fuzz_make_noise(c) && compare(p, q->which, word, &known, &found) == DIFFER;
}

static void report(const program *p, char *word, finding *found)
{
    const comparison *c = found->which < 0 ? NULL : &comparisons[found->which];
    char less[8];
    snprintf(less, sizeof less, "%s", word);
    program *small = fuzz_shrink(p, less, still_fails, found);
    diag("seed %llu, %s%s%s: %.17g, not %.17g, allowed %.2g: %s", (unsigned long long)p->seed,
         c && c->word ? c->word : word,
         !c           ? " planned, with its gradient"
         : c->planned ? " planned"
                      : "",
         c && !c->word ? " against plain" : "", found->have, found->want, found->allowed,
         found->message);
    fuzz_print(stdout, small ? small : p, less);
    printf("end\n");
    fflush(stdout);
    fuzz_free(small);
}

/* plans of first and second derivatives are what the rows of a batch, and loops, are told apart by */
static bool all_plans_agree(const program *p, fuzz_kind kind)
{
    static const char *const words[] = {"R", "H", "F", "O", "K", "RF", "V", "J"};
    char word[8] = "";
    finding found = {.which = -1};
    bool good = plans_agree(p, word, &found);
    if (good && kind != FUZZ_SMALL) {
        snprintf(word, sizeof word, "%s", words[fuzz_mix(p->seed) % (uint64_t)COUNT(words)]);
        good = plans_agree(p, word, &found);
    }
    program *c = good && kind == FUZZ_WIDE ? fuzz_in_single(p) : NULL;
    good = good && (!c || plans_agree(c, word, &found));
    if (!good)
        report(c ? c : p, word, &found);
    fuzz_free(c);
    return good;
}

/* no number is lost, and none appears, on the way through a plan */
static bool infinite_agree(const program *p)
{
    program *c = fuzz_infinite(p);
    agn_fn *f = c ? fuzz_fn(c) : NULL, *plan = NULL;
    agn_tensor *made[MOST_ARGS] = {NULL}, *planned[MOST_ARGS] = {NULL};
    agn_status st = f ? agn_fn_compile(&plan, f, NULL) : AGN_OK;
    if (!st && f)
        st = agn_fn_call(made, agn_fn_n_out(f), f, (const T *)c->x, agn_fn_n_in(f));
    if (!st && f)
        st = agn_fn_call(planned, agn_fn_n_out(plan), plan, (const T *)c->x, agn_fn_n_in(plan));
    bool good = !st;
    for (int o = 0; f && o < c->n_out && good; o++) {
        int n, m;
        double *v = fuzz_all_numbers(made[o], &n), *w = fuzz_all_numbers(planned[o], &m);
        for (int i = 0; i < n && good; i++) {
            bool same = isfinite(v[i]) ? fabs(v[i] - w[i]) <= 1e-9 * fmax(1, fabs(v[i]))
                                       : (isnan(v[i]) && isnan(w[i])) || v[i] == w[i];
            good = n == m && same;
            if (!good)
                diag(
                    "seed %llu with numbers that are none: value %d, element %d of %d planned is %.17g, not %.17g",
                    (unsigned long long)p->seed, c->out[o], i, n, w[i], v[i]);
        }
        free(v);
        free(w);
    }
    if (st)
        diag("seed %llu with numbers that are none: %s", (unsigned long long)p->seed,
             agn_error_message());
    if (!good)
        fuzz_print(stdout, c, "");
    for (int o = 0; o < MOST_ARGS; o++) {
        agn_release(made[o]);
        agn_release(planned[o]);
    }
    agn_fn_release(plan);
    agn_fn_release(f);
    fuzz_free(c);
    return good;
}
static bool single_agrees(const program *p)
{
    char message[200] = "";
    if (fuzz_single(p, message, sizeof message))
        return true;
    diag("seed %llu: %s", (unsigned long long)p->seed, message);
    return false;
}

static bool one_program(uint64_t seed, fuzz_kind kind, const char *given)
{
    program *p = fuzz_program(seed, kind, false);
    char word[8];
    finding found = {.which = -1};
    if (!p || !fuzz_make_noise(p)) {
        diag("seed %llu gives no program: %s", (unsigned long long)seed, agn_error_message());
        fuzz_free(p);
        return false;
    }
    word_of(p, word);
    if (given)
        snprintf(word, sizeof word, "%s", given);
    count_loop(p);
    bool good = all_plans_agree(p, kind);
    if (kind == FUZZ_WIDE) {
        good &= single_agrees(p);
        good &= infinite_agree(p);
    }
    reference known = {.value = 0};
    for (int i = 0; i < COMPARISONS; i++) {
        const comparison *c = &comparisons[i];
        enum verdict v = compare(p, i, word, &known, &found);
        if (v == AGREE)
            count(p, c->word ? c->word : word, c->planned);
        else if (v != DIFFER)
            skip_for(v, &found);
        else
            report(p, word, &found);
        good &= v != DIFFER;
    }
    fuzz_free(p);
    return good;
}

/* ---- the judge outside --------------------------------------------------------------------------------- */

/* the point, one derivative of first and of second order, and three words */
static bool print_case(FILE *to, uint64_t seed, fuzz_kind kind)
{
    program *p = fuzz_program(seed, kind, true);
    if (!p || !fuzz_make_noise(p)) {
        fuzz_free(p);
        return false;
    }
    char word[6][8] = {"", "R", "H"};
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 11;
    fuzz_print(to, p, "");
    for (int k = 0; k < 6; k++) {
        if (k > 2)
            fuzz_word(word[k], &state);
        finding found;
        reference known = {.value = 0};
        enum verdict v = compare_words(p, word[k], word[k], k == 5, &known, &found);
        if (v == NOT_FINITE || v == ILL || v == REFUSED)
            skip_for(v, &found);
        else {
            count(p, word[k], k == 5);
            fprintf(to, "have %s %a %a\n", *word[k] ? word[k] : "-", found.have, found.allowed);
        }
    }
    fprintf(to, "end\n");
    fuzz_free(p);
    return true;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *v = getenv(name);
    return v && *v ? v : otherwise;
}

static int judge(int n, uint64_t seed, fuzz_kind kind)
{
    char file[64], line[1024], verdict[512] = "";
    snprintf(line, sizeof line, "'%s' -c 'import mpmath' 2>/dev/null", setting("PYTHON3", "python3"));
    if (system(line)) {
        skip("python3-mpmath is missing: no judge outside of the library");
        return 0;
    }
    snprintf(file, sizeof file, "t-program.%ld.tmp", (long)getpid());
    FILE *to = fopen(file, "w");
    int bad = 0;
    if (!to)
        bail_out("cannot write %s", file);
    for (int i = 0; i < n; i++)
        bad += !print_case(to, seed + (uint64_t)i, kind);
    fclose(to);
    snprintf(line, sizeof line, "'%s' '%s/tests/fuzz/judge-nest.py' '%s'",
             setting("PYTHON3", "python3"), setting("top_srcdir", ".."), file);
    FILE *from = popen(line, "r");
    while (from && fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = 0;
        bad += !strncmp(line, "bad", 3);
        diag("%s", line);
        snprintf(verdict, sizeof verdict, "%.500s", line);
    }
    bad += !from || pclose(from);
    is_int(bad, 0, "%s", verdict);
    if (!bad)
        remove(file);
    return bad;
}

/* ---- table --------------------------------------------------------------------------------------------- */

static void print_table(void)
{
    printf("# %-24s", "op");
    for (int l = 0; l < LETTERS; l++)
        printf(" %6c", FUZZ_LETTERS[l]);
    printf("\n");
    for (int i = 0; i < agni_op_count(); i++) {
        const agni_op *op = agni_op_at(i);
        const char *why = fuzz_left_out(op);
        printf("# %-24s", op->name);
        for (int l = 0; l < LETTERS && !why; l++)
            printf(" %6d", met[i][l]);
        printf("%s%s\n", why ? " " : "", why ? why : "");
    }
}
/* of a long run; programs that draw are never mapped */
static void least_met(int programs)
{
    int least = INT32_MAX;
    const char *name = "";
    char letter = ' ';
    for (int i = 0; i < agni_op_count(); i++)
        for (int l = 0; l < LETTERS && !fuzz_left_out(agni_op_at(i)); l++)
            if (met[i][l] < least &&
                !(agni_op_at(i)->cls == AGNI_RANDOM && strchr("BM", FUZZ_LETTERS[l]))) {
                least = met[i][l];
                name = agni_op_at(i)->name;
                letter = FUZZ_LETTERS[l];
            }
    ok(least >= programs / 200, "each op met each transform %d times at least (%s under %c)", least,
       name, letter);
}

/* what is drawn, and how many of it make check does, in every mode and by the judge outside */
static const struct {
    const char *flag, *what;
    fuzz_kind kind;
    int some, judged;
} suites[] = {{"", "programs", FUZZ_SMALL, 200, 40},
              {"--wide", "programs of many rows", FUZZ_WIDE, 24, 0},
              {"--loops", "programs with loops", FUZZ_LOOPS, 60, 10}};

static void run(int suite, int n, uint64_t seed, const char *word)
{
    int bad = 0;
    n_plan = n_tiled = n_looped = 0;
    for (int i = 0; i < n; i++) {
        bad += !one_program(seed + (uint64_t)i, suites[suite].kind, word);
        if (i % 1000 == 999)
            diag("%d programs, %d with findings", i + 1, bad);
    }
    is_int(bad, 0, "%d %s from seed %llu: every mode says the same", n, suites[suite].what,
           (unsigned long long)seed);
    if (suites[suite].kind == FUZZ_WIDE && n >= 20)
        ok(n_tiled >= n_plan / 2, "%d of %d plans run on tiles", n_tiled, n_plan);
    if (suites[suite].kind == FUZZ_LOOPS && n >= 20)
        ok(n_looped >= n / 2, "%d of %d programs have loops", n_looped, n);
}

int main(int argc, char **argv)
{
    bool outside = false, table = false;
    int suite = 0;
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
        outside |= !strcmp(argv[1], "--judge");
        table |= !strcmp(argv[1], "--table");
        for (int k = 1; k < COUNT(suites); k++)
            suite = strcmp(argv[1], suites[k].flag) ? suite : k;
    }
    int n = argc > 1 ? atoi(argv[1]) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20270;
    for (int k = 0; k < COUNT(suites) && !n; k++) {
        /* in a quick run, too: so many that one program which is skipped is less than a twentieth */
        int some = tap_scale(suites[k].some), least = k == 0 ? 24 : 1;
        run(k, some > least ? some : least, seed, NULL);
        if (suites[k].judged)
            judge(tap_scale(suites[k].judged), seed, suites[k].kind);
    }
    if (n && outside)
        judge(n, seed, suites[suite].kind);
    else if (n)
        run(suite, n, seed, argc > 3 ? argv[3] : NULL);
    for (int i = 0; i < MOST_REASONS && reasons[i].n; i++)
        diag("skipped %d: %s", reasons[i].n, reasons[i].text);
    ok(skipped <= 0.05 * (judged + skipped), "%d comparisons, %d skipped", judged + skipped, skipped);
    if (table) {
        least_met(n);
        print_table();
    }
    return done();
}
