/* t-geometric-files - meshes, fields and graphs that are written and read back to the bit, files
   that stay whole where writing fails, and every failure. */
#include "geometric.h"

#include <agnesi/exchange_graph.h>
#include <agnesi/geometric_mesh.h>
#include <sys/stat.h>
#include <unistd.h>

static char *text_of(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    return text;
}
static agn_tensor *cells_of(int dtype, int64_t m, int64_t k, const int64_t *v)
{
    agn_tensor *x = NULL, *y = NULL;
    must(agn_from_host(&x, AGN_I64, 2, (int64_t[]){m, k}, v));
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    return y;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static void test_meshes(void)
{
    tally q = {0, 0};
    static const int32_t kinds[] = {AGN_CELL_LINE,   AGN_CELL_TRIANGLE,   AGN_CELL_QUAD,
                                    AGN_CELL_TETRA,  AGN_CELL_HEXAHEDRON, AGN_CELL_WEDGE,
                                    AGN_CELL_PYRAMID};
    static const int nodes[] = {2, 3, 4, 4, 8, 6, 5};
    static const char *const files[] = {"t-mesh.off", "t-mesh.OBJ", "t-mesh.vtu"};
    for (int k = 0; k < COUNT(kinds); k++)
        for (int f = 0; f < COUNT(files); f++)
            for (int64_t m = 0; m < 8; m += 1 + 2 * m)
                for (int d = 2; d < 4; d++) {
                    int64_t n = 9, node[64];
                    int32_t kind = -1;
                    bool flat = kinds[k] == AGN_CELL_TRIANGLE || kinds[k] == AGN_CELL_QUAD;
                    for (int64_t i = 0; i < m * nodes[k]; i++)
                        node[i] = rnd_below(n);
                    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){n, d}, -1e3, 1e3), *y = NULL,
                               *z = NULL;
                    agn_tensor *c = cells_of(f ? AGN_I64 : AGN_I32, m, nodes[k], node);
                    agn_status st = agn_mesh_save(files[f], x, c, kinds[k], NULL, NULL);
                    check(&q, f < 2 && !flat ? st == AGN_EUNSUPPORTED : !st, "%s of kind %d: %s",
                          files[f], kinds[k], agn_error_message());
                    if (!st) {
                        must(agn_mesh_load(&y, &z, &kind, files[f]));
                        bool few = !m; /* no face tells of which kind they would be */
                        check(&q, (few || kind == kinds[k]) && has_shape(y, 2, (int64_t[]){n, 3}),
                              "kind %d", kind);
                        check(&q,
                              f == 2 && !m ? agn_numel(z) == 0
                                           : few || has_shape(z, 2, (int64_t[]){m, nodes[k]}),
                              "cells");
                        for (int64_t i = 0; i < n * 3; i++)
                            check(&q, get(y, i) == (i % 3 < d ? get(x, i / 3 * d + i % 3) : 0),
                                  "coordinate %d", (int)i);
                        for (int64_t i = 0; i < m * nodes[k]; i++)
                            check(&q, at(z, i) == node[i], "node %d", (int)i);
                        remove(files[f]);
                    }
                    RELEASE(x, y, z, c);
                }
    tell(&q, "meshes of every kind are read back as they were");
}

/* the whole text, its arrays by base64.b64encode(struct.pack('<Q...')) of Python */
static const char whole_file[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
    "byte_order=\"LittleEndian\" "
    "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
    "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\n"
    "<PointData>\n<DataArray type=\"Float64\" NumberOfComponents=\"1\" "
    "Name=\"a &lt;b&gt; &amp; &quot;c&quot;\" "
    "format=\"binary\">GAAAAAAAAAAAAAAAAADwPwAAAAAAAPh/AAAAAAAAAMA=</DataArray>\n"
    "<DataArray type=\"Float32\" NumberOfComponents=\"2\" Name=\"v\" "
    "format=\"binary\">GAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAAAoEA=</DataArray>\n</PointData>\n"
    "<CellData>\n<DataArray type=\"Int16\" NumberOfComponents=\"1\" Name=\"part\" "
    "format=\"binary\">AgAAAAAAAAD+/w==</DataArray>\n</CellData>\n<Points>\n"
    "<DataArray type=\"Float64\" NumberOfComponents=\"3\" Name=\"Points\" "
    "format=\"binary\">SAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAADwPwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOA/AAAAAAAAAAA="
    "</DataArray>\n</Points>\n<Cells>\n"
    "<DataArray type=\"Int64\" NumberOfComponents=\"1\" Name=\"connectivity\" "
    "format=\"binary\">GAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAA=</DataArray>\n"
    "<DataArray type=\"Int64\" NumberOfComponents=\"1\" Name=\"offsets\" "
    "format=\"binary\">CAAAAAAAAAADAAAAAAAAAA==</DataArray>\n"
    "<DataArray type=\"UInt8\" NumberOfComponents=\"1\" Name=\"types\" "
    "format=\"binary\">AQAAAAAAAAAF</DataArray>\n"
    "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

static void test_fields(void)
{
    tally q = {0, 0};
    agn_dict *a = NULL, *b = NULL;
    agn_tensor *x = of_reals(AGN_F32, 2, (int64_t[]){3, 2}, (double[]){0, 0, 1, 0, 0, 0.5});
    agn_tensor *c = cells_of(AGN_I64, 1, 3, (int64_t[]){0, 1, 2});
    agn_tensor *t = of_reals(AGN_F64, 1, (int64_t[]){3}, (double[]){1, (double)NAN, -2}),
               *part = NULL;
    agn_tensor *v = of_reals(AGN_F16, 2, (int64_t[]){3, 2}, (double[]){0, 1, 2, 3, 4, 5});
    part = of_reals(AGN_I16, 1, (int64_t[]){1}, (double[]){-2});
    must(agn_dict_new(&a));
    must(agn_dict_new(&b));
    must(agn_dict_put(a, "a <b> & \"c\"", t));
    must(agn_dict_put(a, "v", v));
    must(agn_dict_put(b, "part", part));
    must(agn_mesh_save("t-mesh.vtu", x, c, AGN_CELL_TRIANGLE, a, b));
    const char *text = text_of("t-mesh.vtu");
    size_t same_to = 0;
    while (text[same_to] && text[same_to] == whole_file[same_to])
        same_to++;
    check(&q, !strcmp(text, whole_file), "byte %d: %.60s", (int)same_to, text + same_to);
    must(agn_mesh_save("t-mesh.obj", x, c, AGN_CELL_TRIANGLE, NULL, NULL));
    check(&q, !strcmp(text_of("t-mesh.obj"), "v 0 0 0\nv 1 0 0\nv 0 0.5 0\nf 1 2 3\n"), "%s",
          text_of("t-mesh.obj"));
    must(agn_mesh_save("t-mesh.off", x, c, AGN_CELL_TRIANGLE, NULL, NULL));
    check(&q, !strcmp(text_of("t-mesh.off"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 0.5 0\n3 0 1 2\n"), "%s",
          text_of("t-mesh.off"));
    remove("t-mesh.vtu");
    remove("t-mesh.obj");
    remove("t-mesh.off");
    tell(&q, "fields, names that XML escapes, bytes of all three formats");
    agn_dict_release(a);
    agn_dict_release(b);
    RELEASE(x, c, t, v, part);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void test_edges(void)
{
    tally q = {0, 0};
    static const int64_t src[] = {0, 3, 3, 2, 0}, dst[] = {1, 0, 0, 2, 3};
    static const double value[] = {0.1, -1e-300, 5e-324, 1.7976931348623157e308, 12345678.9};
    agn_graph *g = make_graph(5, src, dst, 4, 4), *h;
    agn_tensor *v = of_reals(AGN_F64, 1, (int64_t[]){5}, value), *w;
    int64_t a[5], b[5];
    for (int weighted = 0; weighted < 2; weighted++) {
        must(agn_edge_list_save("t-edges.txt", g, weighted ? v : NULL));
        must(agn_edge_list_load(&h, &w, "t-edges.txt"));
        check(&q,
              read_edges(h, a, b) == 5 && !memcmp(a, src, sizeof a) && !memcmp(b, dst, sizeof b) &&
                  !w == !weighted,
              "edges");
        for (int e = 0; weighted && e < 5; e++)
            check(&q, get(w, e) == value[e], "value %d", e);
        agn_release(w);
        agn_graph_release(h);
    }
    check(&q, !strncmp(text_of("t-edges.txt"), "0 1 0.1\n3 0 -1e-300\n", 20), "%s",
          text_of("t-edges.txt"));
    agn_graph_release(g);
    g = make_graph(0, src, dst, 0, 0);
    must(agn_edge_list_save("t-edges.txt", g, NULL));
    check(&q, !*text_of("t-edges.txt"), "nothing");
    remove("t-edges.txt");
    agn_graph_release(g);
    agn_release(v);
    tell(&q, "edge lists are read back as they were");
}

/* ---- failures -------------------------------------------------------------------------------- */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 3}, 0, 1),
               *flat = whole(3, (int64_t[]){0, 1, 2}), *z, *zv;
    agn_tensor *c = cells_of(AGN_I64, 1, 3, flat ? (int64_t[]){0, 1, 2} : NULL),
               *far = cells_of(AGN_I64, 1, 3, (int64_t[]){0, 1, 4});
    agn_tensor *below = cells_of(AGN_I64, 1, 3, (int64_t[]){0, -1, 2}),
               *one = random_of(AGN_F64, 2, (int64_t[]){4, 1}, 0, 1);
    agn_tensor *hole = of_reals(AGN_F64, 2, (int64_t[]){2, 2},
                                (double[]){0, 0, 0, (double)INFINITY}),
               *sp = NULL, *three, *zx;
    agn_dict *d = NULL, *e = NULL, *cd = NULL, *ok = NULL;
    agn_graph *g = make_graph(3, (int64_t[]){0, 1, 2}, (int64_t[]){1, 2, 0}, 3, 3);
    must(agn_sparse_from_dense(&sp, x));
    z = random_of(AGN_C128, 1, (int64_t[]){4}, 0, 1);
    zv = random_of(AGN_C128, 1, (int64_t[]){3}, 0, 1);
    zx = random_of(AGN_C128, 2, (int64_t[]){4, 3}, 0, 1);
    three = random_of(AGN_F64, 3, (int64_t[]){4, 1, 1}, 0, 1);
    agn_dict **all[] = {&d, &e, &cd, &ok};
    for (int k = 0; k < 4; k++)
        must(agn_dict_new(all[k]));
    must(agn_dict_put(d, "long", flat));
    must(agn_dict_put(e, "deep", three));
    must(agn_dict_put(cd, "waves", z));
    must(agn_dict_put(ok, "x", x));
    agn_tensor *out = untouched;
#define BAD(call_, op, st, m1, m2) \
    check(&q, refused(call_, st, op, m1, m2, out), "refusal in line %d: %s", __LINE__, \
          agn_error_message())
#define SAVE(p_, x_, c_, k_, a_, b_, st, m1, m2) \
    BAD(agn_mesh_save(p_, x_, c_, k_, a_, b_), "mesh_save", st, m1, m2)
    SAVE(NULL, x, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ENULL, "path is NULL", NULL);
    SAVE("t.vtu", NULL, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ENULL, "points is NULL", NULL);
    SAVE("t.vtu", x, NULL, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ENULL, "cells is NULL", NULL);
    SAVE("t.stl", x, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EUNSUPPORTED, "t.stl", ".off");
    SAVE("t.vtu", flat, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ESHAPE, "points are [3]", NULL);
    SAVE("t.vtu", one, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ESHAPE, "points are [4,1]", "[n,3]");
    SAVE("t.vtu", zx, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EDTYPE, "points are c128", NULL);
    SAVE("t.vtu", sp, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EUNSUPPORTED, "sparse", NULL);
    SAVE("t.vtu", x, c, 7, NULL, NULL, AGN_EARG, "kind 7", NULL);
    SAVE("t.vtu", x, c, -3, NULL, NULL, AGN_EARG, "kind -3", NULL);
    SAVE("t.vtu", x, c, 99, NULL, NULL, AGN_EARG, "kind 99", NULL);
    SAVE("t.vtu", x, x, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EDTYPE, "cells are f64", NULL);
    SAVE("t.vtu", x, c, AGN_CELL_QUAD, NULL, NULL, AGN_ESHAPE, "[1,3]", "[m,4]");
    SAVE("t.vtu", x, flat, AGN_CELL_TRIANGLE, NULL, NULL, AGN_ESHAPE, "cells are [3]", NULL);
    SAVE("t.vtu", x, far, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EINDEX, "cell 0 has node 4",
         "4 nodes");
    SAVE("t.vtu", x, below, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EINDEX, "node -1", NULL);
    SAVE("t.vtu", hole, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EDOMAIN, "point 1", "inf");
    SAVE("t.off", x, c, AGN_CELL_TRIANGLE, ok, NULL, AGN_EUNSUPPORTED, "t.off", "without fields");
    SAVE("t.vtu", x, c, AGN_CELL_TRIANGLE, d, NULL, AGN_ESHAPE, "the field long is [3]", "4 rows");
    SAVE("t.vtu", x, c, AGN_CELL_TRIANGLE, e, NULL, AGN_ESHAPE, "the field deep", NULL);
    SAVE("t.vtu", x, c, AGN_CELL_TRIANGLE, cd, NULL, AGN_EDTYPE, "the field waves is c128", NULL);
    SAVE("t.vtu", x, c, AGN_CELL_TRIANGLE, ok, ok, AGN_ESHAPE, "the field x is [4,3]", "1 rows");
    SAVE("t-none/t.vtu", x, c, AGN_CELL_TRIANGLE, NULL, NULL, AGN_EIO, "t-none", NULL);
#define LIST(p_, g_, v_, st, m1, m2) \
    BAD(agn_edge_list_save(p_, g_, v_), "edge_list_save", st, m1, m2)
    LIST(NULL, g, NULL, AGN_ENULL, "path is NULL", NULL);
    LIST("t.txt", NULL, NULL, AGN_ENULL, "g is NULL", NULL);
    LIST("t.txt", g, z, AGN_EDTYPE, "c128", NULL);
    LIST("t.txt", g, one, AGN_ESHAPE, "[4,1]", "[3]");
    LIST("t.txt", g, sp, AGN_EUNSUPPORTED, "sparse", NULL);
    LIST("t-none/t.txt", g, NULL, AGN_EIO, "t-none", NULL);
    check(&q, access("t.vtu", F_OK) && access("t.off", F_OK) && access("t.txt", F_OK),
          "no file of a refused call");
    must(agn_mesh_save("t.off", x, c, AGN_CELL_TRIANGLE, NULL, NULL));
    BAD(agn_mesh_save("t.off", x, far, AGN_CELL_TRIANGLE, NULL, NULL), "mesh_save", AGN_EINDEX,
        "node 4", NULL);
    check(&q, !strncmp(text_of("t.off"), "OFF\n4 1 0\n", 10), "a file stays whole");
    remove("t.off");
    tell(&q, "failures: status, op, two facts, no file");
    for (int k = 0; k < 4; k++)
        agn_dict_release(*all[k]);
    agn_graph_release(g);
    RELEASE(x, flat, c, far, below, one, hole, sp, z, zv, zx, three);
}

typedef struct saving {
    agn_tensor *x, *c;
    agn_graph *g;
    agn_dict *d;
    int what;
} saving;
static agn_status save(void *user, agn_tensor **out)
{
    saving *m = user;
    static const char *const path[] = {"t-m.off", "t-m.obj", "t-m.vtu"};
    agn_status st = m->what < 3 ? agn_mesh_save(path[m->what], m->x, m->c, AGN_CELL_TRIANGLE,
                                                m->what == 2 ? m->d : NULL, NULL)
                                : agn_edge_list_save("t-m.txt", m->g, m->what == 4 ? m->x : NULL);
    if (!st)
        *out = agn_retain(m->c);
    return st;
}

int main(void)
{
    static const char *const made[] = {"off", "obj", "vtu", "edge list"};
    char folder[] = "t-geometric-files.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        bail_out("no folder");
    test_meshes();
    test_fields();
    test_edges();
    test_failures();
    saving m = {random_of(AGN_F32, 2, (int64_t[]){3, 2}, 0, 1),
                cells_of(AGN_I32, 1, 3, (int64_t[]){0, 1, 2}), NULL, NULL, 0};
    m.g = make_graph(2, (int64_t[]){0, 1}, (int64_t[]){1, 0}, 2, 2);
    must(agn_dict_new(&m.d));
    must(agn_dict_put(m.d, "x", m.x));
    for (; m.what < COUNT(made); m.what++)
        every_allocation(save, &m, made[m.what]);
    agn_dict_release(m.d);
    agn_graph_release(m.g);
    agn_release(m.x);
    agn_release(m.c);
    remove("t-m.off");
    remove("t-m.obj");
    remove("t-m.vtu");
    remove("t-m.txt");
    if (chdir("..") || rmdir(folder))
        diag("%s is left", folder);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
