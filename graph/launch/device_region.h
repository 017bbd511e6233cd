/* graph/launch/device_region.h - regions of plans as kernels of a device, made from their text. */
#ifndef AGNI_DEVICE_REGION_H
#define AGNI_DEVICE_REGION_H

#include "graph/tiles/tile.h"

/* Does the device's back end compile regions? */
bool agni_device_has_regions(int32_t device);
/* The kernel of a region whose instructions are sound; the memory it works in becomes part of the
   plan's arena. AGN_EUNSUPPORTED: it has none here. */
agn_status agni_region_compile(agni_region *r, agni_plan *p);
agn_status agni_region_launch(const agni_region *r, const agni_plan *p, agni_workspace *w);
void agni_region_free_compiled(agni_region *r);

#endif
