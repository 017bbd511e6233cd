/* tensor/dispatch/signature.c - what an op takes, as its row says in one string: the names of its
   arguments, then its attributes as name:kind in the order in which they are passed.

     "x idx axis:a batch:i"          two tensors, an axis and an integer
     "xs* axis:a"                    any number of tensors, an axis
     "x keep:b axes:a*"              a flag, then any number of axes
     "x (start:i step:i count:i)*"   any number of triples

   Kinds: i an integer, b 0 or 1, a an axis of the first argument counted from its end, d a
   dtype, r a real, o an object of the type it is called after. Integers (i b a d), reals and
   the object are passed apart from each other. What repeats stands last of the integers. */
#include "tensor/dispatch/op.h"

#include <string.h>

static bool is_integer(char kind)
{
    return kind != 'r' && kind != 'o';
}

typedef struct counts {
    int ints, reals, repeat; /* repeat: how many of the integers may come again */
    const char *object;      /* its kind; NULL: none is taken */
} counts;

static counts count_signature(const char *takes)
{
    counts n = {0};
    int open = 0;
    for (const char *p = takes; *p; p++)
        if (*p == '(') {
            open = n.ints;
        } else if (*p == ')') {
            n.repeat = n.ints - open;
        } else if (*p == ':') {
            char kind = *++p;
            n.ints += is_integer(kind);
            n.reals += kind == 'r';
            n.object = kind == 'o' ? p : n.object;
            n.repeat = p[1] == '*' ? 1 : n.repeat;
        }
    return n;
}

/* the kind of the first integer at or behind p */
static const char *next_integer_kind(const char *p)
{
    while (*p && !(p[0] == ':' && is_integer(p[1])))
        p++;
    return *p ? p + 1 : p;
}

/* the kind of the integer that follows the one of kind p */
static const char *following_kind(const char *p)
{
    if (p[1] == '*')
        return p;
    if (p[1] == ')') /* the end of what repeats */
        while (*p != '(')
            p--;
    return next_integer_kind(p + 1);
}

/* the name before a kind */
static int find_name(const char *takes, const char *kind, const char **begin)
{
    const char *end = kind - 1, *p = end;
    while (p > takes && p[-1] != ' ' && p[-1] != '(')
        p--;
    *begin = p;
    return (int)(end - p);
}

static bool matches_object(const agni_op *op, const char *kind, const agni_obj *o)
{
    const char *word;
    int n = kind ? find_name(op->takes, kind, &word) : 0;
    return !kind ? !o
                 : o && !strncmp(o->type->name, word, (size_t)n) && !o->type->name[n];
}

static agn_status check_integer(const agni_op *op, const char *kind, int64_t v,
                                int ndim)
{
    const char *word;
    if (*kind == 'a' && (v < -ndim || v >= 0))
        return agni_fail(AGN_EINDEX, "%s: axis %lld is out of range for %d axes",
                         op->name, (long long)v, ndim);
    if (*kind == 'd' && (v < 0 || v >= AGN_NDTYPES))
        return agni_fail(AGN_EDTYPE, "%s: %lld is no dtype; there are %d", op->name,
                         (long long)v, AGN_NDTYPES);
    if (*kind != 'b' || v == 0 || v == 1)
        return AGN_OK;
    int n = find_name(op->takes, kind, &word);
    return agni_fail(AGN_EARG, "%s: %.*s is %lld, neither 0 nor 1", op->name, n, word,
                     (long long)v);
}

agn_status agni_check_signature(const agni_op *op, const agni_attr *at, int nin,
                            const agn_tensor *const *in)
{
    static const agni_attr none;
    const char *takes = op->takes ? op->takes : "";
    at = at ? at : &none;
    counts n = count_signature(takes);
    int more = at->ni - n.ints;
    bool ints = n.repeat ? more + n.repeat >= 0 && more % n.repeat == 0 : more == 0;
    if (op->promote && !nin)
        return agni_fail(AGN_EARG, "%s: got %d arguments, at least 1 is needed",
                         op->name, nin);
    if (!ints || at->nf != n.reals || !matches_object(op, n.object, at->obj))
        return agni_fail(AGN_EARG, "%s: takes \"%s\", got %d integers, %d reals and %s",
                         op->name, takes, at->ni, at->nf,
                         at->obj ? at->obj->type->name : "no object");
    agn_status st = AGN_OK;
    const char *kind = at->ni ? next_integer_kind(takes) : takes;
    for (int i = 0; !st && i < at->ni; i++, kind = following_kind(kind))
        st = check_integer(op, kind, at->i[i], nin ? in[0]->ndim : 0);
    return st;
}
