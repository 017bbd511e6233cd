agninclude_HEADERS += include/agnesi/graph.h
libagnesi_la_SOURCES += graph/program/program.h graph/program/program.c graph/program/print.c graph/program/trace.c graph/passes/ir.h graph/passes/builder.c graph/passes/rewrite.c \
	graph/passes/linear_terms.h graph/passes/linear_terms.c graph/passes/factor_sums.c graph/passes/factor_sums_eager.c \
	graph/passes/simplify.c graph/passes/simplify_scatter_sum.c graph/passes/simplify_matmul_sum.c graph/passes/simplify_identity_matmul.c graph/memory/plan.h graph/plan/planner.c graph/memory/free_list.h graph/memory/free_list.c graph/memory/memory_plan.c graph/plan/execute.c \
	graph/fusion/partition.h graph/fusion/partition.c graph/fusion/tile.h graph/fusion/lower.h \
	graph/fusion/lower_operand.c graph/fusion/lower.c graph/fusion/build_region.c graph/fusion/peephole.c graph/fusion/rematerialise.c graph/fusion/fused_elementwise.c graph/fusion/transposing_loads.c graph/fusion/execute_tiles.c graph/plan/plan_cache.h graph/plan/plan_cache.c \
	graph/memory/concat_in_place.c graph/fusion/coalesce_axes.c graph/shapes/fit.h graph/shapes/fit.c graph/shapes/specialise.h graph/shapes/specialise.c graph/shapes/diff.c graph/shapes/dynamic_shapes.h graph/shapes/dynamic_shapes.c graph/plan/compile.h graph/plan/compile.c graph/plan/cost.h graph/plan/cost.c graph/plan/explain.c \
	graph/plan/profile.h graph/plan/profile.c graph/plan/scalar_loops.h graph/plan/scalar_loops.c
EXTRA_DIST += %D%/README.md
