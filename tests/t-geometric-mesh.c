/* t-geometric-mesh - meshes as graphs and from files, edge lists and citations: small cases by hand, random ones against
   loops, damaged files, and every failure. */
#include "geometric.h"

#include <agnesi/exchange_graph.h>
#include <agnesi/geometric_mesh.h>
#include <unistd.h>

enum { MOST = 4000 };

static agn_tensor *cells_of(int64_t m, int64_t k, const int64_t *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, 2, (int64_t[]){m, k}, v));
    return x;
}

/* ---- cells ----------------------------------------------------------------------------------------------- */

/* each kind: one cell has so many edges, and all of its nodes are at the boundary */
static void test_kinds(void)
{
    tally q = {0, 0};
    static const struct { int32_t kind, nodes, edges; } kinds[] = {
        {AGN_CELL_LINE, 2, 1}, {AGN_CELL_TRIANGLE, 3, 3}, {AGN_CELL_QUAD, 4, 4}, {AGN_CELL_TETRA, 4, 6},
        {AGN_CELL_HEXAHEDRON, 8, 12}, {AGN_CELL_WEDGE, 6, 9}, {AGN_CELL_PYRAMID, 5, 8}};
    static const int64_t node[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static int64_t a[MOST], b[MOST];
    for (int k = 0; k < COUNT(kinds); k++) {
        agn_tensor *c = cells_of(1, kinds[k].nodes, node), *rim;
        agn_graph *g;
        int64_t n;
        must(agn_graph_from_cells(&g, c, kinds[k].kind, 0));
        must(agn_graph_size(&n, NULL, NULL, g));
        int64_t m = read_edges(g, a, b), degree[8] = {0};
        check(&q, n == kinds[k].nodes && m == 2 * kinds[k].edges, "kind %d: %d edges both ways", kinds[k].kind, (int)m);
        for (int64_t e = 0; e < m / 2; e++)
            check(&q, a[e] == b[m / 2 + e] && b[e] == a[m / 2 + e], "edge %d the other way round", (int)e);
        for (int64_t e = 0; e < m; e++)
            degree[a[e]]++;
        for (int i = 0; i < kinds[k].nodes && kinds[k].nodes > 2; i++)
            check(&q, degree[i] == (kinds[k].kind == AGN_CELL_PYRAMID && i == 4 ? 4 : kinds[k].nodes <= 4 && kinds[k].kind != AGN_CELL_TETRA ? 2 : 3),
                  "kind %d: degree of %d is %d", kinds[k].kind, i, (int)degree[i]);
        agn_graph_release(g);
        must(agn_graph_cell_boundary(&rim, c, kinds[k].kind));
        check(&q, agn_numel(rim) == kinds[k].nodes, "boundary of one cell");
        agn_release(rim);
        must(agn_graph_cell_dual(&g, c, kinds[k].kind));
        must(agn_graph_size(&n, NULL, &m, g));
        check(&q, n == 1 && m == 0, "one cell has no neighbour");
        agn_graph_release(g);
        agn_release(c);
    }
    tell(&q, "edges, facets and corners of one cell of each kind");
}

/* grids of squares and cubes: how many edges and neighbours there are is known */
static void test_grids(void)
{
    tally q = {0, 0};
    enum { A = 4, B = 3, C = 2 };
    static int64_t a[MOST], b[MOST], quad[A * B][4], tri[2 * A * B][3], cube[A * B * C][8];
    for (int j = 0; j < B; j++)
        for (int i = 0; i < A; i++) {
            int64_t o = j * (A + 1) + i, *v = quad[j * A + i];
            v[0] = o, v[1] = o + 1, v[2] = o + A + 2, v[3] = o + A + 1;
            memcpy(tri[2 * (j * A + i)], (int64_t[]){v[0], v[1], v[2]}, 24);
            memcpy(tri[2 * (j * A + i) + 1], (int64_t[]){v[0], v[2], v[3]}, 24);
        }
    enum { LAYER = (A + 1) * (B + 1) };
    for (int k = 0; k < C; k++)
        for (int i = 0; i < A * B; i++)
            for (int c = 0; c < 8; c++)
                cube[k * A * B + i][c] = quad[i][c % 4] + (k + c / 4) * LAYER;
    const struct { int32_t kind; int64_t m, k, edges, pairs, rim; const int64_t *v; } want[] = {
        {AGN_CELL_QUAD, A * B, 4, A * (B + 1) + B * (A + 1), A * (B - 1) + B * (A - 1), 2 * (A + B), quad[0]},
        {AGN_CELL_TRIANGLE, 2 * A * B, 3, A * (B + 1) + B * (A + 1) + A * B, A * (B - 1) + B * (A - 1) + A * B, 2 * (A + B), tri[0]},
        {AGN_CELL_HEXAHEDRON, A * B * C, 8, (A * (B + 1) + B * (A + 1)) * (C + 1) + LAYER * C,
         (A * (B - 1) + B * (A - 1)) * C + A * B * (C - 1), LAYER * (C + 1) - (A - 1) * (B - 1) * (C - 1), cube[0]}};
    for (int w = 0; w < COUNT(want); w++) {
        agn_tensor *c = cells_of(want[w].m, want[w].k, want[w].v), *rim;
        agn_graph *g;
        must(agn_graph_from_cells(&g, c, want[w].kind, 0));
        int64_t m = read_edges(g, a, b);
        check(&q, m == 2 * want[w].edges, "kind %d: %d edges, not %d", want[w].kind, (int)m / 2, (int)want[w].edges);
        for (int64_t e = 0; e < m; e++)
            for (int64_t f = 0; f < e; f++)
                check(&q, a[e] != a[f] || b[e] != b[f], "edge %d twice", (int)e);
        agn_graph_release(g);
        must(agn_graph_cell_dual(&g, c, want[w].kind));
        m = read_edges(g, a, b);
        check(&q, m == 2 * want[w].pairs, "kind %d: %d neighbours, not %d", want[w].kind, (int)m / 2, (int)want[w].pairs);
        for (int64_t e = 0; e < m; e++) { /* two cells share as many nodes as a facet has */
            int common = 0;
            for (int i = 0; i < want[w].k; i++)
                for (int j = 0; j < want[w].k; j++)
                    common += want[w].v[a[e] * want[w].k + i] == want[w].v[b[e] * want[w].k + j];
            check(&q, common == (want[w].kind == AGN_CELL_HEXAHEDRON ? 4 : 2), "cells %d and %d", (int)a[e], (int)b[e]);
        }
        agn_graph_release(g);
        must(agn_graph_cell_boundary(&rim, c, want[w].kind));
        check(&q, agn_numel(rim) == want[w].rim, "kind %d: %d nodes at the boundary, not %d", want[w].kind, (int)agn_numel(rim),
              (int)want[w].rim);
        for (int64_t i = 1; i < agn_numel(rim); i++)
            check(&q, at(rim, i) > at(rim, i - 1), "rising");
        agn_release(rim);
        int64_t n_src, n_dst;
        must(agn_graph_cell_nodes(&g, c, 1000));
        must(agn_graph_size(&n_src, &n_dst, &m, g));
        check(&q, n_src == want[w].m && n_dst == 1000 && m == want[w].m * want[w].k, "cells and nodes");
        read_edges(g, a, b);
        for (int64_t e = 0; e < m; e++)
            check(&q, a[e] == e / want[w].k && b[e] == want[w].v[e], "incidence %d", (int)e);
        agn_graph_release(g);
        agn_release(c);
    }
    agn_tensor *none = cells_of(0, 3, a), *rim;
    agn_graph *g;
    int64_t n;
    must(agn_graph_from_cells(&g, none, AGN_CELL_TRIANGLE, 5));
    must(agn_graph_size(&n, NULL, NULL, g));
    check(&q, n == 5, "no cells");
    agn_graph_release(g);
    must(agn_graph_cell_boundary(&rim, none, AGN_CELL_TRIANGLE));
    check(&q, agn_numel(rim) == 0, "no boundary");
    agn_release(rim);
    agn_release(none);
    tell(&q, "grids: edges, neighbours, boundaries");
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f))
        bail_out("%s cannot be written", name);
}

static const char off[] = "OFF # a square and a triangle over it\n5 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 1e0\n"
                          "4 0 1 2 3 255 0 0\n3 0 1 4\n";
static const char obj[] = "# two triangles\nmtllib x.mtl\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nv 0 1 .5\n"
                          "f -4 -2 -1\n";
static const char vtu[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
    "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
    "<PointData><DataArray type=\"Float64\" Name=\"t\" format=\"ascii\">1 2 3 4</DataArray></PointData>\n"
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0  1 0 0\n 0 1 0  0 0 2.5</DataArray></Points>\n"
    "<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\n"
    "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n";
/* the same with arrays in base64: a header of 4 bytes, then numbers of struct.pack('<...') in Python */
static const char binary[] =
    "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian'><UnstructuredGrid><Piece NumberOfPoints='3' NumberOfCells='1'>"
    "<Points><DataArray type='Float64' NumberOfComponents='3' format='binary'>"
    "SAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAADgvw=="
    "</DataArray></Points><Cells><DataArray type='Int32' Name='connectivity' format='binary'>DAAAAAAAAAABAAAAAgAAAA=="
    "</DataArray><DataArray type='Int64' Name='offsets' format='binary'>CAAAAAMAAAAAAAAA</DataArray>"
    "<DataArray type='UInt8' Name='types' format='binary'>AQAAAAU=</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";

static void test_meshes(void)
{
    tally q = {0, 0};
    agn_tensor *x, *c;
    int32_t kind;
    static const struct {
        const char *name, *text;
        int32_t kind;
        int64_t points, cells, k, node[9];
        double last;
    } want[] = {{"t-mesh.off", off, AGN_CELL_TRIANGLE, 5, 3, 3, {0, 1, 2, 0, 2, 3, 0, 1, 4}, 1},
                {"t-mesh.OBJ", obj, AGN_CELL_TRIANGLE, 4, 2, 3, {0, 1, 2, 0, 2, 3}, 0.5},
                {"t-mesh.vtu", vtu, AGN_CELL_TETRA, 4, 1, 4, {0, 1, 2, 3}, 2.5},
                {"t-mesh.vtu", binary, AGN_CELL_TRIANGLE, 3, 1, 3, {0, 1, 2}, -0.5},
                {"t-mesh.off", "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 7\n4 0 1 2 3\n", AGN_CELL_QUAD, 4, 1, 4, {0, 1, 2, 3}, 7},
                {"t-mesh.off", "OFF\n1 0 0\n1 2 3\n", AGN_CELL_TRIANGLE, 1, 0, 3, {0}, 3}};
    for (int k = 0; k < COUNT(want); k++) {
        write_file(want[k].name, want[k].text);
        must(agn_mesh_load(&x, &c, &kind, want[k].name));
        check(&q, kind == want[k].kind && has_shape(x, 2, (int64_t[]){want[k].points, 3}) &&
                      has_shape(c, 2, (int64_t[]){want[k].cells, want[k].k}), "%s: kind %d", want[k].name, kind);
        check(&q, creal(peekz(x, want[k].points * 3 - 1)) == want[k].last, "%s: %g", want[k].name,
              creal(peekz(x, want[k].points * 3 - 1)));
        for (int64_t i = 0; i < want[k].cells * want[k].k; i++)
            check(&q, at(c, i) == want[k].node[i], "%s: node %d is %d", want[k].name, (int)i, (int)at(c, i));
        agn_release(x);
        agn_release(c);
        remove(want[k].name);
    }
    tell(&q, "OFF, OBJ, VTU as text and in base64");
}

static void test_lists(void)
{
    tally q = {0, 0};
    agn_graph *g;
    agn_tensor *x, *labels;
    int64_t a[8], b[8], n, unknown;
    write_file("t-edges.txt", "# ties\n0 3\n\n2,1\n%no\n 3\t0 \r\n2;2");
    must(agn_edge_list_load(&g, &x, "t-edges.txt"));
    must(agn_graph_size(&n, NULL, NULL, g));
    check(&q, !x && n == 4 && read_edges(g, a, b) == 4 && a[1] == 2 && b[1] == 1 && b[2] == 0 && a[3] == 2 && b[3] == 2, "edges");
    agn_graph_release(g);
    write_file("t-edges.txt", "0 1 2.5\n1 0 -1e-3\n");
    must(agn_edge_list_load(&g, &x, "t-edges.txt"));
    check(&q, agn_numel(x) == 2 && creal(peekz(x, 1)) == -1e-3, "values");
    agn_release(x);
    agn_graph_release(g);
    must(agn_edge_list_load(&g, NULL, "t-edges.txt"));
    agn_graph_release(g);
    write_file("t-edges.txt", "# nothing\n");
    must(agn_edge_list_load(&g, &x, "t-edges.txt"));
    must(agn_graph_size(&n, NULL, NULL, g));
    check(&q, !x && n == 0, "nothing");
    agn_graph_release(g);
    write_file("t-content.txt", "p9\t0 1 0\tZoo\nb 1 0 1 Ant\n31 0 0 1 Zoo\n");
    write_file("t-cites.txt", "p9 31\nb\tp9\nlost p9\n");
    must(agn_citations_load(&g, &x, &labels, &unknown, "t-content.txt", "t-cites.txt"));
    check(&q, unknown == 1 && read_edges(g, a, b) == 2 && a[0] == 2 && b[0] == 0 && a[1] == 0 && b[1] == 1, "citations");
    check(&q, has_shape(x, 2, (int64_t[]){3, 3}) && creal(peekz(x, 1)) == 1 && creal(peekz(x, 5)) == 1, "numbers");
    check(&q, at(labels, 0) == 1 && at(labels, 1) == 0 && at(labels, 2) == 1, "labels in order");
    agn_release(x);
    agn_release(labels);
    agn_graph_release(g);
    must(agn_citations_load(&g, &x, &labels, NULL, "t-content.txt", "t-cites.txt"));
    agn_release(x);
    agn_release(labels);
    agn_graph_release(g);
    tell(&q, "edge lists and citations");
    remove("t-edges.txt");
}

/* ---- failures ---------------------------------------------------------------------------------------------- */

static void test_damage(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *c = untouched, *l = untouched;
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *g = nothing;
    int32_t kind = -7;
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, agn_error_message())
    static const struct { const char *name, *text; agn_status st; const char *fact; } mesh[] = {
        {"t-bad.off", "COFF\n", AGN_EFORMAT, "line 1: expected is OFF"},
        {"t-bad.off", "", AGN_EFORMAT, "expected is OFF"},
        {"t-bad.off", "OFF\n", AGN_EFORMAT, "numbers of nodes"},
        {"t-bad.off", "OFF\n-1 0\n", AGN_EFORMAT, "numbers of nodes"},
        {"t-bad.off", "OFF\n9000000000000000000 0\n", AGN_EFORMAT, "nodes are missing"},
        {"t-bad.off", "OFF\n1 1\n0 0\n", AGN_EFORMAT, "line 3: expected are three coordinates"},
        {"t-bad.off", "OFF\n1 1\n0 0 0\n3 0 0 1\n", AGN_EFORMAT, "line 4: a node that is not there"},
        {"t-bad.off", "OFF\n1 1\n0 0 0\n4000000000 0\n", AGN_EFORMAT, "three nodes or more"},
        {"t-bad.off", "OFF\n1 2\n0 0 0\n3 0 0 0\n", AGN_EFORMAT, "faces are missing"},
        {"t-bad.obj", "v 0 0 0\nf 1 1 2\n", AGN_EFORMAT, "line 2: a node that is not there"},
        {"t-bad.obj", "v 0 0 0\nf 1 1\n", AGN_EFORMAT, "three nodes or more"},
        {"t-bad.obj", "v 0 0 0\nf 1 1 x\n", AGN_EFORMAT, "a node of a face"},
        {"t-bad.obj", "v 0 zero 0\n", AGN_EFORMAT, "line 1: expected are three coordinates"},
        {"t-bad.vtu", "<VTKFile type=\"PolyData\">", AGN_EFORMAT, "UnstructuredGrid"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLib\">", AGN_EUNSUPPORTED, "compressed by vtkZLib"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\">", AGN_EUNSUPPORTED, "BigEndian"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\">", AGN_EFORMAT, "Piece"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points>", AGN_EFORMAT, "Points and Cells"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Piece >", AGN_EUNSUPPORTED, "several pieces"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      "format=\"appended\"></Points><Cells>", AGN_EUNSUPPORTED, "appended"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"2\" "
                      "></Points><Cells>", AGN_EFORMAT, "three coordinates"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 x</DataArray></Points><Cells>", AGN_EFORMAT, "no number"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 3</DataArray></Points><Cells></Cells>", AGN_EFORMAT, "connectivity is missing"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "
                      "format=\"binary\">/////wAA</DataArray></Points><Cells>", AGN_EFORMAT, "base64"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 3</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">0 0 0 0 0</DataArray>"
                      "<DataArray type=\"Int32\" Name=\"offsets\">3 5</DataArray><DataArray type=\"Int32\" Name=\"types\">5 3"
                      "</DataArray></Cells>", AGN_EUNSUPPORTED, "types 5 and 3"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 3</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">0 0 1</DataArray>"
                      "<DataArray type=\"Int32\" Name=\"offsets\">3</DataArray><DataArray type=\"Int32\" Name=\"types\">5"
                      "</DataArray></Cells>", AGN_EFORMAT, "not there"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 3</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">0 0 0</DataArray>"
                      "<DataArray type=\"Int32\" Name=\"offsets\">9</DataArray><DataArray type=\"Int32\" Name=\"types\">22"
                      "</DataArray></Cells>", AGN_EUNSUPPORTED, "type 22"},
        {"t-bad.vtu", "<VTKFile type=\"UnstructuredGrid\"><Piece ><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                      ">1 2 3</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\">0 0 0</DataArray>"
                      "<DataArray type=\"Int32\" Name=\"offsets\">9</DataArray><DataArray type=\"Int32\" Name=\"types\">5"
                      "</DataArray></Cells>", AGN_EFORMAT, "as many nodes"},
    };
    for (int k = 0; k < COUNT(mesh); k++) {
        write_file(mesh[k].name, mesh[k].text);
        BAD(agn_mesh_load(&out, &c, &kind, mesh[k].name), "mesh_load", mesh[k].st, mesh[k].fact, mesh[k].name);
        remove(mesh[k].name);
    }
    BAD(agn_mesh_load(&out, &c, &kind, "x.stl"), "mesh_load", AGN_EUNSUPPORTED, "x.stl", ".off");
    BAD(agn_mesh_load(&out, &c, &kind, "t-none.off"), "mesh_load", AGN_EIO, "t-none.off", NULL);
    BAD(agn_mesh_load(NULL, &c, &kind, "x.off"), "mesh_load", AGN_ENULL, "points", NULL);
    BAD(agn_mesh_load(&out, NULL, &kind, "x.off"), "mesh_load", AGN_ENULL, "cells", NULL);
    BAD(agn_mesh_load(&out, &c, NULL, "x.off"), "mesh_load", AGN_ENULL, "kind", NULL);
    BAD(agn_mesh_load(&out, &c, &kind, NULL), "mesh_load", AGN_ENULL, "path", NULL);
    static const struct { const char *text, *fact; } list[] = {
        {"0 1\n0\n", "line 2: expected are two nodes"}, {"0 -1\n", "line 1: expected are two nodes"}, {"0 x\n", "two nodes"},
        {"0 1\n1 2 3\n", "line 2: a third column"}, {"0 1 1\n1 2\n", "expected is a third column"}, {"0 1 y\n", "expected is a number"},
        {"0 1 2 3\n", "expected is its end"}, {"0 99999999999999999999\n", "two nodes"}, {"0 9223372036854775807\n", "two nodes"}};
    for (int k = 0; k < COUNT(list); k++) {
        write_file("t-bad.txt", list[k].text);
        BAD(agn_edge_list_load(&g, &out, "t-bad.txt"), "edge_list_load", AGN_EFORMAT, list[k].fact, "t-bad.txt");
    }
    BAD(agn_edge_list_load(NULL, &out, "t-bad.txt"), "edge_list_load", AGN_ENULL, "out", NULL);
    BAD(agn_edge_list_load(&g, &out, NULL), "edge_list_load", AGN_ENULL, "path", NULL);
    BAD(agn_edge_list_load(&g, &out, "t-none.txt"), "edge_list_load", AGN_EIO, "t-none.txt", NULL);
    static const struct { const char *text, *cites, *fact; } doc[] = {
        {"a 1 2 X\nb 1 Y\n", "", "line 2: another number of numbers"}, {"a 1 2 X\na 3 4 Y\n", "", "the document a is there twice"},
        {"a\n", "", "a name, numbers and a label"}, {"a one X\n", "", "expected is a number"}, {"a 1 X\n", "a\n", "two names"},
        {"a 1 X\n", "a a a\n", "two names"}};
    for (int k = 0; k < COUNT(doc); k++) {
        write_file("t-bad.txt", doc[k].text);
        write_file("t-bad2.txt", doc[k].cites);
        BAD(agn_citations_load(&g, &out, &l, NULL, "t-bad.txt", "t-bad2.txt"), "citations_load", AGN_EFORMAT, doc[k].fact, NULL);
    }
#define CITE(g_, x_, l_, a_, b_, st, m) BAD(agn_citations_load(g_, x_, l_, NULL, a_, b_), "citations_load", st, m, NULL)
    CITE(NULL, &out, &l, "a", "b", AGN_ENULL, "out is NULL");
    CITE(&g, NULL, &l, "a", "b", AGN_ENULL, "x is NULL");
    CITE(&g, &out, NULL, "a", "b", AGN_ENULL, "labels is NULL");
    CITE(&g, &out, &l, NULL, "b", AGN_ENULL, "content is NULL");
    CITE(&g, &out, &l, "a", NULL, AGN_ENULL, "cites is NULL");
    CITE(&g, &out, &l, "t-none", "t-bad2.txt", AGN_EIO, "t-none");
    CITE(&g, &out, &l, "t-content.txt", "t-none", AGN_EIO, "t-none");
    remove("t-bad.txt");
    remove("t-bad2.txt");
    check(&q, g == nothing && c == untouched && l == untouched && kind == -7, "nothing else is written");
    tell(&q, "damaged files: status, op, line");
}

static void test_failures(void)
{
    tally q = {0, 0};
    static const int64_t v[] = {0, 1, 2, 0, 2, 3, 0, -1, 2};
    agn_graph *const nothing = (agn_graph *)(uintptr_t)0x5eed, *g = nothing;
    agn_tensor *out = untouched, *c = cells_of(2, 3, v), *bad = cells_of(3, 3, v), *flat = whole(3, v), *sp = NULL;
    agn_tensor *real = random_of(AGN_F64, 2, (int64_t[]){2, 3}, 0, 1);
    must(agn_sparse_from_dense(&sp, real));
    for (int k = 0; k < 4; k++) {
        static const char *const op[] = {"graph_from_cells", "graph_cell_nodes", "graph_cell_dual", "graph_cell_boundary"};
#define MESH(c_, kind_, st, m1, m2) \
        BAD(k == 0   ? agn_graph_from_cells(&g, c_, kind_, 0) \
            : k == 1 ? agn_graph_cell_nodes(&g, c_, 0) \
            : k == 2 ? agn_graph_cell_dual(&g, c_, kind_) \
                     : agn_graph_cell_boundary(&out, c_, kind_), op[k], st, m1, m2)
        MESH(NULL, 5, AGN_ENULL, "cells is NULL", NULL);
        MESH(flat, 5, AGN_ESHAPE, "[3]", NULL);
        MESH(real, 5, AGN_EDTYPE, "f64", NULL);
        MESH(bad, 5, AGN_EINDEX, "cell 2", "-1");
        MESH(sp, 5, AGN_EUNSUPPORTED, "sparse", NULL);
        if (k != 1) {
            MESH(c, 0, AGN_EARG, "kind 0", NULL);
            MESH(c, 22, AGN_EARG, "kind 22", NULL);
            MESH(c, 9, AGN_ESHAPE, "[2,3]", "[m,4]");
        }
    }
    BAD(agn_graph_from_cells(NULL, c, 5, 0), "graph_from_cells", AGN_ENULL, "out", NULL);
    BAD(agn_graph_cell_nodes(NULL, c, 0), "graph_cell_nodes", AGN_ENULL, "out", NULL);
    BAD(agn_graph_cell_dual(NULL, c, 5), "graph_cell_dual", AGN_ENULL, "out", NULL);
    BAD(agn_graph_cell_boundary(NULL, c, 5), "graph_cell_boundary", AGN_ENULL, "out", NULL);
    BAD(agn_graph_from_cells(&g, c, 5, 3), "graph_from_cells", AGN_EINDEX, "cell 1", "3 nodes");
    BAD(agn_graph_cell_nodes(&g, c, 3), "graph_cell_nodes", AGN_EINDEX, "cell 1", "3 nodes");
    check(&q, g == nothing, "no graph");
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {c, bad, flat, sp, real};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
}

typedef struct making {
    agn_tensor *c;
    int what;
} making;
static agn_status make(void *user, agn_tensor **out)
{
    making *m = user;
    agn_graph *g = NULL;
    agn_tensor *a = NULL, *b = NULL, *x = NULL;
    int32_t kind;
    agn_status st;
    switch (m->what) {
    case 0: st = agn_graph_from_cells(&g, m->c, AGN_CELL_TRIANGLE, 0); break;
    case 1: st = agn_graph_cell_nodes(&g, m->c, 0); break;
    case 2: st = agn_graph_cell_dual(&g, m->c, AGN_CELL_TRIANGLE); break;
    case 3: return agn_graph_cell_boundary(out, m->c, AGN_CELL_TRIANGLE);
    case 4: st = agn_edge_list_load(&g, &x, "t-edges.txt"); break;
    case 5: st = agn_citations_load(&g, &x, &a, NULL, "t-content.txt", "t-cites.txt"); break;
    default:
        st = agn_mesh_load(&x, &a, &kind, m->what == 6 ? "t-mesh.off" : m->what == 7 ? "t-mesh.obj" : "t-mesh.vtu");
        agn_release(a);
        if (!st)
            *out = x;
        return st;
    }
    agn_release(a);
    agn_release(x);
    a = NULL;
    if (!st)
        st = agn_graph_edges(&a, &b, g);
    agn_graph_release(g);
    agn_release(b);
    if (!st)
        *out = a;
    return st;
}

int main(void)
{
    static const char *const made[] = {"from_cells", "cell_nodes", "cell_dual", "cell_boundary", "edge_list", "citations",
                                       "off", "obj", "vtu"};
    static const int64_t v[] = {0, 1, 2, 0, 2, 3};
    char folder[] = "t-geometric-mesh.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        bail_out("no folder");
    test_kinds();
    test_grids();
    test_meshes();
    test_lists();
    test_damage();
    test_failures();
    write_file("t-edges.txt", "0 1 1\n1 0 2\n");
    write_file("t-mesh.off", off);
    write_file("t-mesh.obj", obj);
    write_file("t-mesh.vtu", vtu);
    making m = {cells_of(2, 3, v), 0};
    for (; m.what < COUNT(made); m.what++)
        every_allocation(make, &m, made[m.what]);
    agn_release(m.c);
    static const char *const files[] = {"t-edges.txt", "t-mesh.off", "t-mesh.obj", "t-mesh.vtu", "t-content.txt", "t-cites.txt"};
    for (int k = 0; k < COUNT(files); k++)
        remove(files[k]);
    if (chdir("..") || rmdir(folder))
        diag("%s is left", folder);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
