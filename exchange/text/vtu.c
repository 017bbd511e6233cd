/* exchange/text/vtu.c - unstructured grids of VTK in XML (VTK file formats, Kitware): arrays as
   text, or in base64 without compression, in one piece. Other arrays are passed over. */
#include "exchange/text/text.h"

#include <agnesi/geometric_mesh.h>
#include <string.h>

/* ---- elements of XML ------------------------------------------------------------------------ */

/* an element <name attributes>: text of its attributes, and where its content begins */
typedef struct element {
    const char *attributes, *end; /* of the attributes */
    const char *content;
} element;

static bool next_element(element *e, const char *from, const char *end, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = from; p && p < end; p++) {
        p = memchr(p, '<', (size_t)(end - p));
        if (!p || (size_t)(end - p) < n + 2)
            return false;
        if (memcmp(p + 1, name, n) ||
            !(p[n + 1] == ' ' || p[n + 1] == '>' || p[n + 1] == '/' || p[n + 1] == '\n'))
            continue;
        const char *close = memchr(p, '>', (size_t)(end - p));
        if (!close)
            return false;
        *e = (element){p + n + 1, close, close + 1};
        return true;
    }
    return false;
}

/* the value of an attribute, n = 0 where it is not there */
static const char *find_attribute(const element *e, const char *name, size_t *n)
{
    size_t m = strlen(name);
    *n = 0;
    for (const char *p = e->attributes; p + m + 2 < e->end; p++) {
        if ((p != e->attributes && p[-1] != ' ' && p[-1] != '\n' && p[-1] != '\t') ||
            memcmp(p, name, m) || p[m] != '=' || (p[m + 1] != '"' && p[m + 1] != '\''))
            continue;
        const char *value = p + m + 2, *end = memchr(value, p[m + 1], (size_t)(e->end - value));
        if (!end)
            return NULL;
        *n = (size_t)(end - value);
        return value;
    }
    return NULL;
}

static bool attribute_is(const element *e, const char *name, const char *want)
{
    size_t n;
    const char *v = find_attribute(e, name, &n);
    return v && n == strlen(want) && !memcmp(v, want, n);
}

static agn_status refuse_format(const agni_text *t, const char *what)
{
    return agni_fail(AGN_EFORMAT, "%s: %s: %s", t->op, t->file, what);
}

/* ---- arrays --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int bytes;
    bool real, sign;
} types[] = {{"Float64", 8, true, true},  {"Float32", 4, true, true},  {"Int64", 8, false, true},
             {"Int32", 4, false, true},   {"UInt8", 1, false, false},  {"Int8", 1, false, true},
             {"UInt32", 4, false, false}, {"UInt64", 8, false, false}, {"Int16", 2, false, true},
             {"UInt16", 2, false, false}};

/* the words of an array as doubles or integers */
static agn_status read_words(agni_numbers *to, agni_text *t, const element *e, const char *end,
                             bool real)
{
    t->p = e->content;
    t->eol = memchr(e->content, '<', (size_t)(end - e->content));
    if (!t->eol)
        return refuse_format(t, "an array does not end");
    size_t n;
    const char *word;
    while ((word = agni_text_word(t, &n))) {
        double v = 0;
        int64_t k = 0;
        const char *stop;
        if (real ? !agni_parse_double(word, &stop, &v) || stop != word + n
                 : !agni_word_integer(word, n, &k))
            return refuse_format(t, real ? "an array has a word that is no number"
                                         : "an array has a word that is no integer");
        if (real ? !agni_add_real(to, v) : !agni_add_integer(to, k))
            return agni_nomem(t->op, (size_t)to->n * 2 * sizeof v);
    }
    return AGN_OK;
}

static int digit_of_64(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* the bytes of text in base64, into its own memory: they are fewer */
static int64_t decode_base64(char *text, const char *end)
{
    int64_t n = 0;
    uint32_t bits = 0;
    int have = 0;
    char *to = text;
    for (const char *p = text; p < end; p++) {
        int v = digit_of_64(*p);
        if (*p == '=') { /* what follows begins anew */
            bits = 0;
            have = 0;
        }
        if (v < 0)
            continue;
        bits = bits << 6 | (uint32_t)v;
        have += 6;
        if (have >= 8) {
            have -= 8;
            to[n++] = (char)(unsigned char)(bits >> have & 255u);
        }
    }
    return n;
}

static agn_status read_bytes(agni_numbers *to, agni_text *t, const element *e, const char *end,
                             int type, int header)
{
    char *text = t->memory + (e->content - t->memory);
    const char *stop = memchr(text, '<', (size_t)(end - text));
    if (!stop)
        return refuse_format(t, "an array does not end");
    int64_t n = decode_base64(text, stop), bytes = types[type].bytes;
    uint64_t size = n >= header ? agni_little((unsigned char *)text, header) : 0;
    if (n < header || size > (uint64_t)(n - header) || size % (uint64_t)bytes)
        return refuse_format(t, "an array in base64 has not as many bytes as it says");
    for (int64_t i = 0; i < (int64_t)size / bytes; i++) {
        uint64_t raw = agni_little((unsigned char *)text + header + i * bytes, (int)bytes);
        float f;
        double v;
        bool fits;
        if (types[type].real) {
            uint32_t low = (uint32_t)raw;
            memcpy(&f, &low, sizeof f);
            memcpy(&v, &raw, sizeof v);
            fits = agni_add_real(to, bytes == 4 ? (double)f : v);
        } else {
            uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
            if (!types[type].sign && bytes == 8 && raw > (uint64_t)INT64_MAX)
                return refuse_format(t, "an array has an integer beyond 64 bits");
            fits = agni_add_integer(
                to, (int64_t)(types[type].sign && raw & sign ? raw | ~(2 * sign - 1) : raw));
        }
        if (!fits)
            return agni_nomem(t->op, (size_t)to->n * 2 * sizeof v);
    }
    return AGN_OK;
}

/* the array of a name, NULL: any, within [from, end) */
static agn_status read_array(agni_numbers *to, agni_text *t, const char *from, const char *end,
                             const char *name, bool real, int header)
{
    element e;
    int type = -1;
    for (const char *p = from; next_element(&e, p, end, "DataArray"); p = e.content) {
        if (name && !attribute_is(&e, "Name", name))
            continue;
        for (int k = 0; k < AGNI_COUNT(types); k++)
            type = attribute_is(&e, "type", types[k].name) ? k : type;
        if (type < 0 || (!real && types[type].real))
            return agni_fail(AGN_EFORMAT, "%s: %s: the array %s has a type that is none for it",
                             t->op, t->file, name ? name : "of points");
        if (attribute_is(&e, "format", "appended"))
            return agni_fail(AGN_EUNSUPPORTED, "%s: %s: the array %s is appended", t->op, t->file,
                             name ? name : "of points");
        if (real && !name && !attribute_is(&e, "NumberOfComponents", "3"))
            return refuse_format(t, "points have not three coordinates");
        if (!attribute_is(&e, "format", "binary"))
            return read_words(to, t, &e, end, types[type].real);
        agn_status st = read_bytes(to, t, &e, end, type, header);
        for (int64_t i = 0; !st && real && !types[type].real && i < to->n; i++)
            ((double *)to->v)[i] = (double)((int64_t *)to->v)[i];
        return st;
    }
    return agni_fail(AGN_EFORMAT, "%s: %s: the array %s is missing", t->op, t->file,
                     name ? name : "of points");
}

/* ---- cells ---------------------------------------------------------------------------------- */

static agn_status join_cells(agni_mesh_parts *m, int32_t *kind, const agni_text *t,
                             const agni_numbers *node, const agni_numbers *end,
                             const agni_numbers *type)
{
    static const int8_t nodes[] = {
        [AGN_CELL_LINE] = 2,   [AGN_CELL_TRIANGLE] = 3,   [AGN_CELL_QUAD] = 4,
        [AGN_CELL_TETRA] = 4,  [AGN_CELL_HEXAHEDRON] = 8, [AGN_CELL_WEDGE] = 6,
        [AGN_CELL_PYRAMID] = 5};
    const int64_t *of = type->v, *stop = end->v, *v = node->v;
    if (end->n != type->n)
        return refuse_format(t, "not as many types as offsets of cells");
    int64_t first = type->n ? of[0] : AGN_CELL_TRIANGLE;
    if (first < 0 || first >= AGNI_COUNT(nodes) || !nodes[first])
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: cells of type %lld", t->op, t->file,
                         (long long)first);
    m->most = nodes[first];
    for (int64_t c = 0, at = 0; c < type->n; at = stop[c++]) {
        if (of[c] != first)
            return agni_fail(AGN_EUNSUPPORTED, "%s: %s: cells of types %lld and %lld", t->op,
                             t->file, (long long)first, (long long)of[c]);
        if (stop[c] - at != nodes[first] || stop[c] > node->n || at < 0)
            return refuse_format(t, "a cell has not as many nodes as its type");
        if (!agni_mesh_begin_cell(m, nodes[first]))
            return agni_nomem(t->op, (size_t)m->cell.n * 2 * sizeof *v);
        for (int64_t k = at; k < stop[c]; k++) {
            if (v[k] < 0 || v[k] >= m->point.n / 3)
                return refuse_format(t, "a cell has a node that is not there");
            if (!agni_add_integer(&m->cell, v[k]))
                return agni_nomem(t->op, (size_t)m->cell.n * 2 * sizeof *v);
        }
    }
    *kind = (int32_t)first;
    return AGN_OK;
}

agn_status agni_mesh_read_vtu(agni_mesh_parts *m, int32_t *kind, agni_text *t)
{
    element file, piece, points, cells, other;
    agni_numbers node = {0}, end = {0}, type = {0};
    t->separators = "\n";
    size_t n;
    if (!next_element(&file, t->memory, t->end, "VTKFile") ||
        !attribute_is(&file, "type", "UnstructuredGrid"))
        return refuse_format(t, "expected is a VTKFile of type UnstructuredGrid");
    if (find_attribute(&file, "compressor", &n))
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: compressed by %.*s", t->op, t->file,
                         n < 60 ? (int)n : 60, find_attribute(&file, "compressor", &n));
    if (attribute_is(&file, "byte_order", "BigEndian"))
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: byte_order is BigEndian", t->op, t->file);
    int header = attribute_is(&file, "header_type", "UInt64") ? 8 : 4;
    if (!next_element(&piece, file.content, t->end, "Piece"))
        return refuse_format(t, "expected is a Piece");
    if (next_element(&other, piece.content, t->end, "Piece"))
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: several pieces", t->op, t->file);
    if (!next_element(&points, piece.content, t->end, "Points") ||
        !next_element(&cells, piece.content, t->end, "Cells"))
        return refuse_format(t, "expected are Points and Cells");
    agn_status st = read_array(&m->point, t, points.content, t->end, NULL, true, header);
    if (!st && m->point.n % 3)
        st = refuse_format(t, "points have not three coordinates");
    if (!st)
        st = read_array(&node, t, cells.content, t->end, "connectivity", false, header);
    if (!st)
        st = read_array(&end, t, cells.content, t->end, "offsets", false, header);
    if (!st)
        st = read_array(&type, t, cells.content, t->end, "types", false, header);
    if (!st)
        st = join_cells(m, kind, t, &node, &end, &type);
    agni_free(node.v);
    agni_free(end.v);
    agni_free(type.v);
    return st;
}
