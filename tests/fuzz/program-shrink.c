/* tests/fuzz/program-shrink.c - a failing program made as small as it goes, and printed. */
#include "graph/program/program.h"
#include "program.h"

static bool alike(T a, T b)
{
    return agn_dtype_of(a) == agn_dtype_of(b) && agn_ndim(a) == agn_ndim(b) &&
           !memcmp(agn_shape(a), agn_shape(b), (size_t)agn_ndim(a) * sizeof(int64_t));
}

/* with step i another way round, if it still fails so */
static bool keeps_failing(program **p, const step *other, int i, const char *word,
                          fuzz_fails *fails, void *with)
{
    program *c = fuzz_copy(*p);
    if (!c)
        return false;
    agn_release(c->s[i].value);
    agni_obj_release(c->s[i].obj);
    c->s[i] = *other;
    agn_retain(other->value);
    if (other->obj)
        agni_obj_retain(other->obj);
    bool good = fails(c, word, with);
    program *gone = good ? *p : c;
    if (good)
        *p = c;
    fuzz_free(gone);
    return good;
}

/* instead of step q the operand of that number; behind the last one the value that it has */
static bool less(step *other, const step *q, int way, agn_tensor *const *v)
{
    if (!q->op || q->n_out != 1 || way > q->n_in ||
        (way < q->n_in && !alike(v[q->in[way]], v[q->first])))
        return false;
    *other = (step){.alias = way < q->n_in ? q->in[way] : -1, .n_out = 1, .first = q->first};
    other->value = way == q->n_in ? v[q->first] : NULL;
    return true;
}
bool fuzz_step_less(program *p, int i, int way)
{
    agn_tensor *v[MOST_VALUES] = {NULL};
    step other;
    bool good = fuzz_values(p, v) && less(&other, &p->s[i], way, v);
    if (good) {
        agni_obj_release(p->s[i].obj);
        p->s[i] = other;
        agn_retain(other.value);
    }
    for (int k = 0; k < p->n_value; k++)
        agn_release(v[k]);
    return good;
}

static bool shrink_loop(program **p, int i, const char *word, fuzz_fails *fails, void *with)
{
    for (int way = 0, n = fuzz_loop_ways((*p)->s[i].obj); way < n; way++) {
        step other = (*p)->s[i];
        other.obj = fuzz_loop_less(other.obj, way);
        bool good = other.obj && keeps_failing(p, &other, i, word, fails, with);
        agni_obj_release(other.obj);
        if (good)
            return true;
    }
    return false;
}
static bool shrink_step(program **p, int i, agn_tensor *const *v, const char *word,
                        fuzz_fails *fails, void *with)
{
    const step q = (*p)->s[i];
    step other;
    for (int way = 0; way <= q.n_in; way++)
        if (less(&other, &q, way, v) && keeps_failing(p, &other, i, word, fails, with))
            return true;
    return q.op == &fuzz_loop && shrink_loop(p, i, word, fails, with);
}

static bool shorter(char *word, const program *p, fuzz_fails *fails, void *with)
{
    for (int k = 0; word[k]; k++) {
        char less[8] = {0};
        memcpy(less, word, (size_t)k);
        strcpy(less + k, word + k + 1);
        if (fails(p, less, with)) {
            strcpy(word, less);
            return true;
        }
    }
    return false;
}

program *fuzz_shrink(const program *from, char *word, fuzz_fails *fails, void *with)
{
    program *p = fuzz_copy(from);
    bool again = p != NULL;
    while (again) {
        agn_tensor *v[MOST_VALUES] = {NULL};
        bool live[MOST_STEPS];
        again = shorter(word, p, fails, with);
        if (fuzz_values(p, v))
            for (int i = p->n_step - 1; i >= 0; i--) {
                fuzz_live(p, live);
                again |= live[i] && shrink_step(&p, i, v, word, fails, with);
            }
        for (int i = 0; i < p->n_value; i++)
            agn_release(v[i]);
    }
    return p;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_numbers(FILE *to, const char *kind, T x)
{
    double v[64];
    int n = fuzz_numbers(v, 64, x);
    fprintf(to, "%s", kind);
    for (int i = 0; i < n; i++)
        fprintf(to, " %a", v[i]);
    fprintf(to, "\n");
}

void fuzz_print(FILE *to, const program *p, const char *word)
{
    agni_prog *traced = NULL;
    agn_fn *f = fuzz_fn(p);
    uint64_t first;
    size_t need = 0;
    fprintf(to, "case %llu %s\n", (unsigned long long)p->seed, *word ? word : "-");
    program *q = (program *)(uintptr_t)p;
    q->unrolled = fuzz_whole = true;
    if (f && !agni_trace(&traced, &first, f, (const T *)p->x, true) &&
        !agni_prog_text(NULL, 0, &need, traced)) {
        char *text = malloc(need);
        if (text && !agni_prog_text(text, need, NULL, traced))
            fputs(text, to);
        free(text);
    }
    fuzz_whole = false;
    for (int i = 0; i < p->n_step; i++)
        if (p->s[i].op == &fuzz_loop)
            fuzz_loop_print(to, &p->s[i]);
    agni_prog_release(traced);
    agn_fn_release(f);
    for (int i = 0; i < p->n_x; i++)
        print_numbers(to, "at", p->x[i]);
    for (int k = 0; k < DIRECTIONS; k++)
        for (int i = 0; i < p->n_x; i++)
            print_numbers(to, "along", p->v[k][i]);
    for (int i = 0; i < p->n_x; i++)
        print_numbers(to, "beside", p->d[i]);
}
