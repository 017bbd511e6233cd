# A test program is one line here, by default made from its namesake .c file.
LDADD = libagnesi.la $(AGN_LIBS)
noinst_HEADERS += %D%/tap.h %D%/laws.h %D%/modes.h %D%/t-linalg.h %D%/calls.h %D%/lapack-stops.h
noinst_HEADERS += %D%/fake-backend.h
noinst_HEADERS += %D%/comma.h %D%/ulps.h
noinst_HEADERS += %D%/nets.h

# A copy of the library whose hidden functions can be called, for white-box tests:
#   tests_t_x_LDADD = $(INTERNAL)
# Its debugging information, six sevenths of each program, stays in the objects: 3 GB of disk.
EXTRA_LTLIBRARIES += libagnesi-internal.la
libagnesi_internal_la_SOURCES = $(libagnesi_la_SOURCES)
nodist_libagnesi_internal_la_SOURCES = $(nodist_libagnesi_la_SOURCES)
libagnesi_internal_la_LIBADD = $(LEVEL_LIBS)
if HIDDEN
INTERNAL = libagnesi-internal.la $(AGN_LIBS) $(AGN_WITHOUT_DEBUG)
else
INTERNAL = libagnesi.la $(AGN_LIBS)
endif

# Programs for the thread sanitizer too, and those too slow for any sanitizer
THREAD_TESTS =
SLOW_TESTS =
QUICK_TESTS = $(filter-out $(SLOW_TESTS),$(check_PROGRAMS))

# ---- core ----
check_PROGRAMS += %D%/t-version
check_PROGRAMS += %D%/t-large-blocks
check_PROGRAMS += %D%/t-core
check_PROGRAMS += %D%/t-hash
check_PROGRAMS += %D%/t-pool
check_PROGRAMS += %D%/t-device
tests_t_core_LDADD = $(INTERNAL)
tests_t_large_blocks_LDADD = $(INTERNAL)
tests_t_hash_LDADD = $(INTERNAL)
tests_t_pool_LDADD = $(INTERNAL)
# a set-user-id program finds a library in no folder of a build
tests_t_device_LDADD = libagnesi-internal.la $(AGN_LIBS) $(AGN_WITHOUT_DEBUG)
EXTRA_DIST += %D%/ladder %D%/data/add-op/circular_difference.c
EXTRA_DIST += %D%/module.c
THREAD_TESTS += %D%/t-core
THREAD_TESTS += %D%/t-large-blocks
THREAD_TESTS += %D%/t-pool

# ---- tensor ----
check_PROGRAMS += %D%/t-vmath %D%/t-special-lanes
check_PROGRAMS += %D%/t-small
tests_t_vmath_LDADD = $(INTERNAL)
tests_t_special_lanes_LDADD = $(INTERNAL)
tests_t_small_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-print
tests_t_print_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-print.py %D%/data/print.expected \
	%D%/data/make-print-options.py %D%/data/print-options.expected
check_PROGRAMS += %D%/t-tensor
check_PROGRAMS += %D%/t-signature
check_PROGRAMS += %D%/t-dtype
check_PROGRAMS += %D%/t-narrow
check_PROGRAMS += %D%/t-index
check_PROGRAMS += %D%/t-pieces
check_PROGRAMS += %D%/t-into
check_PROGRAMS += %D%/t-into-refused
EXTRA_DIST += %D%/gen-into-calls.awk
tests_t_into_refused_SOURCES = %D%/t-into-refused.c
nodist_tests_t_into_refused_SOURCES = %D%/into-calls.inc
CLEANFILES += %D%/into-calls.inc
%D%/t-into-refused.$(OBJEXT): %D%/into-calls.inc
%D%/into-calls.inc: $(into_inputs) tools/prototypes.awk %D%/gen-into-calls.awk registry/local.mk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(top_srcdir)/tools/prototypes.awk -f $(top_srcdir)/tests/gen-into-calls.awk \
	  $(into_inputs) > $@.tmp && mv $@.tmp $@
check_PROGRAMS += %D%/t-lifetime
check_PROGRAMS += %D%/t-handles
check_PROGRAMS += %D%/t-interrupt
check_PROGRAMS += %D%/t-fork
# not under the thread sanitizer, whose own allocator (gcc 12) stays locked in one child of 1000
SLOW_TESTS += %D%/t-fork
check_PROGRAMS += %D%/t-stack
SLOW_TESTS += %D%/t-stack
check_PROGRAMS += %D%/t-indexing
check_PROGRAMS += %D%/t-movement
EXTRA_DIST += %D%/data/make-movement.py %D%/data/movement.inc
EXTRA_DIST += %D%/data/make-indexing.py %D%/data/indexing.bin
check_PROGRAMS += %D%/t-reduce
check_PROGRAMS += %D%/t-reduce-answers
check_PROGRAMS += %D%/t-reduce-errors
check_PROGRAMS += %D%/t-reduce-order
EXTRA_DIST += %D%/data/make-reduce.py
EXTRA_DIST += %D%/data/reduce.inc
check_PROGRAMS += %D%/t-compensated
check_PROGRAMS += %D%/t-product
check_PROGRAMS += %D%/t-gemm
check_PROGRAMS += %D%/t-contract
EXTRA_DIST += %D%/data/make-contract.py
EXTRA_DIST += %D%/data/contract.inc
check_PROGRAMS += %D%/t-conv
EXTRA_DIST += %D%/data/make-conv.py
EXTRA_DIST += %D%/data/conv.inc
check_PROGRAMS += %D%/t-random
check_PROGRAMS += %D%/t-random-edges
check_PROGRAMS += %D%/t-random-errors
check_PROGRAMS += %D%/t-random-law
check_PROGRAMS += %D%/t-law-pairs
EXTRA_DIST += %D%/data/make-law-pairs.py %D%/data/law-pairs.inc
EXTRA_DIST += %D%/data/make-cumulative.py %D%/data/cumulative.inc
EXTRA_DIST += %D%/data/make-optim-rules.py %D%/data/optim-rules.inc
EXTRA_DIST += %D%/data/make-optim-schedules.py %D%/data/optim-schedules.inc
EXTRA_DIST += %D%/data/make-mixture-quantiles.py %D%/data/mixture-quantiles.inc
check_PROGRAMS += %D%/t-categories
tests_t_categories_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-gamma-slope
tests_t_gamma_slope_LDADD = $(INTERNAL)
tests_t_log_density_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-gamma-slope.py %D%/data/gamma-slope.inc
check_PROGRAMS += %D%/t-random-path
check_PROGRAMS += %D%/t-quasi
EXTRA_DIST += %D%/data/make-quasi.py %D%/data/quasi.inc
check_PROGRAMS += %D%/t-accuracy
EXTRA_DIST += %D%/data/make-accuracy.py %D%/data/accuracy.inc
tests_t_random_law_LDADD = $(INTERNAL)
THREAD_TESTS += %D%/t-random-law
check_PROGRAMS += %D%/t-ew
check_PROGRAMS += %D%/t-edges
check_PROGRAMS += %D%/t-laws
tests_t_laws_SOURCES = %D%/t-laws.c tools/oracle.c
check_PROGRAMS += %D%/t-faults
check_PROGRAMS += %D%/t-errors
check_PROGRAMS += %D%/t-traps
check_PROGRAMS += %D%/t-big
check_PROGRAMS += %D%/t-big-ops
tests_t_big_ops_SOURCES = %D%/t-big-ops.c tools/arguments.c tools/bound.c tools/cases.c tools/cases-index.c \
	tools/cases-random.c tools/cases-product.c tools/cases-reduce.c tools/cases-sparse.c tools/cases-graph.c \
	tools/cases-control.c tools/cases-linalg.c tools/cases-special.h tools/cases-special.c \
	tools/cases-integrals.c tools/cases-waves.c tools/modules.c tools/oracle.c

# ---- graph, autograd ----
check_PROGRAMS += %D%/t-control
check_PROGRAMS += %D%/t-depth
check_PROGRAMS += %D%/t-while
check_PROGRAMS += %D%/t-loops
check_PROGRAMS += %D%/t-scan-sums
check_PROGRAMS += %D%/t-few
check_PROGRAMS += %D%/t-shared
check_PROGRAMS += %D%/t-switch
check_PROGRAMS += %D%/t-revolve
check_PROGRAMS += %D%/t-checkpoint
check_PROGRAMS += %D%/t-custom
check_PROGRAMS += %D%/t-nested
check_PROGRAMS += %D%/t-associative
check_PROGRAMS += %D%/t-parts
noinst_HEADERS += %D%/control.h %D%/counted.h
check_PROGRAMS += %D%/t-patience
check_PROGRAMS += %D%/t-deriv
check_PROGRAMS += %D%/t-kinks
check_PROGRAMS += %D%/t-corners
check_PROGRAMS += %D%/t-corner-programs
check_PROGRAMS += %D%/t-infinities
check_PROGRAMS += %D%/t-corner-borders
check_PROGRAMS += %D%/t-bounded
check_PROGRAMS += %D%/t-rows-apart
check_PROGRAMS += %D%/t-taylor
check_PROGRAMS += %D%/t-autodiff
check_PROGRAMS += %D%/t-check
check_PROGRAMS += %D%/t-grads
check_PROGRAMS += %D%/t-linearize
check_PROGRAMS += %D%/t-root
check_PROGRAMS += %D%/t-krylov
check_PROGRAMS += %D%/t-krylov-root
check_PROGRAMS += %D%/t-tape
check_PROGRAMS += %D%/t-nan
check_PROGRAMS += %D%/t-operator
check_PROGRAMS += %D%/t-vmap
check_PROGRAMS += %D%/t-ad-laws
check_PROGRAMS += %D%/t-ad-rest
check_PROGRAMS += %D%/t-poles
check_PROGRAMS += %D%/t-chain
check_PROGRAMS += %D%/t-third
check_PROGRAMS += %D%/t-written
check_PROGRAMS += %D%/t-judge
check_PROGRAMS += %D%/t-ad-errors
THREAD_TESTS += %D%/t-autodiff
tests_t_deriv_LDADD = $(INTERNAL)
tests_t_kinks_LDADD = $(INTERNAL)
tests_t_poles_LDADD = $(INTERNAL)
tests_t_third_LDADD = $(INTERNAL)
tests_t_bounded_LDADD = $(INTERNAL)
tests_t_taylor_LDADD = $(INTERNAL)
tests_t_judge_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/judge.py %D%/data/make-taylor.py %D%/data/taylor.inc
EXTRA_DIST += %D%/mutate.sh %D%/mutate.rules %D%/mutate.reasons
noinst_HEADERS += %D%/corners.h %D%/deriv.h %D%/trial.h
noinst_HEADERS += %D%/whole.h
check_PROGRAMS += %D%/t-plan
check_PROGRAMS += %D%/t-open
check_PROGRAMS += %D%/t-plans
check_PROGRAMS += %D%/t-scalar-loops
check_PROGRAMS += %D%/t-merge
check_PROGRAMS += %D%/t-hoist-scalars
check_PROGRAMS += %D%/t-contraction
check_PROGRAMS += %D%/t-symmetric-products
check_PROGRAMS += %D%/t-argsort
THREAD_TESTS += %D%/t-argsort
check_PROGRAMS += %D%/t-chains
check_PROGRAMS += %D%/t-first-order
check_PROGRAMS += %D%/t-verify-tiles
tests_t_verify_tiles_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-profile
check_PROGRAMS += %D%/t-programs
check_PROGRAMS += %D%/t-cancel
THREAD_TESTS += %D%/t-cancel
check_PROGRAMS += %D%/t-join
check_PROGRAMS += %D%/t-zeros
check_PROGRAMS += %D%/t-live-derivatives
check_PROGRAMS += %D%/t-extremes
check_PROGRAMS += %D%/t-simplify
check_PROGRAMS += %D%/t-collapse
check_PROGRAMS += %D%/t-plan-memory
tests_t_plan_LDADD = $(INTERNAL)
tests_t_simplify_LDADD = $(INTERNAL)
SLOW_TESTS += %D%/t-plan-memory
THREAD_TESTS += %D%/t-plan
THREAD_TESTS += %D%/t-plans
THREAD_TESTS += %D%/t-open
THREAD_TESTS += %D%/t-merge

# ---- random programs ----
check_PROGRAMS += %D%/t-program
tests_t_program_SOURCES = %D%/fuzz/program.c %D%/fuzz/program-draw.c %D%/fuzz/program-menu.c %D%/fuzz/program-sparse.c \
	%D%/fuzz/program-call.c %D%/fuzz/program-wide.c %D%/fuzz/program-loop.c %D%/fuzz/program-run.c %D%/fuzz/program-nest.c \
	%D%/fuzz/program-shrink.c
tests_t_program_LDADD = $(INTERNAL)
noinst_HEADERS += %D%/fuzz/program.h %D%/fuzz/draw.h
EXTRA_DIST += %D%/fuzz/judge-nest.py

# make check-programs [PROGRAMS_COUNT=n] [PROGRAMS_SEED=n] - random programs in every mode, of which
# make check runs a few; a tenth as many of many rows, with loops, and with the judge outside
PROGRAMS_COUNT = 100000
PROGRAMS_SEED = 1
.PHONY: check-programs
check-programs: tests/t-program$(EXEEXT)
	tests/t-program$(EXEEXT) --table $(PROGRAMS_COUNT) $(PROGRAMS_SEED)
	for kind in --wide --loops --judge; do \
	  top_srcdir='$(abs_top_srcdir)' PYTHON3='$(PYTHON3)' tests/t-program$(EXEEXT) $$kind \
	    `expr $(PROGRAMS_COUNT) / 10` $(PROGRAMS_SEED) || exit 1; done

# ---- modules ----
check_PROGRAMS += %D%/t-linalg
check_PROGRAMS += %D%/t-linalg-bands
check_PROGRAMS += %D%/t-linalg-hermitian-bands
check_PROGRAMS += %D%/t-linalg-faults
%D%/t-linalg-faults.$(OBJEXT): %D%/linalg-calls.inc %D%/linalg-errors.inc
%D%/linalg-calls.inc: include/agnesi/linalg.h tools/prototypes.awk %D%/calls.awk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v makers=1 -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tests/calls.awk $(top_srcdir)/include/agnesi/linalg.h > $@.tmp && mv $@.tmp $@
%D%/linalg-errors.inc: include/agnesi/linalg.h tools/prototypes.awk %D%/errors.awk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tests/errors.awk $(top_srcdir)/include/agnesi/linalg.h > $@.tmp && mv $@.tmp $@
CLEANFILES += %D%/linalg-calls.inc %D%/linalg-errors.inc
EXTRA_DIST += %D%/errors.awk
tests_t_linalg_bands_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-linalg-bases
check_PROGRAMS += %D%/t-linalg-complex-lanes
check_PROGRAMS += %D%/t-linalg-conquer
check_PROGRAMS += %D%/t-linalg-extremes
check_PROGRAMS += %D%/t-linalg-changes
check_PROGRAMS += %D%/t-linalg-eig
check_PROGRAMS += %D%/t-linalg-factors
check_PROGRAMS += %D%/t-linalg-functions
check_PROGRAMS += %D%/t-linalg-spectral
check_PROGRAMS += %D%/t-linalg-structured
check_PROGRAMS += %D%/t-linalg-large
check_PROGRAMS += %D%/t-linalg-lanes
check_PROGRAMS += %D%/t-linalg-matrix-functions
check_PROGRAMS += %D%/t-linalg-options
check_PROGRAMS += %D%/t-linalg-riccati
check_PROGRAMS += %D%/t-linalg-forms
check_PROGRAMS += %D%/t-linalg-guard
check_PROGRAMS += %D%/t-linalg-hostile
check_PROGRAMS += %D%/t-linalg-subspaces
check_PROGRAMS += %D%/t-linalg-random
check_PROGRAMS += %D%/t-linalg-pencils
tests_t_linalg_pencils_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-linalg-least-squares
check_PROGRAMS += %D%/t-linalg-funm
EXTRA_DIST += %D%/compare-linalg.py
EXTRA_DIST += %D%/compare-laws.py
EXTRA_DIST += %D%/data/make-pencils.py %D%/data/pencils.inc
check_PROGRAMS += %D%/t-geometric
check_PROGRAMS += %D%/t-geometric-reindex
check_PROGRAMS += %D%/t-geometric-pairs
check_PROGRAMS += %D%/t-geometric-sample
check_PROGRAMS += %D%/t-geometric-layers
check_PROGRAMS += %D%/t-geometric-segment
check_PROGRAMS += %D%/t-geometric-networks
check_PROGRAMS += %D%/t-geometric-points
check_PROGRAMS += %D%/t-geometric-structure
check_PROGRAMS += %D%/t-geometric-memory
SLOW_TESTS += %D%/t-geometric-memory
check_PROGRAMS += %D%/t-geometric-attention
check_PROGRAMS += %D%/t-geometric-blocks
check_PROGRAMS += %D%/t-geometric-captured
check_PROGRAMS += %D%/t-geometric-propagation
check_PROGRAMS += %D%/t-geometric-dimenet
check_PROGRAMS += %D%/t-geometric-types
check_PROGRAMS += %D%/t-geometric-recurrent
check_PROGRAMS += %D%/t-geometric-dense
check_PROGRAMS += %D%/t-geometric-limits
check_PROGRAMS += %D%/t-geometric-wide
THREAD_TESTS += %D%/t-geometric-attention %D%/t-geometric-blocks
check_PROGRAMS += %D%/t-geometric-pool
check_PROGRAMS += %D%/t-geometric-samplers
check_PROGRAMS += %D%/t-geometric-mesh
check_PROGRAMS += %D%/t-geometric-subgraphs
check_PROGRAMS += %D%/t-geometric-files
check_PROGRAMS += %D%/t-geometric-triangulate
check_PROGRAMS += %D%/t-geometric-space
check_PROGRAMS += %D%/t-geometric-graph
THREAD_TESTS += %D%/t-geometric-graph %D%/t-geometric-limits
check_PROGRAMS += %D%/t-optim
check_PROGRAMS += %D%/t-optim-best
check_PROGRAMS += %D%/t-optim-errors
check_PROGRAMS += %D%/t-optim-program
check_PROGRAMS += %D%/t-optim-rules
check_PROGRAMS += %D%/t-optim-schedule
THREAD_TESTS += %D%/t-optim
if HAVE_SNDFILE
check_PROGRAMS += %D%/t-sound
check_PROGRAMS += %D%/t-sound-set
check_PROGRAMS += %D%/t-sound-writer
check_PROGRAMS += %D%/t-sound-hostile
endif
if HAVE_FFTW
check_PROGRAMS += %D%/t-fft
check_PROGRAMS += %D%/t-fft-method
check_PROGRAMS += %D%/t-fft-convolve
check_PROGRAMS += %D%/t-fft-axes
check_PROGRAMS += %D%/t-fft-nonuniform
check_PROGRAMS += %D%/t-fft-wisdom
check_PROGRAMS += %D%/t-fft-long
tests_t_fft_wisdom_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-signal
tests_t_signal_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-signal.py %D%/data/signal.inc
check_PROGRAMS += %D%/t-signal-design
tests_t_signal_design_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-design.py %D%/data/design.inc
check_PROGRAMS += %D%/t-signal-rates
tests_t_signal_rates_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-multirate.py %D%/data/multirate.inc
check_PROGRAMS += %D%/t-signal-sections
tests_t_signal_sections_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-sections.py %D%/data/sections.inc
check_PROGRAMS += %D%/t-signal-analysis
tests_t_signal_analysis_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-permuted-plans
tests_t_permuted_plans_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-signal-mirrored
tests_t_signal_mirrored_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-mirrored.py %D%/data/mirrored.inc
check_PROGRAMS += %D%/t-audio-notes
tests_t_audio_notes_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-notes.py %D%/data/notes.inc
check_PROGRAMS += %D%/t-signal-odd
tests_t_signal_odd_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-audio-layers
tests_t_audio_layers_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-audio-likeness
tests_t_audio_likeness_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-likeness.py %D%/data/likeness.inc
check_PROGRAMS += %D%/t-signal-tolerances
tests_t_signal_tolerances_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-tolerances.py %D%/data/tolerances.inc
check_PROGRAMS += %D%/t-audio-structure
tests_t_audio_structure_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-analysis.py %D%/data/analysis.inc
EXTRA_DIST += %D%/data/make-structure.py %D%/data/structure.inc
check_PROGRAMS += %D%/t-signal-systems
tests_t_signal_systems_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-systems.py %D%/data/systems.inc
check_PROGRAMS += %D%/t-signal-wavelets
tests_t_signal_wavelets_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-wavelets.py %D%/data/wavelets.inc
check_PROGRAMS += %D%/t-audio-features
tests_t_audio_features_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-audio.py %D%/data/audio.inc
check_PROGRAMS += %D%/t-audio-music
tests_t_audio_music_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-music.py %D%/data/music.inc
check_PROGRAMS += %D%/t-audio-effects
tests_t_audio_effects_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-effects.py %D%/data/effects.inc
check_PROGRAMS += %D%/t-audio-speech
tests_t_audio_speech_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-speech.py %D%/data/speech.inc
check_PROGRAMS += %D%/t-audio-phase
tests_t_audio_phase_LDADD = $(INTERNAL)
EXTRA_DIST += %D%/data/make-sounds.py %D%/data/sounds.inc
tests_t_fft_axes_LDADD = $(INTERNAL)
tests_t_fft_nonuniform_LDADD = $(INTERNAL)
tests_t_fft_LDADD = $(INTERNAL)
tests_t_fft_convolve_LDADD = $(INTERNAL)
THREAD_TESTS += %D%/t-fft
THREAD_TESTS += %D%/t-gemm
THREAD_TESTS += %D%/t-pieces
check_PROGRAMS += %D%/t-audio
endif
check_PROGRAMS += %D%/t-partials
check_PROGRAMS += %D%/t-special
check_PROGRAMS += %D%/t-hypergeometric
check_PROGRAMS += %D%/t-bessel-integral
check_PROGRAMS += %D%/t-mathieu
check_PROGRAMS += %D%/t-waves
EXTRA_DIST += %D%/data/make-waves.py %D%/data/waves.inc
check_PROGRAMS += %D%/t-noncentral
EXTRA_DIST += %D%/data/make-mathieu.py %D%/data/mathieu.inc %D%/data/mathieu-modified.inc
EXTRA_DIST += %D%/data/make-bessel-integral.py %D%/data/bessel-integral.inc
EXTRA_DIST += %D%/data/make-noncentral.py %D%/data/noncentral.inc
check_PROGRAMS += %D%/t-special-worst
EXTRA_DIST += %D%/data/make-special-worst.py %D%/data/special-worst.inc
check_PROGRAMS += %D%/t-special-numbers
check_PROGRAMS += %D%/t-gauss-rules
EXTRA_DIST += %D%/data/make-gauss-rules.py %D%/data/gauss-rules.inc
EXTRA_DIST += %D%/data/make-special-numbers.py %D%/data/special-numbers.inc
check_PROGRAMS += %D%/t-parameters
check_PROGRAMS += %D%/t-integrals
check_PROGRAMS += %D%/t-distribution
check_PROGRAMS += %D%/t-log-density
check_PROGRAMS += %D%/t-laws-of-probability
check_PROGRAMS += %D%/t-score-function
check_PROGRAMS += %D%/t-transform
check_PROGRAMS += %D%/t-multivariate
check_PROGRAMS += %D%/t-vector-laws
check_PROGRAMS += %D%/t-laws-of-classes
EXTRA_DIST += %D%/data/make-laws-of-classes.py %D%/data/laws-of-classes.inc
check_PROGRAMS += %D%/t-compound-laws
check_PROGRAMS += %D%/t-series-laws
check_PROGRAMS += %D%/t-hidden-states
check_PROGRAMS += %D%/t-flows
check_PROGRAMS += %D%/t-one-hot
EXTRA_DIST += %D%/data/make-hidden-states.py %D%/data/hidden-states.inc
check_PROGRAMS += %D%/t-infer
check_PROGRAMS += %D%/t-infer-samplers
SLOW_TESTS += %D%/t-infer-samplers
check_PROGRAMS += %D%/t-infer-threads
check_PROGRAMS += %D%/t-infer-approximation
check_PROGRAMS += %D%/t-infer-check
check_PROGRAMS += %D%/t-infer-calibration
check_PROGRAMS += %D%/t-infer-memory
EXTRA_DIST += %D%/data/make-infer.py %D%/data/infer.inc
THREAD_TESTS += %D%/t-infer-threads
noinst_HEADERS += %D%/infer.h
noinst_HEADERS += %D%/geometric.h
noinst_HEADERS += %D%/geometric-calls.h
EXTRA_DIST += %D%/data/make-special.py %D%/data/special.inc
EXTRA_DIST += %D%/data/make-integrals.py %D%/data/integrals.inc
EXTRA_DIST += %D%/data/make-parameter-slopes.py %D%/data/parameter-slopes.inc
EXTRA_DIST += %D%/data/make-lerch.py %D%/data/lerch.inc
EXTRA_DIST += %D%/data/make-special-points.py %D%/data/hypergeometric.inc
EXTRA_DIST += %D%/data/make-dimenet.py %D%/data/dimenet.inc
EXTRA_DIST += %D%/data/make-univariate-laws.py %D%/data/univariate-laws.inc
EXTRA_DIST += %D%/data/make-stable.py %D%/data/stable.inc
EXTRA_DIST += %D%/data/make-laws.py %D%/data/laws-of-probability.inc
EXTRA_DIST += %D%/data/make-expectations.py %D%/data/expectations.inc
EXTRA_DIST += %D%/data/make-series-laws.py
EXTRA_DIST += %D%/data/make-vector-laws.py %D%/data/vector-laws.inc
check_PROGRAMS += %D%/t-nn
check_PROGRAMS += %D%/t-nn-ends
check_PROGRAMS += %D%/t-nn-errors
noinst_HEADERS += %D%/nn.h
EXTRA_DIST += %D%/data/make-nn.py
EXTRA_DIST += %D%/data/nn.inc
if HAVE_SUITESPARSE
check_PROGRAMS += %D%/t-sparse
check_PROGRAMS += %D%/t-eigen
check_PROGRAMS += %D%/t-eigen-block
check_PROGRAMS += %D%/t-pca
check_PROGRAMS += %D%/t-sparse-direct
check_PROGRAMS += %D%/t-sparse-memory
tests_t_sparse_memory_LDADD = $(LDADD) -lsuitesparseconfig
endif
check_PROGRAMS += %D%/t-sparse-products
check_PROGRAMS += %D%/t-sparse-graph
THREAD_TESTS += %D%/t-sparse-products
check_PROGRAMS += %D%/t-sparse-spgemm
THREAD_TESTS += %D%/t-sparse-spgemm
check_PROGRAMS += %D%/t-sparse-derivative
check_PROGRAMS += %D%/t-sparse-layout
check_PROGRAMS += %D%/t-sparse-edges
check_PROGRAMS += %D%/t-sparse-hostile
check_PROGRAMS += %D%/t-sparse-hard
SLOW_TESTS += %D%/t-sparse-hard
check_PROGRAMS += %D%/t-sparse-faults
tests_t_sparse_faults_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-sparse-semiring
check_PROGRAMS += %D%/t-sparse-rows
check_PROGRAMS += %D%/t-sparse-audit
check_PROGRAMS += %D%/t-sparse-chains
check_PROGRAMS += %D%/t-sparse-order
THREAD_TESTS += %D%/t-sparse-order
check_PROGRAMS += %D%/t-sparse-tape
EXTRA_DIST += %D%/data/make-sparse-layout.py %D%/data/sparse-layout.inc

# ---- exchange ----
check_PROGRAMS += %D%/t-npy
check_PROGRAMS += %D%/t-file-sync
check_PROGRAMS += %D%/t-files
check_PROGRAMS += %D%/t-npz
check_PROGRAMS += %D%/t-safetensors
check_PROGRAMS += %D%/t-mtx
check_PROGRAMS += %D%/t-harwell-boeing
check_PROGRAMS += %D%/t-map
check_PROGRAMS += %D%/t-dlpack
check_PROGRAMS += %D%/t-continue
check_PROGRAMS += %D%/t-saved
tests_t_npy_LDADD = $(INTERNAL)
tests_t_npz_LDADD = $(INTERNAL)
tests_t_safetensors_LDADD = $(INTERNAL)
tests_t_mtx_LDADD = $(INTERNAL)
tests_t_harwell_boeing_LDADD = $(INTERNAL)
tests_t_map_LDADD = $(INTERNAL)
tests_t_dlpack_LDADD = $(INTERNAL)
noinst_HEADERS += %D%/files.h %D%/values.h
THREAD_TESTS += %D%/t-dlpack
dist_check_SCRIPTS += %D%/t-exchange.py
dist_check_SCRIPTS += %D%/check-valgrind.sh
EXTRA_DIST += %D%/data/make-npy.py %D%/data/npy.expected %D%/data/make-exchange.py

# each fuzz target on its seeds, cut short and changed, without libFuzzer: findings become seeds
check_PROGRAMS += %D%/t-replay-npy
check_PROGRAMS += %D%/t-replay-npz
check_PROGRAMS += %D%/t-replay-safetensors
check_PROGRAMS += %D%/t-replay-mtx
check_PROGRAMS += %D%/t-replay-harwell-boeing
check_PROGRAMS += %D%/t-replay-api
check_PROGRAMS += %D%/t-replay-saved
tests_t_replay_npy_SOURCES = %D%/fuzz/replay.c %D%/fuzz/npy.c
tests_t_replay_npz_SOURCES = %D%/fuzz/replay.c %D%/fuzz/npz.c
tests_t_replay_safetensors_SOURCES = %D%/fuzz/replay.c %D%/fuzz/safetensors.c
tests_t_replay_mtx_SOURCES = %D%/fuzz/replay.c %D%/fuzz/mtx.c
tests_t_replay_harwell_boeing_SOURCES = %D%/fuzz/replay.c %D%/fuzz/harwell-boeing.c
tests_t_replay_api_SOURCES = %D%/fuzz/replay.c %D%/fuzz/api.c
tests_t_replay_saved_SOURCES = %D%/fuzz/replay.c %D%/fuzz/saved.c
tests_t_replay_npy_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"npy\"
tests_t_replay_npz_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"npz\"
tests_t_replay_safetensors_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"safetensors\"
tests_t_replay_mtx_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"mtx\"
tests_t_replay_harwell_boeing_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"harwell-boeing\"
tests_t_replay_api_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"api\"
tests_t_replay_saved_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"saved\"
tests_t_replay_npy_LDADD = $(INTERNAL)
tests_t_replay_npz_LDADD = $(INTERNAL)
tests_t_replay_safetensors_LDADD = $(INTERNAL)
tests_t_replay_mtx_LDADD = $(INTERNAL)
tests_t_replay_harwell_boeing_LDADD = $(INTERNAL)
tests_t_replay_api_LDADD = $(INTERNAL)
tests_t_replay_saved_LDADD = $(INTERNAL)
if HAVE_SNDFILE
check_PROGRAMS += %D%/t-replay-sound-wav
check_PROGRAMS += %D%/t-replay-sound-flac
check_PROGRAMS += %D%/t-replay-sound-ogg
check_PROGRAMS += %D%/t-replay-sound-mp3
check_PROGRAMS += %D%/t-replay-sound-aiff
check_PROGRAMS += %D%/t-replay-sound-caf
check_PROGRAMS += %D%/t-replay-sound-au
tests_t_replay_sound_wav_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-wav.c
tests_t_replay_sound_flac_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-flac.c
tests_t_replay_sound_ogg_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-ogg.c
tests_t_replay_sound_mp3_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-mp3.c
tests_t_replay_sound_aiff_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-aiff.c
tests_t_replay_sound_caf_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-caf.c
tests_t_replay_sound_au_SOURCES = %D%/fuzz/replay.c %D%/fuzz/sound-au.c
tests_t_replay_sound_wav_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-wav\"
tests_t_replay_sound_flac_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-flac\"
tests_t_replay_sound_ogg_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-ogg\"
tests_t_replay_sound_mp3_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-mp3\"
tests_t_replay_sound_aiff_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-aiff\"
tests_t_replay_sound_caf_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-caf\"
tests_t_replay_sound_au_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"sound-au\"
tests_t_replay_sound_wav_LDADD = $(INTERNAL)
tests_t_replay_sound_flac_LDADD = $(INTERNAL)
tests_t_replay_sound_ogg_LDADD = $(INTERNAL)
tests_t_replay_sound_mp3_LDADD = $(INTERNAL)
tests_t_replay_sound_aiff_LDADD = $(INTERNAL)
tests_t_replay_sound_caf_LDADD = $(INTERNAL)
tests_t_replay_sound_au_LDADD = $(INTERNAL)
endif
noinst_HEADERS += %D%/fuzz/reader.h %D%/fuzz/sound.h
check_PROGRAMS += %D%/t-replay-mesh
tests_t_replay_mesh_SOURCES = %D%/fuzz/replay.c %D%/fuzz/mesh.c
tests_t_replay_mesh_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"mesh\"
tests_t_replay_mesh_LDADD = $(INTERNAL)
check_PROGRAMS += %D%/t-replay-edge-list
tests_t_replay_edge_list_SOURCES = %D%/fuzz/replay.c %D%/fuzz/edge-list.c
tests_t_replay_edge_list_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_NAME=\"edge-list\"
tests_t_replay_edge_list_LDADD = $(INTERNAL)

# ---- examples ----
check_PROGRAMS += %D%/t-burgers-exact
tests_t_burgers_exact_SOURCES = %D%/t-burgers-exact.c examples/burgers_exact.c \
	examples/burgers_exact.h
check_PROGRAMS += %D%/t-burgers-tools
tests_t_burgers_tools_SOURCES = %D%/t-burgers-tools.c \
	examples/burgers_colour.c examples/burgers_colour.h \
	examples/burgers_ui.c examples/burgers_ui.h
EXTRA_DIST += %D%/data/burgers_exact.inc %D%/data/burgers_exact.py

# ---- devices ----
check_PROGRAMS += %D%/t-backend
check_PROGRAMS += %D%/t-backend-queue

# ---- CUDA: built everywhere, run where there is a device ----
check_PROGRAMS += %D%/t-cuda-load
check_PROGRAMS += %D%/t-cuda-device
check_PROGRAMS += %D%/t-cuda-rows
check_PROGRAMS += %D%/t-cuda-lanes
check_PROGRAMS += %D%/t-cuda-plans
check_PROGRAMS += %D%/t-cuda-loops
check_PROGRAMS += %D%/t-cuda-krylov
check_PROGRAMS += %D%/t-cuda-regions
check_PROGRAMS += %D%/t-cuda-cache
check_PROGRAMS += %D%/t-cuda-tensor
check_PROGRAMS += %D%/t-cuda-deriv
check_PROGRAMS += %D%/t-cuda-modules
check_PROGRAMS += %D%/t-cuda-graphs
check_PROGRAMS += %D%/t-cuda-calls
%D%/t-cuda-calls.$(OBJEXT): %D%/cuda-calls.inc
%D%/cuda-calls.inc: $(agninclude_HEADERS) tools/prototypes.awk %D%/calls.awk
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(top_srcdir)/tools/prototypes.awk \
	  -f $(top_srcdir)/tests/calls.awk $(ag_inputs) > $@.tmp && mv $@.tmp $@
CLEANFILES += %D%/cuda-calls.inc
EXTRA_DIST += %D%/calls.awk
noinst_HEADERS += %D%/cuda.h
noinst_HEADERS += %D%/recipes.h

# ---- hostile use ----
noinst_HEADERS += %D%/hostile.h
check_PROGRAMS += %D%/t-hostile
check_PROGRAMS += %D%/t-hostile-api

# ---- the house ----
dist_check_SCRIPTS += %D%/t-ffi.py %D%/check-add-op.sh
dist_check_SCRIPTS += %D%/check-layers.sh %D%/check-headers.sh %D%/check-symbols.sh \
	%D%/check-noabort.sh %D%/check-examples.sh %D%/check-ops.sh %D%/check-agnesi.sh \
	%D%/check-names.sh %D%/check-gen-ag.sh %D%/check-checks.sh %D%/check-manual.sh %D%/check-laws.sh \
	%D%/check-files.sh %D%/check-kernels.sh
EXTRA_DIST += %D%/data/linalg-names.txt %D%/data/geometric-names.txt %D%/data/signal-names.txt \
	%D%/data/special-names.txt %D%/data/distribution-names.txt
EXTRA_DIST += %D%/data/kernels.ptxas %D%/data/kernels.sass %D%/data/kernels.expected %D%/data/kernels.most tools/kernel-figures.awk
EXTRA_DIST += %D%/laws.rows %D%/tap.sh %D%/gen-ag.h %D%/gen-ag.expected %D%/summary.sh

# `make check` runs nothing if one program does not build; these two do what can be done
.PHONY: check-build check-run
check-build: $(check_PROGRAMS)
check-run: $(TEST_LOGS)

# `make check` fails before it could say this, so it is asked for afterwards; it succeeds,
# because make would print its own complaint below the closing line
.PHONY: summary
summary:
	@$(SHELL) $(top_srcdir)/tests/summary.sh $(TEST_LOGS:.log=) || :

# ---- the longer sweep: five times as many numbers, arrays beyond 2^31 elements, other seeds ----
LONG_SEEDS = 1
LONG_TESTS = %D%/t-core %D%/t-reduce %D%/t-zeros %D%/t-compensated %D%/t-big %D%/t-big-ops
SEED_TESTS = %D%/t-laws %D%/t-reduce %D%/t-compensated %D%/t-product %D%/t-contract %D%/t-conv %D%/t-index \
	%D%/t-indexing %D%/t-movement %D%/t-plan %D%/t-zeros %D%/t-narrow %D%/t-traps
.PHONY: check-long
check-long: check-programs
	AGNESI_TEST_LONG=1 AGNESI_TEST_LARGE=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(LONG_TESTS)'
	for seed in $(LONG_SEEDS); do \
	  AGNESI_TEST_SEED=$$seed $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(SEED_TESTS)' || exit 1; done
