/* exchange/text/mesh_write.c - meshes as files: surfaces in OFF (Geomview) and OBJ (Wavefront)
   as text of the shortest decimals, grids of VTK in XML with arrays in base64 (VTK file formats,
   Kitware), which keep every bit. */
#include "exchange/text/text.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <agnesi/exchange_graph.h>
#include <agnesi/geometric_mesh.h>
#include <math.h>
#include <string.h>

/* points [n, 2] or [n, 3] f64, cells [m, k] i64, both contiguous; fields as they will be written */
typedef struct mesh_file {
    const agn_tensor *points, *cells;
    int32_t kind;
    const agn_dict *at_points, *at_cells;
    const agn_tensor **field; /* those of points, then those of cells */
} mesh_file;

/* ---- text ------------------------------------------------------------------------------------ */

static agn_status put_point(agni_output *o, const mesh_file *f, int64_t i, const char *begin)
{
    char text[120];
    int64_t d = f->points->shape[1];
    const double *x = f->points->data;
    int n = agni_format(text, sizeof text, "%s", begin);
    for (int64_t k = 0; k < 3; k++) {
        if (k)
            text[n++] = ' ';
        n += agni_format_double(text + n, sizeof text - (size_t)n, k < d ? x[i * d + k] : 0, -1);
    }
    text[n++] = '\n';
    return agni_put(o, text, (size_t)n);
}

static agn_status put_face(agni_output *o, const mesh_file *f, int64_t c, const char *begin,
                           int64_t first)
{
    char text[120];
    int64_t k = f->cells->shape[1];
    const int64_t *node = f->cells->data;
    int n = agni_format(text, sizeof text, "%s", begin);
    for (int64_t i = 0; i < k; i++) {
        text[n++] = ' ';
        n += agni_format_int(text + n, node[c * k + i] + first);
    }
    text[n++] = '\n';
    return agni_put(o, text, (size_t)n);
}

static agn_status write_off(agni_output *o, const void *user)
{
    const mesh_file *f = user;
    int64_t n = f->points->shape[0], m = f->cells->shape[0];
    char head[80];
    agni_format(head, sizeof head, "OFF\n%lld %lld 0\n", (long long)n, (long long)m);
    agn_status st = agni_put_text(o, head);
    for (int64_t i = 0; !st && i < n; i++)
        st = put_point(o, f, i, "");
    for (int64_t c = 0; !st && c < m; c++)
        st = put_face(o, f, c, f->kind == AGN_CELL_QUAD ? "4" : "3", 0);
    return st;
}

static agn_status write_obj(agni_output *o, const void *user)
{
    const mesh_file *f = user;
    agn_status st = AGN_OK;
    for (int64_t i = 0; !st && i < f->points->shape[0]; i++)
        st = put_point(o, f, i, "v ");
    for (int64_t c = 0; !st && c < f->cells->shape[0]; c++)
        st = put_face(o, f, c, "f", 1);
    return st;
}

/* ---- XML ------------------------------------------------------------------------------------- */

/* bytes in groups of three as four letters (RFC 4648) */
typedef struct letters {
    agni_output *o;
    unsigned char rest[3];
    int n;
} letters;
static agn_status put_letters(letters *q)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t v = (uint32_t)q->rest[0] << 16 | (uint32_t)q->rest[1] << 8 | q->rest[2];
    char text[4] = {digit[v >> 18], digit[v >> 12 & 63], q->n > 1 ? digit[v >> 6 & 63] : '=',
                    q->n > 2 ? digit[v & 63] : '='};
    q->n = 0;
    memset(q->rest, 0, sizeof q->rest);
    return agni_put(q->o, text, 4);
}
static agn_status put_number(letters *q, uint64_t v, int bytes)
{
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < bytes; k++) {
        q->rest[q->n++] = (unsigned char)(v >> 8 * k);
        if (q->n == 3)
            st = put_letters(q);
    }
    return st;
}

static agn_status open_array(agni_output *o, const char *type, const char *name, int64_t components)
{
    static const struct {
        char c;
        const char *as;
    } marks[] = {{'&', "&amp;"},  {'<', "&lt;"},    {'>', "&gt;"},
                 {'"', "&quot;"}, {'\'', "&apos;"}, {'\n', "&#10;"}};
    char text[100];
    agni_format(text, sizeof text, "<DataArray type=\"%s\" NumberOfComponents=\"%lld\" Name=\"",
                type, (long long)components);
    agn_status st = agni_put_text(o, text);
    for (const char *p = name; !st && *p; p++) {
        const char *as = NULL;
        for (int k = 0; k < AGNI_COUNT(marks); k++)
            as = marks[k].c == *p ? marks[k].as : as;
        st = as ? agni_put_text(o, as) : agni_put(o, p, 1);
    }
    return st ? st : agni_put_text(o, "\" format=\"binary\">");
}

static const char *const types[AGN_NDTYPES] = {
    [AGN_BOOL] = "UInt8", [AGN_U8] = "UInt8",  [AGN_I8] = "Int8",     [AGN_I16] = "Int16",
    [AGN_I32] = "Int32",  [AGN_I64] = "Int64", [AGN_F32] = "Float32", [AGN_F64] = "Float64"};

/* element k of x, of 1 to 8 bytes, as bits */
static uint64_t bits_of(const agn_tensor *x, int64_t k, int bytes)
{
    const char *p = (const char *)x->data + k * bytes;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1:
        memcpy(&one, p, 1);
        return one;
    case 2:
        memcpy(&two, p, 2);
        return two;
    case 4:
        memcpy(&four, p, 4);
        return four;
    default:
        memcpy(&eight, p, 8);
        return eight;
    }
}

/* width: elements of a row as they are written; those behind the ones of x are 0 */
static agn_status put_array(agni_output *o, const agn_tensor *x, const char *name, int64_t width,
                            int64_t components)
{
    int bytes = (int)agni_dtypes[x->dtype].bytes;
    int64_t rows = x->shape[0], own = x->ndim > 1 ? x->shape[1] : 1;
    letters q = {o, {0}, 0};
    agn_status st = open_array(o, types[x->dtype], name, components);
    if (!st)
        st = put_number(&q, (uint64_t)(rows * width) * (uint64_t)bytes, 8);
    for (int64_t i = 0; !st && i < rows; i++)
        for (int64_t k = 0; !st && k < width; k++)
            st = put_number(&q, k < own ? bits_of(x, i * own + k, bytes) : 0, bytes);
    if (!st && q.n)
        st = put_letters(&q);
    return st ? st : agni_put_text(o, "</DataArray>\n");
}

/* n equal or evenly rising integers */
static agn_status put_series(agni_output *o, const char *name, const char *type, int bytes,
                             int64_t n, int64_t first, int64_t step)
{
    letters q = {o, {0}, 0};
    agn_status st = open_array(o, type, name, 1);
    if (!st)
        st = put_number(&q, (uint64_t)n * (uint64_t)bytes, 8);
    for (int64_t i = 0; !st && i < n; i++)
        st = put_number(&q, (uint64_t)(first + i * step), bytes);
    if (!st && q.n)
        st = put_letters(&q);
    return st ? st : agni_put_text(o, "</DataArray>\n");
}

static agn_status put_fields(agni_output *o, const char *what, const agn_dict *d,
                             const agn_tensor *const *field)
{
    char text[40];
    int32_t n = d ? agn_dict_count(d) : 0;
    if (!n)
        return AGN_OK;
    agni_format(text, sizeof text, "<%s>\n", what);
    agn_status st = agni_put_text(o, text);
    for (int32_t k = 0; !st && k < n; k++) {
        int64_t width = field[k]->ndim > 1 ? field[k]->shape[1] : 1;
        st = put_array(o, field[k], agn_dict_name(d, k), width, width);
    }
    agni_format(text, sizeof text, "</%s>\n", what);
    return st ? st : agni_put_text(o, text);
}

static agn_status write_vtu(agni_output *o, const void *user)
{
    const mesh_file *f = user;
    int64_t n = f->points->shape[0], m = f->cells->shape[0], k = f->cells->shape[1];
    char text[320];
    agni_format(text, sizeof text,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
                "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                (long long)n, (long long)m);
    agn_status st = agni_put_text(o, text);
    if (!st)
        st = put_fields(o, "PointData", f->at_points, f->field);
    if (!st)
        st = put_fields(o, "CellData", f->at_cells,
                        f->field + (f->at_points ? agn_dict_count(f->at_points) : 0));
    if (!st)
        st = agni_put_text(o, "<Points>\n");
    if (!st)
        st = put_array(o, f->points, "Points", 3, 3);
    if (!st)
        st = agni_put_text(o, "</Points>\n<Cells>\n");
    if (!st)
        st = put_array(o, f->cells, "connectivity", k, 1);
    if (!st)
        st = put_series(o, "offsets", "Int64", 8, m, k, k);
    if (!st)
        st = put_series(o, "types", "UInt8", 1, m, f->kind, 0);
    return st ? st : agni_put_text(o, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

/* ---- checks ---------------------------------------------------------------------------------- */

static agn_status check_points(const char *op, const agn_tensor *points)
{
    agn_status st = agni_require_dense(points, op);
    if (!st && agni_kind(points->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: points are %s, a real dtype is needed", op,
                       agni_dtypes[points->dtype].name);
    if (!st && (points->ndim != 2 || (points->shape[1] != 2 && points->shape[1] != 3)))
        st = agni_fail(AGN_ESHAPE, "%s: points are %s, [n,2] or [n,3] is needed", op,
                       AGNI_SHAPE(points));
    return st ? st : agni_require_host(points, op);
}

static agn_status check_cells(const char *op, const agn_tensor *cells, int32_t kind)
{
    static const int8_t nodes[] = {
        [AGN_CELL_LINE] = 2,   [AGN_CELL_TRIANGLE] = 3,   [AGN_CELL_QUAD] = 4,
        [AGN_CELL_TETRA] = 4,  [AGN_CELL_HEXAHEDRON] = 8, [AGN_CELL_WEDGE] = 6,
        [AGN_CELL_PYRAMID] = 5};
    int k = kind > 0 && kind < AGNI_COUNT(nodes) ? nodes[kind] : 0;
    agn_status st = agni_require_dense(cells, op);
    if (!st && !k)
        st = agni_fail(AGN_EARG, "%s: kind %d is no AGN_CELL_", op, kind);
    if (!st && agni_kind(cells->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: cells are %s, an integer dtype is needed", op,
                       agni_dtypes[cells->dtype].name);
    if (!st && (cells->ndim != 2 || cells->shape[1] != k))
        st = agni_fail(AGN_ESHAPE, "%s: cells are %s, [m,%d] is needed", op, AGNI_SHAPE(cells), k);
    return st ? st : agni_require_host(cells, op);
}

/* values that a file cannot hold, or that point at nothing */
static agn_status check_values(const char *op, const mesh_file *f)
{
    const double *x = f->points->data;
    const int64_t *node = f->cells->data, n = f->points->shape[0];
    for (int64_t i = 0; i < f->points->size; i++)
        if (!isfinite(x[i]))
            return agni_fail(AGN_EDOMAIN, "%s: point %lld has the coordinate %g", op,
                             (long long)(i / f->points->shape[1]), x[i]);
    for (int64_t i = 0; i < f->cells->size; i++)
        if (node[i] < 0 || node[i] >= n)
            return agni_fail(AGN_EINDEX, "%s: cell %lld has node %lld, out of range for %lld nodes",
                             op, (long long)(i / f->cells->shape[1]), (long long)node[i],
                             (long long)n);
    return AGN_OK;
}

/* the fields of a dictionary as they are written, within s */
static agn_status read_fields(agn_scope *s, const char *op, const agn_dict *d, int64_t rows,
                              const agn_tensor **to)
{
    for (int32_t k = 0; d && k < agn_dict_count(d); k++) {
        agn_tensor *x = NULL;
        const char *name = agn_dict_name(d, k);
        agn_status st = agn_dict_get(&x, d, name);
        if (!st && !agn_scope_adopt(s, AGN_OK, &x))
            st = agn_scope_status(s);
        if (!st)
            st = agni_require_dense(x, op);
        if (!st && agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
            st = agni_fail(AGN_EDTYPE, "%s: the field %.60s is %s, a real dtype is needed", op,
                           name, agni_dtypes[x->dtype].name);
        if (!st && (x->ndim < 1 || x->ndim > 2 || x->shape[0] != rows))
            st = agni_fail(AGN_ESHAPE,
                           "%s: the field %.60s is %s, %lld rows of one or two axes are needed", op,
                           name, AGNI_SHAPE(x), (long long)rows);
        if (!st)
            st = agni_require_host(x, op);
        if (st)
            return st;
        to[k] = ag_contiguous(s, types[x->dtype] ? x : agni_cast(s, x, AGN_F32));
        if (!to[k])
            return agn_scope_status(s);
    }
    return AGN_OK;
}

agn_status agn_mesh_save(const char *path, const agn_tensor *points, const agn_tensor *cells,
                         int32_t kind, const agn_dict *at_points, const agn_dict *at_cells)
{
    static const char op[] = "mesh_save";
    AGNI_NEED(op, path);
    AGNI_NEED(op, points);
    AGNI_NEED(op, cells);
    bool off = agni_path_ends_in(path, ".off"), obj = agni_path_ends_in(path, ".obj"),
         vtu = agni_path_ends_in(path, ".vtu");
    if (!off && !obj && !vtu)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s: none of .off, .obj and .vtu", op,
                         agni_path_end(path));
    agn_status st = check_points(op, points);
    if (!st)
        st = check_cells(op, cells, kind);
    int32_t n = (at_points ? agn_dict_count(at_points) : 0) +
                (at_cells ? agn_dict_count(at_cells) : 0);
    if (!st && !vtu && ((kind != AGN_CELL_TRIANGLE && kind != AGN_CELL_QUAD) || n))
        st = agni_fail(AGN_EUNSUPPORTED, "%s: %s: holds triangles or quads without fields", op,
                       agni_path_end(path));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    mesh_file f = {ag_contiguous(s, agni_cast(s, points, AGN_F64)),
                   ag_contiguous(s, agni_cast(s, cells, AGN_I64)),
                   kind,
                   at_points,
                   at_cells,
                   agni_zalloc((size_t)(n + 1) * sizeof *f.field)};
    if (!f.field)
        st = agni_nomem(op, (size_t)n * sizeof *f.field);
    if (!st && (!f.points || !f.cells))
        st = agn_scope_status(s);
    if (!st)
        st = check_values(op, &f);
    if (!st)
        st = read_fields(s, op, at_points, points->shape[0], f.field);
    if (!st)
        st = read_fields(s, op, at_cells, cells->shape[0],
                         f.field + (at_points ? agn_dict_count(at_points) : 0));
    if (!st)
        st = agni_save(op, path, off ? write_off : obj ? write_obj : write_vtu, &f);
    agni_free(f.field);
    agn_scope_fail(s, st);
    return agni_rename_error(op, agn_scope_close(s));
}
