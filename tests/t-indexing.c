/* tests/t-indexing.c - the grammar of indices against NumPy: 120000 random cases of reading,
   writing and adding, whose answers stand in data/indexing.bin as numbers of 32 bits made by
   data/make-indexing.py; every slice of short axes; the text form; laws of section C.

     t-indexing [N]   case N alone, in words */
#include "laws.h"

#undef I /* of <complex.h> */

/* ---- the cases, drawn as data/make-indexing.py draws them ------------------------------- */

static uint64_t state;

/* splitmix64 (Steele et al. 2014) */
static int64_t draw(int64_t n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)n);
}

enum { MOST = 8, MOST_VALUES = 64 };

typedef struct icase {
    int nd, n, how;
    int64_t shape[MOST];
    agn_ix ix[MOST];
    agn_tensor *owned[MOST];
    char text[400]; /* as index_str reads it; "?" where an array has no text */
} icase;

static void say(icase *c, const char *fmt, ...)
{
    va_list ap;
    size_t at = strlen(c->text);
    va_start(ap, fmt);
    vsnprintf(c->text + at, sizeof c->text - at, fmt, ap);
    va_end(ap);
}

static int64_t an_int(int64_t size, int odd)
{
    if (draw(odd) == 0)
        return draw(2 * size + 2) - size - 1;
    return size ? draw(2 * size) - size : 0;
}

static int a_part(int64_t *part, int n, const int64_t *full)
{
    int m = 0;
    for (int d = (int)draw(n + 1); d < n; d++) {
        part[m] = draw(3) == 0 ? 1 : full[d];
        part[m++] += draw(40) == 0;
    }
    return m;
}

static void add_array(icase *c, int dtype, int nd, const int64_t *shape, const double *v)
{
    agn_tensor *b = of_reals(dtype, nd, shape, v);
    c->owned[c->n] = laid_out(b, (int)(rnd_below(N_LAYOUTS)));
    agn_release(b);
    c->ix[c->n] = agn_ix_array(c->owned[c->n]);
    say(c, "?");
}

static void add_integers(icase *c, int64_t size, const int64_t *common)
{
    static const int dtypes[] = {AGN_I64, AGN_I32, AGN_I16};
    int64_t shape[MOST];
    double v[MOST_VALUES];
    int nd = a_part(shape, 2, common), count = (int)count_of(nd, shape);
    for (int i = 0; i < count; i++)
        v[i] = (double)an_int(size, 60);
    add_array(c, dtypes[draw(3)], nd, shape, v);
}

static void add_mask(icase *c, int nd, const int64_t *sizes, const int64_t *common)
{
    int64_t shape[2];
    double v[MOST_VALUES];
    for (int d = 0; d < nd; d++)
        shape[d] = sizes[d] + (draw(24) == 0);
    bool many = draw(2);
    for (int i = 0; i < count_of(nd, shape); i++)
        v[i] = many ? i < common[1] : draw(2) == 1;
    add_array(c, AGN_BOOL, nd, shape, v);
}

static void add_slice(icase *c, int64_t size)
{
    int64_t start = draw(3) ? draw(2 * size + 5) - size - 2 : AGN_BEGIN;
    int64_t stop = draw(3) ? draw(2 * size + 5) - size - 2 : AGN_END, step = 1;
    bool stepped = draw(3);
    if (stepped) {
        step = draw(9) - 4;
        step = step || draw(8) == 0 ? step : 1;
    }
    c->ix[c->n] = agn_ix_slice(start, stop, step);
    if (start != AGN_BEGIN)
        say(c, "%d", (int)start);
    say(c, ":");
    if (stop != AGN_END)
        say(c, " %d", (int)stop);
    if (stepped)
        say(c, ":%d", (int)step);
}

static void draw_case(icase *c, int64_t number)
{
    *c = (icase){0};
    state = (uint64_t)number * 0xD1342543DE82EF95u + 1;
    c->nd = (int)draw(5);
    for (int d = 0; d < c->nd; d++) {
        int64_t k = draw(12);
        c->shape[d] = k < 3 ? k > 0 : 2 + k % 4;
    }
    static const int64_t sizes[] = {1, 2, 2, 3, 3, 0};
    int64_t common[2];
    for (int d = 0; d < 2; d++)
        common[d] = sizes[draw(6)];
    int axis = 0;
    bool dots = false;
    for (int todo = (int)draw(c->nd + 3); todo > 0; todo--, c->n++) {
        int kind = (int)draw(16), left = c->nd - axis;
        say(c, c->n ? ", " : "");
        if (kind == 7 && (!dots || draw(8) == 0)) {
            c->ix[c->n] = agn_ix_ellipsis();
            say(c, "...");
            axis = left > 0 ? c->nd - (int)draw(left + 1) : axis;
            dots = true;
        } else if (kind == 8 || kind == 9 || (left <= 0 && draw(12))) {
            c->ix[c->n] = agn_ix_new();
            say(c, "None");
        } else if (kind == 15) {
            bool v = draw(4) != 0;
            c->owned[c->n] = scalar_of(AGN_BOOL, v);
            c->ix[c->n] = agn_ix_array(c->owned[c->n]);
            say(c, v ? "True" : "False");
        } else {
            int64_t size = left > 0 ? c->shape[axis] : 3;
            int taken = 1;
            if (kind < 3) {
                c->ix[c->n] = agn_ix_int(an_int(size, 12));
                say(c, "%d", (int)c->ix[c->n].start);
            } else if (kind < 8) {
                add_slice(c, size);
            } else if (kind < 13) {
                add_integers(c, size, common);
            } else {
                taken = left > 1 ? 1 + (int)draw(2) : 1;
                add_mask(c, taken, left > 0 ? c->shape + axis : &size, common);
            }
            axis += taken;
        }
    }
    c->how = (int)draw(3);
}

static agn_tensor *draw_values(int dtype, const agn_tensor *like)
{
    int64_t shape[2 * MOST];
    int nd = a_part(shape, agn_ndim(like), agn_shape(like)), more = 0;
    if (draw(20) == 0)
        more = agn_ndim(like) + 1 - nd;
    memmove(shape + more, shape, (size_t)nd * sizeof *shape);
    for (int d = 0; d < more; d++)
        shape[d] = 1;
    int64_t n = count_of(nd + more, shape);
    double *v = room_for((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = -1 - (double)i;
    agn_tensor *x = of_reals(dtype, nd + more, shape, v);
    free(v);
    return x;
}

static agn_tensor *counted(int dtype, int nd, const int64_t *shape)
{
    agn_tensor *flat = NULL, *x = NULL;
    must(agn_arange(&flat, dtype, 0, (double)count_of(nd, shape), 1));
    must(agn_reshape(&x, flat, nd, shape));
    agn_release(flat);
    return x;
}

/* the call of case c on x by entries or by text; *st tells of its failure */
static agn_tensor *answer(const icase *c, bool text, int dtype, const agn_tensor *x,
                          agn_status *st)
{
    agn_tensor *y = NULL, *z = NULL;
    *st = text ? agn_index_str(&y, x, c->text) : agn_index(&y, x, c->ix, c->n);
    if (*st || c->how == 0)
        return y;
    uint64_t kept = state;
    agn_tensor *v = draw_values(dtype, y);
    state = kept;
    if (c->how == 1)
        *st = text ? agn_index_put_str(&z, x, c->text, v)
                   : agn_index_put(&z, x, c->ix, c->n, v);
    else
        *st = text ? agn_index_add_str(&z, x, c->text, v)
                   : agn_index_add(&z, x, c->ix, c->n, v);
    agn_release(y), agn_release(v);
    return z;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 32 bits of shape and elements; 0 for an error */
static uint32_t digest(const agn_tensor *y)
{
    uint64_t h = 0, place = 0;
    if (!y)
        return 0;
#define WORD(w) h += mix((uint64_t)(int64_t)(w) + 0x9E3779B97F4A7C15u * ++place)
    WORD(agn_ndim(y));
    for (int d = 0; d < agn_ndim(y); d++)
        WORD(agn_shape(y)[d]);
    for (int64_t i = 0; i < agn_numel(y); i++)
        WORD(peek(y, i));
#undef WORD
    return h >> 32 ? (uint32_t)(h >> 32) : 1;
}

static void drop(icase *c)
{
    for (int k = 0; k < c->n; k++)
        agn_release(c->owned[k]);
}

static int64_t by_how[3], failures, texts;

static void run_case(tally *t, int64_t number, uint32_t want)
{
    static const int dtypes[] = {AGN_I64, AGN_F64, AGN_I32, AGN_F32, AGN_I16, AGN_C128};
    static const char *const hows[] = {"read", "put", "add"};
    icase c;
    draw_case(&c, number);
    int dtype = dtypes[number % COUNT(dtypes)];
    agn_tensor *b = counted(dtype, c.nd, c.shape), *x = laid_out(b, (int)rnd_below(N_LAYOUTS));
    agn_status st, st2 = AGN_OK;
    agn_tensor *y = answer(&c, false, dtype, x, &st), *z = NULL;
    uint32_t have = digest(y);
    check(t, have == want, "case %" PRId64 ", %s of x%s[%s]: %s, digest %x, NumPy's %x", number,
          hows[c.how], SHAPE_TEXT(x), c.text, st ? agn_error_message() : SHAPE_TEXT(y), have, want);
    by_how[c.how]++;
    failures += want == 0;
    if (!strchr(c.text, '?')) {
        z = answer(&c, true, dtype, x, &st2);
        check(t, digest(z) == want && st2 == st, "case %" PRId64 " by text: %s", number, c.text);
        texts++;
    }
    agn_release(b), agn_release(x), agn_release(y), agn_release(z);
    drop(&c);
}

static const char *data_file(char *room, size_t n)
{
    const char *dir = getenv("srcdir");
    snprintf(room, n, "%s/tests/data/indexing.bin", dir ? dir : "..");
    return room;
}

static void test_numpy(int64_t only)
{
    tally t = {0};
    char name[4096];
    FILE *f = fopen(data_file(name, sizeof name), "rb");
    unsigned char b[4];
    int64_t count = 0, skipped = 0;
    if (!f)
        bail_out("%s cannot be read", name);
    for (int64_t k = -1; k < count || k < 0; k++) {
        if (fread(b, 1, 4, f) != 4) {
            skipped = count - k;
            break;
        }
        uint32_t v = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        if (k < 0)
            count = v;
        else if (only >= 0 ? k == only : tap_scale(100) == 100 || k % 10 == 0)
            run_case(&t, k, v);
    }
    fclose(f);
    diag("%" PRId64 " cases: %" PRId64 " reads, %" PRId64 " writes, %" PRId64 " additions; %" PRId64
         " errors; %" PRId64 " also by text; skipped %" PRId64,
         by_how[0] + by_how[1] + by_how[2], by_how[0], by_how[1], by_how[2], failures, texts,
         skipped);
    ok(count >= 100000 && skipped == 0, "no answer is missing");
    tell(&t, "random indices as NumPy reads, writes and adds (C4, C5, C6, C12)");
}

int main(int argc, char **argv)
{
    test_numpy(argc > 1 ? atoll(argv[1]) : -1);
    return done();
}
