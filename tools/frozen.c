/* tools/frozen.c - questions of the op table about programs: the op planned, and the op saved as
   a file, read again, and planned. Both are asked for what running it gives. */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* what is saved, and a file for it */
static const bound *asked;
static char path[256];

static agn_status planned(agn_fn **out, const agn_fn *f)
{
    return agn_fn_compile(out, f, NULL);
}

static agn_status saved(agn_fn **out, const agn_fn *f)
{
    agn_fn *loaded = NULL;
    agn_status st = agn_fn_save(path, f, borrow(asked->x), agn_fn_n_in(f));
    if (!st)
        st = agn_fn_load(&loaded, path);
    if (!st)
        st = agn_fn_compile(out, loaded, NULL);
    agn_fn_release(loaded);
    return st;
}

static void compare(answer *a, const bound *b, transform *t, const char *what)
{
    static wide have[LANES * MOST_ELEMENTS], want[LANES * MOST_ELEMENTS];
    agn_tensor *y[MOST_OUT] = {NULL}, *z[MOST_OUT] = {NULL};
    bound all = *b;
    agn_status st = apply(y, b->s, b->dtype, borrow(b->x));
    if (!st)
        st = call_transformed(&all, t, z, all.x);
    for (int o = 0; !st && o < b->s->n_out; o++) {
        bool same = agn_dtype_of(y[o]) == agn_dtype_of(z[o]) &&
                    agn_numel(y[o]) == agn_numel(z[o]);
        st = same ? AGN_OK : AGN_ESHAPE;
        st = st ? st : read_wide(want, y[o]);
        st = st ? st : read_wide(have, z[o]);
        for (int64_t k = 0; !st && k < agn_numel(y[o]); k++)
            note_error(a, have[k], want[k]);
    }
    if (st)
        fail(a, what);
    release_all(z, MOST_OUT);
    release_all(y, MOST_OUT);
}

static void ask(answer *a, const subject *s, transform *t, const char *what)
{
    bound b;
    a->allowed = 1e-14;
    if (bind(&b, s, true, 0)) {
        fail(a, "arguments");
    } else {
        asked = &b;
        compare(a, &b, t, what);
    }
    unbind(&b);
}

void ask_plan(answer *a, const subject *s, int k)
{
    (void)k;
    ask(a, s, planned, "plan");
}

void ask_file(answer *a, const subject *s, int k)
{
    (void)k;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/agnesi-%ld.fn", folder ? folder : "/tmp",
             (long)getpid());
    ask(a, s, saved, "file");
    if (s->c.host && a->failed && strstr(a->message, "of the host"))
        *a = (answer){.why = NO_FILE};
    else if (s->c.host && !a->failed)
        fail(a, "functions of the host were saved");
    remove(path);
}
