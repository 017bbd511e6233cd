agninclude_HEADERS += include/agnesi/graph.h

# graph
EXTRA_DIST += %D%/README.md

# graph/program
EXTRA_DIST += %D%/program/README.md
libagnesi_la_SOURCES += %D%/program/program.h
libagnesi_la_SOURCES += %D%/program/call_live.c
libagnesi_la_SOURCES += %D%/program/gather.c
libagnesi_la_SOURCES += %D%/program/program.c
libagnesi_la_SOURCES += %D%/program/print.c
libagnesi_la_SOURCES += %D%/program/trace.c

# graph/passes
EXTRA_DIST += %D%/passes/README.md
libagnesi_la_SOURCES += %D%/passes/ir.h
libagnesi_la_SOURCES += %D%/passes/builder.c
libagnesi_la_SOURCES += %D%/passes/cse.c
libagnesi_la_SOURCES += %D%/passes/constants.c
libagnesi_la_SOURCES += %D%/passes/source.h
libagnesi_la_SOURCES += %D%/passes/dead_code.c
libagnesi_la_SOURCES += %D%/passes/zero_signs.c
libagnesi_la_SOURCES += %D%/passes/merge_nodes.c
libagnesi_la_SOURCES += %D%/passes/rewrite.c
libagnesi_la_SOURCES += %D%/passes/linear_terms.h
libagnesi_la_SOURCES += %D%/passes/linear_terms.c
libagnesi_la_SOURCES += %D%/passes/factor_sums.c
libagnesi_la_SOURCES += %D%/passes/factor_sums_eager.c
libagnesi_la_SOURCES += %D%/passes/hoist_scalars.c
libagnesi_la_SOURCES += %D%/passes/nested_selects.c
libagnesi_la_SOURCES += %D%/passes/like_terms.c
libagnesi_la_SOURCES += %D%/passes/symmetric_products.c
libagnesi_la_SOURCES += %D%/passes/rules/rules.h
libagnesi_la_SOURCES += %D%/passes/rules/select.c
libagnesi_la_SOURCES += %D%/passes/rules/shared_gates.c %D%/passes/rules/simplify.c
libagnesi_la_SOURCES += %D%/passes/rules/views.c
libagnesi_la_SOURCES += %D%/passes/rules/concat.c
libagnesi_la_SOURCES += %D%/passes/rules/arithmetic.c
libagnesi_la_SOURCES += %D%/passes/rules/scatter_sum.c
libagnesi_la_SOURCES += %D%/passes/rules/matmul.c
libagnesi_la_SOURCES += %D%/passes/rules/contraction.c
libagnesi_la_SOURCES += %D%/passes/rules/matmul_sum.c
libagnesi_la_SOURCES += %D%/passes/rules/split_contraction.c
libagnesi_la_SOURCES += %D%/passes/rules/sum_factors.c
libagnesi_la_SOURCES += %D%/passes/rules/identity_matmul.c

# graph/shapes
EXTRA_DIST += %D%/shapes/README.md
libagnesi_la_SOURCES += %D%/shapes/fit.h
libagnesi_la_SOURCES += %D%/shapes/fit.c
libagnesi_la_SOURCES += %D%/shapes/specialise.h
libagnesi_la_SOURCES += %D%/shapes/specialise.c
libagnesi_la_SOURCES += %D%/shapes/diff.c
libagnesi_la_SOURCES += %D%/shapes/dynamic_shapes.h
libagnesi_la_SOURCES += %D%/shapes/dynamic_shapes.c

# graph/memory
EXTRA_DIST += %D%/memory/README.md
libagnesi_la_SOURCES += %D%/memory/clock.h
libagnesi_la_SOURCES += %D%/memory/plan.h
libagnesi_la_SOURCES += %D%/memory/buffers.c
libagnesi_la_SOURCES += %D%/memory/free_list.h
libagnesi_la_SOURCES += %D%/memory/free_list.c
libagnesi_la_SOURCES += %D%/memory/memory_plan.c
libagnesi_la_SOURCES += %D%/memory/text.c

# graph/tiles
EXTRA_DIST += %D%/tiles/README.md
libagnesi_la_SOURCES += %D%/tiles/tile.h
libagnesi_la_SOURCES += %D%/tiles/tile.c
libagnesi_la_SOURCES += %D%/tiles/verify_tiles.c
libagnesi_la_SOURCES += %D%/tiles/tile_buffers.c
libagnesi_la_SOURCES += %D%/tiles/coalesce_copies.c
libagnesi_la_SOURCES += %D%/tiles/peephole.c
libagnesi_la_SOURCES += %D%/tiles/rematerialise.c
libagnesi_la_SOURCES += %D%/tiles/fused_elementwise.h
libagnesi_la_SOURCES += %D%/tiles/fused_elementwise.c
libagnesi_la_SOURCES += %D%/tiles/fused_registers.c
libagnesi_la_SOURCES += %D%/tiles/fused_slots.c
libagnesi_la_SOURCES += %D%/tiles/transposing_loads.c
libagnesi_la_SOURCES += %D%/tiles/tile_kernels.h
libagnesi_la_SOURCES += %D%/tiles/tile_kernels.c
libagnesi_la_SOURCES += %D%/tiles/tile_access.c
libagnesi_la_SOURCES += %D%/tiles/tile_text.h
libagnesi_la_SOURCES += %D%/tiles/tile_text.c
libagnesi_la_SOURCES += %D%/tiles/execute_tiles.c

# graph/launch
EXTRA_DIST += %D%/launch/README.md
libagnesi_la_SOURCES += %D%/launch/device_region.h
libagnesi_la_SOURCES += %D%/launch/device_region.c
libagnesi_la_SOURCES += %D%/launch/region_text.h
libagnesi_la_SOURCES += %D%/launch/region_text.c
libagnesi_la_SOURCES += %D%/launch/row_hazards.c
libagnesi_la_SOURCES += %D%/launch/launch.h
libagnesi_la_SOURCES += %D%/launch/launch_text.c
libagnesi_la_SOURCES += %D%/launch/step_text.c
libagnesi_la_SOURCES += %D%/launch/cut.h
libagnesi_la_SOURCES += %D%/launch/cut_steps.c
libagnesi_la_SOURCES += %D%/launch/join_steps.c

# graph/fusion
EXTRA_DIST += %D%/fusion/README.md
libagnesi_la_SOURCES += %D%/fusion/partition.h
libagnesi_la_SOURCES += %D%/fusion/partition.c
libagnesi_la_SOURCES += %D%/fusion/tile_forms.h
libagnesi_la_SOURCES += %D%/fusion/tile_forms.c
libagnesi_la_SOURCES += %D%/fusion/keep_values.c
libagnesi_la_SOURCES += %D%/fusion/block_layout.c
libagnesi_la_SOURCES += %D%/fusion/lower.h
libagnesi_la_SOURCES += %D%/fusion/lower_operand.c
libagnesi_la_SOURCES += %D%/fusion/lower.c
libagnesi_la_SOURCES += %D%/fusion/build_region.c
libagnesi_la_SOURCES += %D%/fusion/schedule.c
libagnesi_la_SOURCES += %D%/fusion/coalesce_axes.c
libagnesi_la_SOURCES += %D%/fusion/concat_in_place.c

# graph/plan
EXTRA_DIST += %D%/plan/README.md
libagnesi_la_SOURCES += %D%/plan/planner.c
libagnesi_la_SOURCES += %D%/plan/whole_steps.h
libagnesi_la_SOURCES += %D%/plan/whole_steps.c
libagnesi_la_SOURCES += %D%/plan/execute.c
libagnesi_la_SOURCES += %D%/plan/device_loop.h
libagnesi_la_SOURCES += %D%/plan/device_loop.c
libagnesi_la_SOURCES += %D%/plan/replay.h
libagnesi_la_SOURCES += %D%/plan/replay.c
libagnesi_la_SOURCES += %D%/plan/plan_cache.h
libagnesi_la_SOURCES += %D%/plan/plan_cache.c
libagnesi_la_SOURCES += %D%/plan/compile.h
libagnesi_la_SOURCES += %D%/plan/compile.c
libagnesi_la_SOURCES += %D%/plan/cost.h
libagnesi_la_SOURCES += %D%/plan/cost.c
libagnesi_la_SOURCES += %D%/plan/explain.c
libagnesi_la_SOURCES += %D%/plan/profile.h
libagnesi_la_SOURCES += %D%/plan/profile.c
libagnesi_la_SOURCES += %D%/plan/scalar_loops.h
libagnesi_la_SOURCES += %D%/plan/scalar_loops.c
libagnesi_la_SOURCES += %D%/plan/run_scalar_loops.c
libagnesi_la_SOURCES += %D%/plan/launch_fusion.h
libagnesi_la_SOURCES += %D%/plan/launch_fusion.c
