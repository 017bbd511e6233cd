# The one place that sees all modules.
libagnesi_la_SOURCES += %D%/op_table.c
libagnesi_la_SOURCES += %D%/solver_table.c
libagnesi_la_SOURCES += %D%/loop_table.c
libagnesi_la_SOURCES += %D%/host_runs.c
libagnesi_la_SOURCES += %D%/ops.def
libagnesi_la_SOURCES += %D%/op_declarations.h
LEVEL_SOURCES += %D%/cpu_kernels.c
libagnesi_cuda_la_SOURCES += %D%/cuda_backend.c

# the _into forms of what the headers of into_inputs declare
into_inputs = $(into_headers:%=$(top_srcdir)/include/agnesi/%.h)
into_headers = elementwise create shape rearrange indexing reduce scan order statistics \
	calculus distance product random fft linalg
into_scripts = tools/prototypes.awk tools/gen-into.awk
nodist_agninclude_HEADERS += include/agnesi/into.h
nodist_libagnesi_la_SOURCES = %D%/into.c
BUILT_SOURCES += include/agnesi/into.h %D%/into.c
CLEANFILES += include/agnesi/into.h %D%/into.c
EXTRA_DIST += tools/gen-into.awk
include/agnesi/into.h: $(into_inputs) $(into_scripts) registry/local.mk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v what=header -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tools/gen-into.awk $(into_inputs) > $@.tmp && mv $@.tmp $@
%D%/into.c: $(into_inputs) $(into_scripts) registry/local.mk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v what=source -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tools/gen-into.awk $(into_inputs) > $@.tmp && mv $@.tmp $@
EXTRA_DIST += %D%/README.md
