agninclude_HEADERS += include/agnesi/geometric.h
agninclude_HEADERS += include/agnesi/geometric_graph.h
agninclude_HEADERS += include/agnesi/geometric_sample.h
agninclude_HEADERS += include/agnesi/geometric_layers.h
agninclude_HEADERS += include/agnesi/geometric_segment.h
agninclude_HEADERS += include/agnesi/geometric_networks.h
agninclude_HEADERS += include/agnesi/geometric_points.h
agninclude_HEADERS += include/agnesi/geometric_transform.h
agninclude_HEADERS += include/agnesi/geometric_structure.h
agninclude_HEADERS += include/agnesi/geometric_pool.h
agninclude_HEADERS += include/agnesi/geometric_mesh.h

# geometric
libagnesi_la_SOURCES += %D%/message_passing.c
libagnesi_la_SOURCES += %D%/reindex.c
EXTRA_DIST += %D%/README.md

# geometric/graph
EXTRA_DIST += %D%/graph/README.md
libagnesi_la_SOURCES += %D%/graph/graph.h
libagnesi_la_SOURCES += %D%/graph/graph.c

# geometric/kernels
EXTRA_DIST += %D%/kernels/README.md
libagnesi_la_SOURCES += %D%/kernels/kernels.h
libagnesi_la_SOURCES += %D%/kernels/ops.c
libagnesi_la_SOURCES += %D%/kernels/rules.c
libagnesi_la_SOURCES += %D%/kernels/cpu/run_messages.c
libagnesi_la_SOURCES += %D%/kernels/cpu/message_rows.h
libagnesi_la_SOURCES += %D%/kernels/cpu/message_types.h
libagnesi_la_SOURCES += %D%/kernels/cpu/message_body.h
LEVEL_SOURCES += %D%/kernels/cpu/message_rows.c
libagnesi_la_SOURCES += %D%/kernels/attend.h
libagnesi_la_SOURCES += %D%/kernels/attend.c
libagnesi_la_SOURCES += %D%/kernels/attend_rules.c
libagnesi_la_SOURCES += %D%/kernels/attention_layer.c
libagnesi_la_SOURCES += %D%/kernels/cpu/run_attention.c
libagnesi_la_SOURCES += %D%/kernels/cpu/attend_rows.h
libagnesi_la_SOURCES += %D%/kernels/cpu/attend_body.h
LEVEL_SOURCES += %D%/kernels/cpu/attend_rows.c
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/kernels.h
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/graph_copy.c
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/messages.cu
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/parts.cuh
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/edge_softmax.cu
libagnesi_cuda_la_SOURCES += %D%/kernels/cuda/attention.cu

# geometric/message
EXTRA_DIST += %D%/message/README.md
libagnesi_la_SOURCES += %D%/message/message.h
libagnesi_la_SOURCES += %D%/message/gspmm.c

# geometric/blocks
EXTRA_DIST += %D%/blocks/README.md
libagnesi_la_SOURCES += %D%/blocks/edge_blocks.h
libagnesi_la_SOURCES += %D%/blocks/edge_blocks.c
libagnesi_la_SOURCES += %D%/blocks/run_blocks.c
libagnesi_la_SOURCES += %D%/blocks/reduce_blocks.c
libagnesi_la_SOURCES += %D%/blocks/reduce_blocks.h
libagnesi_la_SOURCES += %D%/blocks/cpu/block_rows.h
LEVEL_SOURCES += %D%/blocks/cpu/block_rows.c
libagnesi_la_SOURCES += %D%/blocks/block_rules.c
libagnesi_la_SOURCES += %D%/blocks/rowwise.c
libagnesi_la_SOURCES += %D%/blocks/messages.h
libagnesi_la_SOURCES += %D%/blocks/messages.c
libagnesi_la_SOURCES += %D%/blocks/attention.c

# geometric/segment
EXTRA_DIST += %D%/segment/README.md
libagnesi_la_SOURCES += %D%/segment/segment.h
libagnesi_la_SOURCES += %D%/segment/statistics.c
libagnesi_la_SOURCES += %D%/segment/product.c
libagnesi_la_SOURCES += %D%/segment/quantile.c
libagnesi_la_SOURCES += %D%/segment/normalize.c

# geometric/sample
EXTRA_DIST += %D%/sample/README.md
libagnesi_la_SOURCES += %D%/sample/sample.h
libagnesi_la_SOURCES += %D%/sample/draw.c
libagnesi_la_SOURCES += %D%/sample/neighbors.c
libagnesi_la_SOURCES += %D%/sample/walk.c
libagnesi_la_SOURCES += %D%/sample/temporal.c
libagnesi_la_SOURCES += %D%/sample/heter.c
libagnesi_la_SOURCES += %D%/sample/negative.c
libagnesi_la_SOURCES += %D%/sample/subset.c
libagnesi_la_SOURCES += %D%/sample/visits.c
libagnesi_la_SOURCES += %D%/sample/shared.c

# geometric/points
EXTRA_DIST += %D%/points/README.md
libagnesi_la_SOURCES += %D%/points/points.h
libagnesi_la_SOURCES += %D%/points/kd_tree.c
libagnesi_la_SOURCES += %D%/points/neighbours.c
libagnesi_la_SOURCES += %D%/points/periodic.c
libagnesi_la_SOURCES += %D%/points/farthest.c

# geometric/edit
EXTRA_DIST += %D%/edit/README.md
libagnesi_la_SOURCES += %D%/edit/edit.h
libagnesi_la_SOURCES += %D%/edit/union.c
libagnesi_la_SOURCES += %D%/edit/simplify.c
libagnesi_la_SOURCES += %D%/edit/choose.c
libagnesi_la_SOURCES += %D%/edit/paths.c

# geometric/layers
EXTRA_DIST += %D%/layers/README.md
libagnesi_la_SOURCES += %D%/layers/layers.h
libagnesi_la_SOURCES += %D%/layers/loops.c
libagnesi_la_SOURCES += %D%/layers/convolution.c
libagnesi_la_SOURCES += %D%/layers/modulation.c
libagnesi_la_SOURCES += %D%/layers/cells.h
libagnesi_la_SOURCES += %D%/layers/cells.c
libagnesi_la_SOURCES += %D%/layers/gated.c
libagnesi_la_SOURCES += %D%/layers/vector_attention.c
libagnesi_la_SOURCES += %D%/layers/heterogeneous.c
libagnesi_la_SOURCES += %D%/layers/attention.c
libagnesi_la_SOURCES += %D%/layers/spectral.c
libagnesi_la_SOURCES += %D%/layers/relations.c
libagnesi_la_SOURCES += %D%/layers/filters.c
libagnesi_la_SOURCES += %D%/layers/networks.c
libagnesi_la_SOURCES += %D%/layers/directions.c
libagnesi_la_SOURCES += %D%/layers/splines.c
libagnesi_la_SOURCES += %D%/layers/propagation.c
libagnesi_la_SOURCES += %D%/layers/triplets.c
libagnesi_la_SOURCES += %D%/layers/dimenet.c

# geometric/structure
EXTRA_DIST += %D%/structure/README.md
libagnesi_la_SOURCES += %D%/structure/structure.h
libagnesi_la_SOURCES += %D%/structure/adjacency.c
libagnesi_la_SOURCES += %D%/structure/cores.c
libagnesi_la_SOURCES += %D%/structure/encodings.c

# geometric/pool
EXTRA_DIST += %D%/pool/README.md
libagnesi_la_SOURCES += %D%/pool/topk.c
libagnesi_la_SOURCES += %D%/pool/readout.c
libagnesi_la_SOURCES += %D%/pool/recurrent.c
libagnesi_la_SOURCES += %D%/pool/dense.c
libagnesi_la_SOURCES += %D%/pool/assign.c
libagnesi_la_SOURCES += %D%/pool/partition.h
libagnesi_la_SOURCES += %D%/pool/clusters.c
libagnesi_la_SOURCES += %D%/pool/partition.c
if HAVE_METIS
libagnesi_la_SOURCES += %D%/pool/metis.c
else
libagnesi_la_SOURCES += %D%/pool/metis_absent.c
endif

# geometric/mesh
EXTRA_DIST += %D%/mesh/README.md
libagnesi_la_SOURCES += %D%/mesh/cells.c
libagnesi_la_SOURCES += %D%/mesh/sample.c
libagnesi_la_SOURCES += %D%/mesh/delaunay.h
libagnesi_la_SOURCES += %D%/mesh/triangulate.c
if HAVE_QHULL
libagnesi_la_SOURCES += %D%/mesh/qhull.c
else
libagnesi_la_SOURCES += %D%/mesh/qhull_absent.c
endif
