/* graph/tiles/tile_text.h - tile programs as text. */
#ifndef AGNI_GRAPH_TILE_TEXT_H
#define AGNI_GRAPH_TILE_TEXT_H
#include "graph/tiles/tile.h"

#include "core/internal.h"

/* A line for each instruction of r, those of chains for each of their steps. */
void agni_tile_describe(const agni_region *r, agni_text *t);

#endif
