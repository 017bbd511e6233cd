agninclude_HEADERS += include/agnesi/autograd.h
agninclude_HEADERS += include/agnesi/check.h
agninclude_HEADERS += include/agnesi/control.h
agninclude_HEADERS += include/agnesi/implicit.h
agninclude_HEADERS += include/agnesi/operator.h
agninclude_HEADERS += include/agnesi/tape.h
# the four walks
libagnesi_la_SOURCES += autograd/modes/modes.h
libagnesi_la_SOURCES += autograd/modes/traversal.c
libagnesi_la_SOURCES += autograd/modes/jvp.c
libagnesi_la_SOURCES += autograd/modes/vjp.c
libagnesi_la_SOURCES += autograd/modes/grading.h
libagnesi_la_SOURCES += autograd/modes/grading.c
libagnesi_la_SOURCES += autograd/modes/jet.c
# its word a thread lies beside that of graph/passes/factor_sums.c so, not behind the pointer of batch.c
libagnesi_la_SOURCES += autograd/control/branch.c
libagnesi_la_SOURCES += autograd/modes/batching.c
# functions of functions
libagnesi_la_SOURCES += autograd/transforms/transform.h
libagnesi_la_SOURCES += autograd/transforms/transform.c
libagnesi_la_SOURCES += autograd/transforms/gradient.c
libagnesi_la_SOURCES += autograd/transforms/closed_program.c
libagnesi_la_SOURCES += autograd/transforms/linearize.c
libagnesi_la_SOURCES += autograd/transforms/linear_transpose.c
libagnesi_la_SOURCES += autograd/transforms/mode_choice.c
libagnesi_la_SOURCES += autograd/transforms/jacobian.c
libagnesi_la_SOURCES += autograd/transforms/hessian.c
libagnesi_la_SOURCES += autograd/transforms/vmap.c
libagnesi_la_SOURCES += autograd/transforms/jet_api.c
# functions defined by equations
libagnesi_la_SOURCES += autograd/implicit/implicit.h
libagnesi_la_SOURCES += autograd/transforms/callback_batching.c
libagnesi_la_SOURCES += autograd/implicit/dense_solve.c
libagnesi_la_SOURCES += autograd/implicit/linear_solve.c
libagnesi_la_SOURCES += autograd/implicit/partial_eval.c
libagnesi_la_SOURCES += autograd/implicit/root.c
# differential operators
libagnesi_la_SOURCES += autograd/operators/derivative_space.h
libagnesi_la_SOURCES += autograd/operators/derivative_space.c
libagnesi_la_SOURCES += autograd/operators/operator.h
libagnesi_la_SOURCES += autograd/operators/operator.c
libagnesi_la_SOURCES += autograd/operators/vector_field.c
libagnesi_la_SOURCES += autograd/operators/sampled_operator.c autograd/operators/sampled_terms.c
# the tape
libagnesi_la_SOURCES += autograd/tape/gradient.c
libagnesi_la_SOURCES += autograd/tape/accumulate.c
libagnesi_la_SOURCES += autograd/tape/hooks.c
libagnesi_la_SOURCES += autograd/tape/saved_tensor_hooks.c
# checking
libagnesi_la_SOURCES += autograd/transforms/check_grads.c
libagnesi_la_SOURCES += autograd/transforms/watch_nan.c
# control
libagnesi_la_SOURCES += autograd/control/call.h
libagnesi_la_SOURCES += autograd/control/call.c
libagnesi_la_SOURCES += autograd/control/checkpoint.c
libagnesi_la_SOURCES += autograd/control/custom_rules.c
libagnesi_la_SOURCES += autograd/control/subprograms.h
libagnesi_la_SOURCES += autograd/control/subprograms.c
libagnesi_la_SOURCES += autograd/control/branch_rules.c
libagnesi_la_SOURCES += autograd/loops/scan.h
libagnesi_la_SOURCES += autograd/loops/scan.c
libagnesi_la_SOURCES += autograd/loops/scan_rules.c
libagnesi_la_SOURCES += autograd/loops/while_rules.c
libagnesi_la_SOURCES += autograd/loops/reverse_scan.h
libagnesi_la_SOURCES += autograd/loops/checkpointed_reverse.c autograd/loops/residuals.c
libagnesi_la_SOURCES += autograd/loops/deferred_sums.h autograd/loops/deferred_sums.c
libagnesi_la_SOURCES += autograd/loops/reverse_scan_rules.c
libagnesi_la_SOURCES += autograd/loops/loop_api.c
libagnesi_la_SOURCES += autograd/loops/map.c
libagnesi_la_SOURCES += autograd/loops/associative_scan.c
libagnesi_la_SOURCES += autograd/loops/loop_plan.c
libagnesi_la_SOURCES += autograd/loops/merge_loops.c
# from outside
libagnesi_la_SOURCES += autograd/control/registered_op.c
EXTRA_DIST += %D%/README.md
