agninclude_HEADERS += include/agnesi/autograd.h
agninclude_HEADERS += include/agnesi/check.h
agninclude_HEADERS += include/agnesi/control.h
agninclude_HEADERS += include/agnesi/implicit.h
agninclude_HEADERS += include/agnesi/operator.h
agninclude_HEADERS += include/agnesi/tape.h
# the four walks
libagnesi_la_SOURCES += %D%/sweep.h
libagnesi_la_SOURCES += %D%/walk.c
libagnesi_la_SOURCES += %D%/jvp.c
libagnesi_la_SOURCES += %D%/vjp.c
libagnesi_la_SOURCES += %D%/grading.h
libagnesi_la_SOURCES += %D%/grading.c
libagnesi_la_SOURCES += %D%/jet.c
# its word a thread lies beside that of graph/collapse.c so, not behind the pointer of batch.c
libagnesi_la_SOURCES += %D%/branch.c
libagnesi_la_SOURCES += %D%/batch.c
# functions of functions
libagnesi_la_SOURCES += %D%/transform.h
libagnesi_la_SOURCES += %D%/transform.c
libagnesi_la_SOURCES += %D%/gradient.c
libagnesi_la_SOURCES += %D%/stored.c
libagnesi_la_SOURCES += %D%/linear.c
libagnesi_la_SOURCES += %D%/transpose.c
libagnesi_la_SOURCES += %D%/work.c
libagnesi_la_SOURCES += %D%/jacobian.c
libagnesi_la_SOURCES += %D%/hessian.c
libagnesi_la_SOURCES += %D%/vmap.c
libagnesi_la_SOURCES += %D%/taylor.c
# functions defined by equations
libagnesi_la_SOURCES += %D%/implicit.h
libagnesi_la_SOURCES += %D%/lanes.c
libagnesi_la_SOURCES += %D%/dense.c
libagnesi_la_SOURCES += %D%/solve.c
libagnesi_la_SOURCES += %D%/parted.c
libagnesi_la_SOURCES += %D%/root.c
# differential operators
libagnesi_la_SOURCES += %D%/apolar.h
libagnesi_la_SOURCES += %D%/apolar.c
libagnesi_la_SOURCES += %D%/operator.h
libagnesi_la_SOURCES += %D%/operator.c
libagnesi_la_SOURCES += %D%/field.c
libagnesi_la_SOURCES += %D%/sampled.c %D%/sampled_terms.c
# the tape
libagnesi_la_SOURCES += %D%/tape.c
libagnesi_la_SOURCES += %D%/grads.c
libagnesi_la_SOURCES += %D%/hook.c
libagnesi_la_SOURCES += %D%/pack.c
# checking
libagnesi_la_SOURCES += %D%/check.c
libagnesi_la_SOURCES += %D%/nan.c
# control
libagnesi_la_SOURCES += %D%/call.h
libagnesi_la_SOURCES += %D%/call.c
libagnesi_la_SOURCES += %D%/checkpoint.c
libagnesi_la_SOURCES += %D%/custom.c
libagnesi_la_SOURCES += %D%/bodies.h
libagnesi_la_SOURCES += %D%/bodies.c
libagnesi_la_SOURCES += %D%/branch_rules.c
libagnesi_la_SOURCES += %D%/scan.h
libagnesi_la_SOURCES += %D%/scan.c
libagnesi_la_SOURCES += %D%/scan_rules.c
libagnesi_la_SOURCES += %D%/while_rules.c
libagnesi_la_SOURCES += %D%/back.h
libagnesi_la_SOURCES += %D%/scan_back.c %D%/scan_save.c
libagnesi_la_SOURCES += %D%/sums.h %D%/scan_sums.c
libagnesi_la_SOURCES += %D%/back_rules.c
libagnesi_la_SOURCES += %D%/loop.c
libagnesi_la_SOURCES += %D%/map.c
libagnesi_la_SOURCES += %D%/associative.c
libagnesi_la_SOURCES += %D%/scan_plan.c
libagnesi_la_SOURCES += %D%/scan_merge.c
# from outside
libagnesi_la_SOURCES += %D%/extern.c
EXTRA_DIST += %D%/README.md
