/* tensor/cuda/region.h - regions and graphs of plans, for the table of the back end
   (registry/cuda_backend.c). */
#ifndef AGNI_CUDA_REGION_H
#define AGNI_CUDA_REGION_H

#include <agnesi/backend.h>

agn_status agni_cu_compile_region(int32_t device, agn_region_text *r, void **region);
agn_status agni_cu_run_region(void *region, const agn_region_call *c);
void agni_cu_free_region(void *region);

agn_status agni_cu_begin_graph(int32_t device, void **stream);
agn_status agni_cu_end_graph(int32_t device, void **graph);
agn_status agni_cu_launch_graph(int32_t device, void *graph);
void agni_cu_free_graph(int32_t device, void *graph);

#endif
