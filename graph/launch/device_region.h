/* graph/launch/device_region.h - regions of plans as parts of kernels of a device. */
#ifndef AGNI_DEVICE_REGION_H
#define AGNI_DEVICE_REGION_H

#include "graph/tiles/tile.h"

/* Does the device's back end compile regions? */
bool agni_device_has_regions(int32_t device);
/* rows of a tile and of a block, from the sizes of the region alone */
void agni_region_choose_blocks(agni_region *r, int32_t device);

#endif
