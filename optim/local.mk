agninclude_HEADERS += include/agnesi/optim.h
agninclude_HEADERS += include/agnesi/optim_schedule.h

# optim
libagnesi_la_SOURCES += %D%/optim.h
libagnesi_la_SOURCES += %D%/minimiser.c
libagnesi_la_SOURCES += %D%/state.c
libagnesi_la_SOURCES += %D%/objective.c
libagnesi_la_SOURCES += %D%/packed_symmetric.c
libagnesi_la_SOURCES += %D%/line_search.c
libagnesi_la_SOURCES += %D%/options.c
libagnesi_la_SOURCES += %D%/rules.h
libagnesi_la_SOURCES += %D%/rules.def
libagnesi_la_SOURCES += %D%/rules_body.h
libagnesi_la_SOURCES += %D%/rules.c
LEVEL_SOURCES += %D%/cpu/rule_kernels.c
libagnesi_la_SOURCES += %D%/lbfgs.c
libagnesi_la_SOURCES += %D%/bfgs.c
libagnesi_la_SOURCES += %D%/iterate.c
libagnesi_la_SOURCES += %D%/minimise_function.c
libagnesi_la_SOURCES += %D%/traced_step.h
libagnesi_la_SOURCES += %D%/traced_step.c
libagnesi_la_SOURCES += %D%/traced_rule.c
libagnesi_la_SOURCES += %D%/sparse_gradient.c
libagnesi_la_SOURCES += %D%/clip.c
libagnesi_la_SOURCES += %D%/schedule.c
EXTRA_DIST += %D%/README.md
