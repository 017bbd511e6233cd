/* graph/launch/region_text.h - text of a region's functions, and the hazards between its rows. */
#ifndef AGNI_REGION_TEXT_H
#define AGNI_REGION_TEXT_H

#include "graph/launch/launch.h"

/* A value of the tile has rows; unit u of an instruction makes some of them and is run by warp u
   mod warps. */
typedef void agni_visit_row(void *user, int32_t row, int32_t unit, bool writes);
enum { AGNI_ALL_UNITS = -1, AGNI_PRODUCT_ROWS = 4 }; /* rows of a product that one unit makes */
/* each row that q reads or writes, by its place in the tile */
void agni_region_visit_rows(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                            void *user);
/* Is unit u of q about row u alone, on the same lane? */
bool agni_region_is_by_rows(const agni_tile_instr *q, int32_t lanes);

/* Who met each row since the last barrier, or in a loop: a number, nobody or several. */
typedef struct agni_row_hazards {
    int32_t n, modulo; /* units count modulo that; 0: as they are */
    int32_t *wrote, *read;
} agni_row_hazards;
bool agni_row_hazards_make(agni_row_hazards *h, int32_t rows, int32_t modulo);
void agni_row_hazards_free(agni_row_hazards *h);
void agni_row_hazards_clear(agni_row_hazards *h);
bool agni_row_hazards_meet(const agni_row_hazards *h, const agni_region *r,
                           const agni_tile_instr *q);
void agni_row_hazards_add(agni_row_hazards *h, const agni_region *r, const agni_tile_instr *q);

/* appends run, and finish where it sums over its batch, as functions of member `at` of a launch;
   AGN_EUNSUPPORTED names what has no text */
agn_status agni_region_write_text(const agni_region *r, const agni_launch_member *at,
                                  agni_text *t, bool *bare);

#endif
