#include "graph/region.h"
agn_status agni_cut_make(agni_cut **out, const agni_ir *ir, bool tiles)
{
    agni_cut *c = agni_zalloc(sizeof *c);
    c->mode = agni_zalloc((size_t)ir->n_node + 1);
    c->at = agni_zalloc(((size_t)ir->n_node + 1) * 4);
    (void)tiles;
    *out = c;
    return AGN_OK;
}
void agni_cut_free(agni_cut *c)
{
    if (!c)
        return;
    agni_free(c->mode);
    agni_free(c->at);
    agni_free(c);
}
agn_status agni_region_make(agni_region **out, agni_plan *p, const agni_cut *c, int group,
                            int level)
{
    (void)p, (void)c, (void)group, (void)level;
    *out = NULL;
    return AGN_OK;
}
void agni_region_free(agni_region *r)
{
    (void)r;
}
int64_t agni_region_tile_bytes(const agni_region *r)
{
    (void)r;
    return 0;
}
agn_status agni_region_run(const agni_region *r, const agni_plan *p, agni_workspace *w)
{
    (void)r, (void)p, (void)w;
    return AGN_OK;
}
void agni_region_describe(const agni_region *r, agni_text *t)
{
    (void)r, (void)t;
}
