# Each module names its own public header; here the umbrella and the generated layer.
agninclude_HEADERS += %D%/agnesi/agnesi.h
ag_inputs = $(agninclude_HEADERS:%=$(top_srcdir)/%)

BUILT_SOURCES += %D%/agnesi/ag.h
CLEANFILES += %D%/agnesi/ag.h
%D%/agnesi/ag.h: $(agninclude_HEADERS) tools/prototypes.awk tools/gen-ag.awk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tools/gen-ag.awk $(ag_inputs) > $@.tmp && mv $@.tmp $@

# automake makes BUILT_SOURCES first for `all` and `check`; any other goal begins with them, too
$(foreach v,$(filter %_OBJECTS,$(.VARIABLES)),$($(v))): | $(BUILT_SOURCES)
