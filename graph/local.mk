agninclude_HEADERS += include/agnesi/graph.h
libagnesi_la_SOURCES += %D%/prog.h %D%/prog.c %D%/text.c %D%/fn.c %D%/ir.h %D%/ir.c %D%/copy.c \
	%D%/terms.h %D%/terms.c %D%/collapse.c %D%/collapse_call.c \
	%D%/simplify.c %D%/beside.c %D%/products.c %D%/unit.c %D%/plan.h %D%/plan.c %D%/gaps.h %D%/gaps.c %D%/arena.c %D%/run.c \
	%D%/region.h %D%/region.c %D%/tile.h %D%/lower.h \
	%D%/operand.c %D%/lower.c %D%/layout.c %D%/fuse.c %D%/again.c %D%/chain.c %D%/spots.c %D%/tile.c %D%/plans.h %D%/plans.c \
	%D%/join.c %D%/merge.c %D%/form.h %D%/form.c %D%/family.h %D%/family.c %D%/differ.c %D%/open.h %D%/open.c %D%/compile.h %D%/compile.c %D%/cost.h %D%/cost.c %D%/explain.c \
	%D%/profile.h %D%/profile.c %D%/few.h %D%/few.c
EXTRA_DIST += %D%/README.md
