# make bench [BENCH_ARGS='--json REGEX']: programs that measure, built only then. Add one with
#   EXTRA_PROGRAMS += %D%/agnesi-bench
#   BENCHES += %D%/agnesi-bench$(EXEEXT)
BENCHES =
.PHONY: bench
bench: $(BENCHES)
	@for b in $(BENCHES); do ./$$b $(BENCH_ARGS) || exit 1; done

# make bench-compare BASE=FOLDER [BENCH=REGEX] [ROUNDS=n]: this build beside that of another folder
.PHONY: bench-compare bench-count
ROUNDS = 7
bench-compare: %D%/agnesi-bench$(EXEEXT)
	@test -x '$(BASE)/%D%/agnesi-bench$(EXEEXT)' || { \
	  echo "BASE='$(BASE)' has no bench/agnesi-bench: make it there first"; exit 2; }
	@$(SHELL) $(srcdir)/%D%/compare.sh '$(BASE)/%D%/agnesi-bench$(EXEEXT)' \
	  ./%D%/agnesi-bench$(EXEEXT) '$(BENCH)' '$(ROUNDS)'

# make bench-count [BENCH='ID...']: instructions of a call, by callgrind
bench-count: %D%/agnesi-bench$(EXEEXT)
	@EXECUTE='$(LIBTOOL) --mode=execute' $(SHELL) $(srcdir)/%D%/count.sh ./%D%/agnesi-bench$(EXEEXT) $(BENCH)
EXTRA_DIST += %D%/compare.sh %D%/count.sh %D%/README.md %D%/roofline.py
EXTRA_DIST += %D%/peers/ahead.py %D%/peers/peer.py %D%/peers/pinn.py %D%/peers/steps.py %D%/peers/tensor.py \
	%D%/peers/optim.py %D%/peers/linalg-structured.py %D%/peers/geometric.py %D%/peers/posteriors.py
EXTRA_DIST += %D%/results/2026-11-21-cpu.md %D%/results/2026-11-22-cpu.md \
	%D%/results/2026-11-22-avx512.md %D%/results/2026-11-22-avx512.json \
	%D%/results/2026-11-28-cpu.md %D%/results/2026-11-28-cuda-kernels.md \
	%D%/results/2026-11-28-distribution.md \
	%D%/results/2026-11-28-fft.md %D%/results/2026-11-28-geometric.md \
	%D%/results/2026-11-28-linalg.md %D%/results/2026-11-28-steps.md \
	%D%/results/2026-11-28-plans.md %D%/results/2026-11-29-optim.md

# Speed of the CPU kernels alone: make bench/kernels && bench/kernels
EXTRA_PROGRAMS += %D%/kernels
bench_kernels_LDADD = $(INTERNAL)

# The workloads that are compared with other libraries: make bench BENCH_ARGS='--json pinn'
EXTRA_PROGRAMS += %D%/agnesi-bench
BENCHES += %D%/agnesi-bench$(EXEEXT)
bench_agnesi_bench_SOURCES = %D%/agnesi-bench.c %D%/bench.h %D%/measure.h %D%/measure.c \
	%D%/inputs.c %D%/pinn.h %D%/pinn.c %D%/operator.c %D%/steps.h %D%/steps.c \
	%D%/steps-networks.c %D%/steps-losses.c %D%/eager.c %D%/autograd.c \
	%D%/tensor.c \
	%D%/sparse.c %D%/matrices.h %D%/matrices.c %D%/sparse-products.c %D%/sparse-iterative.c \
	%D%/sparse-solvers.c %D%/sparse-structure.c %D%/optim.c %D%/linalg.h %D%/linalg.c \
	%D%/linalg-gradients.c %D%/geometric.c \
	%D%/geometric-blocks.c \
	%D%/sound.h %D%/fft.c %D%/audio.c %D%/distribution.c %D%/posteriors.c \
	%D%/task.h %D%/task.c %D%/adbench.c %D%/hand.c %D%/cost.c
bench_agnesi_bench_LDADD = %D%/libbyhand.la $(LDADD) -lm

# Derivatives that somebody wrote out, with the flags of the kernels.
EXTRA_LTLIBRARIES += %D%/libbyhand.la
bench_libbyhand_la_SOURCES = %D%/by-hand.h %D%/by-hand.c %D%/by-hand-tracking.c \
	%D%/by-hand-lstm.c %D%/by-hand-lstm.inc
bench_libbyhand_la_CFLAGS = $(AM_CFLAGS) $(AGN_LEVEL_OPT)
if X86_64
bench_libbyhand_la_CFLAGS += -mavx2 -mfma
endif
EXTRA_DIST += %D%/peers/hand.py

# The worst errors of functions against MPFR, in a table of the manual:
#   make bench/accuracy && bench/accuracy --rst ../doc/accuracy.rst
EXTRA_PROGRAMS += %D%/accuracy
bench_accuracy_SOURCES = tools/oracle.c %D%/accuracy.c %D%/accuracy.h %D%/accuracy-table.c %D%/accuracy-complex.c %D%/functions.c \
	%D%/functions.def %D%/references.h %D%/references.c %D%/references-gamma.c %D%/quick.c
bench_accuracy_LDADD = $(INTERNAL) -lmpfr -lgmp -lm

# What we add to SuiteSparse: make bench/direct && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 bench/direct
if HAVE_SUITESPARSE
EXTRA_PROGRAMS += %D%/direct
bench_direct_SOURCES = %D%/direct.c %D%/bench.h %D%/matrices.h %D%/matrices.c %D%/inputs.c
bench_direct_LDADD = $(LDADD) -lm
endif

# What we add to LAPACK: make bench/lapack && OPENBLAS_NUM_THREADS=1 bench/lapack
EXTRA_PROGRAMS += %D%/lapack
bench_lapack_SOURCES = %D%/lapack.c
bench_lapack_LDADD = $(LDADD) -lm

# Special functions against Arb, a part of FLINT since its version 3 (before it: ARB_LIBS="-lflint-arb -lflint -lgmp"):
#   make bench/accuracy-special && bench/accuracy-special --rst ../doc/accuracy_special.rst
ARB_LIBS = -lflint -lgmp
EXTRA_PROGRAMS += %D%/accuracy-special
bench_accuracy_special_SOURCES = %D%/accuracy-special.c %D%/special-functions.c %D%/special-functions.def \
	%D%/special-judge.h %D%/special-judge.c %D%/special-intervals.c \
	%D%/special-references.h %D%/references-bessel.c %D%/references-elliptic.c %D%/references-hypergeometric.c \
	%D%/references-integrals.c %D%/references-distribution.c %D%/references-noncentral.c %D%/references-waves.c \
	%D%/references-eigenvalues.h %D%/references-eigenvalues.c %D%/references-mathieu.c %D%/references-spheroidal.c \
	%D%/references-inverses.c %D%/special-table.h %D%/special-table.c %D%/special-families.h %D%/families.c %D%/families-bessel.c \
	%D%/families-distribution.c %D%/families-owen.c
bench_accuracy_special_CPPFLAGS = $(AM_CPPFLAGS) $(ARB_CPPFLAGS)
bench_accuracy_special_LDADD = $(LDADD) $(ARB_LIBS) -lm

# Derivatives of special functions by every mode against differences of Arb's values:
#   make bench/accuracy-derivatives && bench/accuracy-derivatives --seconds 10
EXTRA_PROGRAMS += %D%/accuracy-derivatives
bench_accuracy_derivatives_SOURCES = %D%/accuracy-derivatives.c %D%/special-functions.c %D%/special-functions.def \
	%D%/special-references.h %D%/references-bessel.c %D%/references-elliptic.c %D%/references-hypergeometric.c \
	%D%/references-integrals.c %D%/references-distribution.c %D%/references-noncentral.c \
	%D%/references-waves.c %D%/references-eigenvalues.h %D%/references-eigenvalues.c %D%/references-mathieu.c \
	%D%/references-spheroidal.c %D%/references-inverses.c
bench_accuracy_derivatives_CPPFLAGS = $(AM_CPPFLAGS) $(ARB_CPPFLAGS)
bench_accuracy_derivatives_LDADD = $(LDADD) $(ARB_LIBS) -lm
