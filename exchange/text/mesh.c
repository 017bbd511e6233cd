/* exchange/text/mesh.c - surfaces in OFF (Geomview) and OBJ (Wavefront), and meshes of any format
   as tensors. */
#include "exchange/text/text.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/exchange_graph.h>
#include <agnesi/geometric_mesh.h>
#include <string.h>

bool agni_mesh_begin_cell(agni_mesh_parts *m, int64_t nodes)
{
    m->least = m->cells && m->least < nodes ? m->least : nodes;
    m->most = m->cells && m->most > nodes ? m->most : nodes;
    m->cells++;
    return agni_add_integer(&m->cell, nodes);
}

static agn_status no_memory(const agni_text *t, const agni_mesh_parts *m)
{
    return agni_nomem(t->op, (size_t)(m->point.n + m->cell.n) * 2 * sizeof(int64_t));
}

/* the next line without its comment */
static bool next_line(agni_text *t)
{
    if (!agni_text_line(t, "#"))
        return false;
    const char *comment = memchr(t->p, '#', (size_t)(t->eol - t->p));
    t->eol = comment ? comment : t->eol;
    return true;
}

static agn_status read_point(agni_mesh_parts *m, agni_text *t)
{
    for (int k = 0; k < 3; k++) {
        double v = 0;
        agn_status st = agni_text_real(t, &v, "expected are three coordinates");
        if (st)
            return st;
        if (!agni_add_real(&m->point, v))
            return no_memory(t, m);
    }
    return AGN_OK;
}

/* ---- OFF ------------------------------------------------------------------------------------ */

static agn_status read_off_face(agni_mesh_parts *m, agni_text *t, int64_t points)
{
    int64_t n = 0, node = 0;
    agn_status st = agni_text_integer(t, &n, "expected is the number of nodes of a face");
    if (!st && (n < 3 || n > t->eol - t->p))
        st = agni_text_bad(t, "expected is a face of three nodes or more");
    if (!st && !agni_mesh_begin_cell(m, n))
        st = no_memory(t, m);
    for (int64_t k = 0; !st && k < n; k++) {
        st = agni_text_integer(t, &node, "expected is a node of a face");
        if (!st && (node < 0 || node >= points))
            st = agni_text_bad(t, "a node that is not there");
        if (!st && !agni_add_integer(&m->cell, node))
            st = no_memory(t, m);
    }
    return st; /* a colour may follow */
}

agn_status agni_mesh_read_off(agni_mesh_parts *m, agni_text *t)
{
    size_t n = 0;
    int64_t points = 0, faces = 0;
    const char *word = next_line(t) ? agni_text_word(t, &n) : NULL;
    if (!word || n != 3 || memcmp(word, "OFF", 3))
        return agni_text_bad(t, "expected is OFF");
    if (!agni_text_word(t, &n)) { /* numbers may stand behind OFF */
        if (!next_line(t))
            return agni_text_bad(t, "expected are numbers of nodes and faces");
    } else {
        t->p -= n;
    }
    agn_status st = agni_text_integer(t, &points, "expected are numbers of nodes and faces");
    if (!st)
        st = agni_text_integer(t, &faces, "expected are numbers of nodes and faces");
    if (!st && (points < 0 || faces < 0))
        st = agni_text_bad(t, "expected are numbers of nodes and faces");
    for (int64_t i = 0; !st && i < points; i++)
        st = next_line(t) ? read_point(m, t) : agni_text_bad(t, "the file ends, nodes are missing");
    for (int64_t i = 0; !st && i < faces; i++)
        st = next_line(t) ? read_off_face(m, t, points)
                          : agni_text_bad(t, "the file ends, faces are missing");
    return st;
}

/* ---- OBJ ------------------------------------------------------------------------------------ */

/* nodes count from 1, or back from the last one: -1; what stands behind a slash is passed over */
static agn_status read_obj_face(agni_mesh_parts *m, agni_text *t)
{
    size_t n = 0;
    int64_t count = 0, at = m->cell.n, node = 0;
    const char *word;
    if (!agni_mesh_begin_cell(m, 3))
        return no_memory(t, m);
    while ((word = agni_text_word(t, &n))) {
        const char *slash = memchr(word, '/', n);
        int64_t points = m->point.n / 3;
        if (!agni_word_integer(word, slash ? (size_t)(slash - word) : n, &node))
            return agni_text_bad(t, "expected is a node of a face");
        node = node < 0 ? points + node : node - 1;
        if (node < 0 || node >= points)
            return agni_text_bad(t, "a node that is not there");
        if (!agni_add_integer(&m->cell, node))
            return no_memory(t, m);
        count++;
    }
    if (count < 3)
        return agni_text_bad(t, "expected is a face of three nodes or more");
    ((int64_t *)m->cell.v)[at] = count;
    m->most = m->most < count ? count : m->most;
    if (m->cells == 1)
        m->least = count;
    return AGN_OK;
}

agn_status agni_mesh_read_obj(agni_mesh_parts *m, agni_text *t)
{
    agn_status st = AGN_OK;
    int64_t least = INT64_MAX;
    while (!st && next_line(t)) {
        size_t n;
        const char *word = agni_text_word(t, &n);
        int64_t at = m->cell.n;
        if (n == 1 && *word == 'v')
            st = read_point(m, t);
        else if (n == 1 && *word == 'f')
            st = read_obj_face(m, t);
        if (!st && m->cell.n > at)
            least = ((int64_t *)m->cell.v)[at] < least ? ((int64_t *)m->cell.v)[at] : least;
    }
    m->least = m->cells ? least : 0;
    return st;
}

/* ---- tensors -------------------------------------------------------------------------------- */

/* cells as they are, or fans of triangles */
static agn_status make_cells(agn_tensor **out, const char *op, const agni_mesh_parts *m, bool fans)
{
    const int64_t *v = m->cell.v;
    int64_t width = fans ? 3 : m->most, rows = 0, at = 0;
    for (int64_t c = 0, k = 0; c < m->cells; c++, k += v[k] + 1)
        rows += fans ? v[k] - 2 : 1;
    agn_status st = agni_tensor_make(out, op, AGN_I64, 2, (int64_t[]){rows, width}, AGN_CPU);
    int64_t *to = st ? NULL : (*out)->data;
    for (int64_t c = 0, k = 0; to && c < m->cells; c++, k += v[k] + 1) {
        const int64_t *node = v + k + 1;
        if (fans)
            for (int64_t i = 2; i < v[k]; i++) {
                to[at++] = node[0];
                to[at++] = node[i - 1];
                to[at++] = node[i];
            }
        else
            for (int64_t i = 0; i < width; i++)
                to[at++] = node[i];
    }
    return st;
}

bool agni_path_ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    if (n < m)
        return false;
    for (size_t k = 0; k < m; k++)
        if ((path[n - m + k] | 32) != (end[k] | 32))
            return false;
    return true;
}

agn_status agni_mesh_read(agn_tensor **points, agn_tensor **cells, int32_t *kind, agni_text *t,
                          const char *ending)
{
    bool off = agni_path_ends_in(ending, ".off"), obj = agni_path_ends_in(ending, ".obj"),
         vtu = !off && !obj;
    agni_mesh_parts m = {0};
    agn_tensor *x = NULL, *c = NULL;
    int32_t of = AGN_CELL_TRIANGLE;
    agn_status st = off   ? agni_mesh_read_off(&m, t)
                    : obj ? agni_mesh_read_obj(&m, t)
                          : agni_mesh_read_vtu(&m, &of, t);
    if (!m.cells)
        m.most = vtu ? m.most : 3;
    bool fans = !vtu && m.cells && (m.least != m.most || m.most > 4);
    if (!vtu && !fans && m.most == 4)
        of = AGN_CELL_QUAD;
    if (!st)
        st = agni_tensor_make(&x, t->op, AGN_F64, 2, (int64_t[]){m.point.n / 3, 3}, AGN_CPU);
    if (!st && m.point.n)
        memcpy(x->data, m.point.v, (size_t)m.point.n * sizeof(double));
    if (!st)
        st = make_cells(&c, t->op, &m, fans);
    agni_free(m.point.v);
    agni_free(m.cell.v);
    if (st) {
        agn_release(x);
        agn_release(c);
        return st;
    }
    *points = x;
    *cells = c;
    *kind = of;
    return AGN_OK;
}

agn_status agn_mesh_load(agn_tensor **points, agn_tensor **cells, int32_t *kind, const char *path)
{
    static const char op[] = "mesh_load";
    agni_text t;
    AGNI_NEED(op, points);
    AGNI_NEED(op, cells);
    AGNI_NEED(op, kind);
    AGNI_NEED(op, path);
    if (!agni_path_ends_in(path, ".off") && !agni_path_ends_in(path, ".obj") &&
        !agni_path_ends_in(path, ".vtu"))
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: none of .off, .obj and .vtu", op,
                         agni_path_end(path));
    agn_status st = agni_text_open(&t, op, path, "");
    if (st)
        return st;
    st = agni_mesh_read(points, cells, kind, &t, path);
    agni_text_close(&t);
    return st;
}
