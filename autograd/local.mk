agninclude_HEADERS += include/agnesi/autograd.h
agninclude_HEADERS += include/agnesi/check.h
agninclude_HEADERS += include/agnesi/control.h
agninclude_HEADERS += include/agnesi/implicit.h
agninclude_HEADERS += include/agnesi/operator.h
agninclude_HEADERS += include/agnesi/tape.h

# autograd
EXTRA_DIST += %D%/README.md

# autograd/control
EXTRA_DIST += %D%/control/README.md
libagnesi_la_SOURCES += %D%/control/branch.c
libagnesi_la_SOURCES += %D%/control/call.h
libagnesi_la_SOURCES += %D%/control/call.c
libagnesi_la_SOURCES += %D%/control/checkpoint.c
libagnesi_la_SOURCES += %D%/control/custom_rules.c
libagnesi_la_SOURCES += %D%/control/subprograms.h
libagnesi_la_SOURCES += %D%/control/subprograms.c
libagnesi_la_SOURCES += %D%/control/branch_rules.c
libagnesi_la_SOURCES += %D%/control/registered_op.c

# autograd/modes
EXTRA_DIST += %D%/modes/README.md
libagnesi_la_SOURCES += %D%/modes/modes.h
libagnesi_la_SOURCES += %D%/modes/traversal.c
libagnesi_la_SOURCES += %D%/modes/zeros.h
libagnesi_la_SOURCES += %D%/modes/zeros.c
libagnesi_la_SOURCES += %D%/modes/roots.c
libagnesi_la_SOURCES += %D%/modes/jvp.c
libagnesi_la_SOURCES += %D%/modes/vjp.c
libagnesi_la_SOURCES += %D%/modes/linearity.h
libagnesi_la_SOURCES += %D%/modes/linearity.c
libagnesi_la_SOURCES += %D%/modes/grading.h
libagnesi_la_SOURCES += %D%/modes/grading.c
libagnesi_la_SOURCES += %D%/modes/jet.h
libagnesi_la_SOURCES += %D%/modes/jet.c
libagnesi_la_SOURCES += %D%/modes/jet_series.c
libagnesi_la_SOURCES += %D%/modes/jet_rules.c
libagnesi_la_SOURCES += %D%/modes/batching.c

# autograd/transforms
EXTRA_DIST += %D%/transforms/README.md
libagnesi_la_SOURCES += %D%/transforms/transform.h
libagnesi_la_SOURCES += %D%/transforms/transform.c
libagnesi_la_SOURCES += %D%/transforms/gradient.c
libagnesi_la_SOURCES += %D%/transforms/closed_program.c
libagnesi_la_SOURCES += %D%/transforms/linearize.c
libagnesi_la_SOURCES += %D%/transforms/curvature.c
libagnesi_la_SOURCES += %D%/transforms/linear_transpose.c
libagnesi_la_SOURCES += %D%/transforms/mode_choice.c
libagnesi_la_SOURCES += %D%/transforms/diagonal_seeds.h
libagnesi_la_SOURCES += %D%/transforms/diagonal_seeds.c
libagnesi_la_SOURCES += %D%/transforms/jacobian.c
libagnesi_la_SOURCES += %D%/transforms/hessian.c
libagnesi_la_SOURCES += %D%/transforms/vmap.c
libagnesi_la_SOURCES += %D%/transforms/jet_api.c
libagnesi_la_SOURCES += %D%/transforms/callback_batching.c
libagnesi_la_SOURCES += %D%/transforms/check_grads.c
libagnesi_la_SOURCES += %D%/transforms/watch_nan.c

# autograd/loops
EXTRA_DIST += %D%/loops/README.md
libagnesi_la_SOURCES += %D%/loops/scan.h
libagnesi_la_SOURCES += %D%/loops/scan.c
libagnesi_la_SOURCES += %D%/loops/scan_rules.c
libagnesi_la_SOURCES += %D%/loops/loop_bodies.c
libagnesi_la_SOURCES += %D%/loops/while_rules.c
libagnesi_la_SOURCES += %D%/loops/loop_api.c
libagnesi_la_SOURCES += %D%/loops/map.c
libagnesi_la_SOURCES += %D%/loops/associative_scan.c
libagnesi_la_SOURCES += %D%/loops/loop_plan.c
libagnesi_la_SOURCES += %D%/loops/merge_loops.c

# autograd/loops/reverse
EXTRA_DIST += %D%/loops/reverse/README.md
libagnesi_la_SOURCES += %D%/loops/reverse/reverse_scan.h
libagnesi_la_SOURCES += %D%/loops/reverse/checkpointed_reverse.c
libagnesi_la_SOURCES += %D%/loops/reverse/revolve_schedule.c
libagnesi_la_SOURCES += %D%/loops/reverse/residuals.h
libagnesi_la_SOURCES += %D%/loops/reverse/residuals.c
libagnesi_la_SOURCES += %D%/loops/reverse/reverse_step.c
libagnesi_la_SOURCES += %D%/loops/reverse/deferred_sums.h
libagnesi_la_SOURCES += %D%/loops/reverse/deferred_sums.c
libagnesi_la_SOURCES += %D%/loops/reverse/reverse_scan_rules.c

# autograd/implicit
EXTRA_DIST += %D%/implicit/README.md
libagnesi_la_SOURCES += %D%/implicit/implicit.h
libagnesi_la_SOURCES += %D%/implicit/dense_solve.c
libagnesi_la_SOURCES += %D%/implicit/linear_solve.c
libagnesi_la_SOURCES += %D%/implicit/partial_eval.c
libagnesi_la_SOURCES += %D%/implicit/root.c

# autograd/operators
EXTRA_DIST += %D%/operators/README.md
libagnesi_la_SOURCES += %D%/operators/derivative_space.h
libagnesi_la_SOURCES += %D%/operators/derivative_space.c
libagnesi_la_SOURCES += %D%/operators/operator.h
libagnesi_la_SOURCES += %D%/operators/operator.c
libagnesi_la_SOURCES += %D%/operators/first_order.c
libagnesi_la_SOURCES += %D%/operators/vector_field.c
libagnesi_la_SOURCES += %D%/operators/sampled_operator.c
libagnesi_la_SOURCES += %D%/operators/sampled_terms.c

# autograd/tape
EXTRA_DIST += %D%/tape/README.md
libagnesi_la_SOURCES += %D%/tape/gradient.c
libagnesi_la_SOURCES += %D%/tape/accumulate.c
libagnesi_la_SOURCES += %D%/tape/hooks.c
libagnesi_la_SOURCES += %D%/tape/saved_tensor_hooks.c
