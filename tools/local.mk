EXTRA_DIST += %D%/prototypes.awk %D%/gen-ag.awk %D%/subbuild.sh %D%/coverage.sh
bin_PROGRAMS += %D%/agnesi
tools_agnesi_SOURCES =
tools_agnesi_SOURCES += %D%/tool.h
tools_agnesi_SOURCES += %D%/agnesi.c
tools_agnesi_SOURCES += %D%/info.c
tools_agnesi_SOURCES += %D%/ops.c
tools_agnesi_SOURCES += %D%/verify.h
tools_agnesi_SOURCES += %D%/verify.c
tools_agnesi_SOURCES += %D%/ask.h
tools_agnesi_SOURCES += %D%/arguments.c
tools_agnesi_SOURCES += %D%/bound.c
tools_agnesi_SOURCES += %D%/measure.c
tools_agnesi_SOURCES += %D%/slopes.c
tools_agnesi_SOURCES += %D%/frozen.c
tools_agnesi_SOURCES += %D%/program.c
tools_agnesi_SOURCES += %D%/orders.c
tools_agnesi_SOURCES += %D%/cases.h
tools_agnesi_SOURCES += %D%/cases.c
tools_agnesi_SOURCES += %D%/cases-index.c
tools_agnesi_SOURCES += %D%/cases-random.c
tools_agnesi_SOURCES += %D%/cases-product.c
tools_agnesi_SOURCES += %D%/cases-reduce.c
tools_agnesi_SOURCES += %D%/cases-sparse.c
tools_agnesi_SOURCES += %D%/cases-graph.c
tools_agnesi_SOURCES += %D%/cases-control.c
tools_agnesi_SOURCES += %D%/cases-linalg.c
tools_agnesi_SOURCES += %D%/cases-special.h
tools_agnesi_SOURCES += %D%/cases-special.c
tools_agnesi_SOURCES += %D%/cases-integrals.c
tools_agnesi_SOURCES += %D%/cases-waves.c
tools_agnesi_SOURCES += %D%/modules.c
tools_agnesi_SOURCES += %D%/oracle.h
tools_agnesi_SOURCES += %D%/oracle.c
tools_agnesi_SOURCES += %D%/oracle.def
tools_agnesi_LDADD = libagnesi.la $(AGN_LIBS)

# ---- second builds, each in a folder of its own below this one ----
SUBBUILD = $(SHELL) $(top_srcdir)/tools/subbuild.sh $(abs_top_srcdir)
SUBBUILDS = sub-address sub-thread sub-coverage sub-fuzz sub-arm64 sub-avx512

# GCC and clang name the programs alike; the environment is each sanitizer's own
ASAN_ENV = AGNESI_TEST_QUICK=1 UBSAN_OPTIONS=print_stacktrace=1 \
	LSAN_OPTIONS=suppressions=$(abs_top_srcdir)/tests/lsan.supp:print_suppressions=0
TSAN_ENV = AGNESI_TEST_QUICK=1 OPENBLAS_NUM_THREADS=1 \
	TSAN_OPTIONS=suppressions=$(abs_top_srcdir)/tests/tsan.supp:halt_on_error=1
EXTRA_DIST += tests/lsan.supp tests/tsan.supp

.PHONY: check-address check-thread check-sanitizers
# Lines are what reports name: -g1. Leaks are looked for by tracing the process, which not every container allows.
check-address:
	@$(SUBBUILD) sub-address --enable-sanitizers --with-cuda=no CC='$(CC)' CFLAGS=-g1
	@cd sub-address && echo 'int main(void) { return 0; }' > leaks.c && \
	$(CC) -fsanitize=address leaks.c -o leaks && { ./leaks 2>/dev/null || \
	  { echo "NOTE: leaks cannot be looked for on this system"; no_leaks=detect_leaks=0; }; }; \
	$(MAKE) -k check TESTS='$(QUICK_TESTS)' check_PROGRAMS='$(QUICK_TESTS)' \
	  noinst_PROGRAMS= bin_PROGRAMS= \
	  TESTS_ENVIRONMENT="$(ASAN_ENV) ASAN_OPTIONS=allocator_may_return_null=1:$$no_leaks"; s=$$?; \
	$(MAKE) -s --no-print-directory summary TESTS='$(QUICK_TESTS)'; exit $$s

# threads meet in the same places at every level of the CPU
check-thread:
	@$(SUBBUILD) sub-thread --enable-sanitizers=thread --with-cuda=no --disable-levels CC='$(CC)' CFLAGS=-g1
	@$(MAKE) -C sub-thread -k check TESTS='$(THREAD_TESTS)' check_PROGRAMS='$(THREAD_TESTS)' \
	  noinst_PROGRAMS= bin_PROGRAMS= TESTS_ENVIRONMENT='$(TSAN_ENV)'; s=$$?; \
	$(MAKE) -C sub-thread -s --no-print-directory summary TESTS='$(THREAD_TESTS)'; exit $$s

check-sanitizers:
	@s=0; $(MAKE) check-address || s=1; $(MAKE) check-thread || s=1; exit $$s

# what the kernels of other CPUs compute, in an emulator: no figure of speed comes from there
KERNEL_TESTS = tests/t-small tests/t-gemm tests/t-ew tests/t-product tests/t-conv tests/t-random \
	tests/t-parts tests/t-plans tests/t-merge tests/t-chain tests/t-plan tests/t-vmath
EXTRA_DIST += tests/arm64-root.sh tests/avx512.sh
ARM64_LIB = sub-arm64/root/usr/lib/aarch64-linux-gnu
ARM64_INCLUDE = $(abs_builddir)/sub-arm64/root/usr/include/aarch64-linux-gnu

.PHONY: check-arm64 check-avx512
check-arm64:
	@$(SHELL) $(top_srcdir)/tests/arm64-root.sh sub-arm64/root
	@PKG_CONFIG_SYSROOT_DIR='$(abs_builddir)/sub-arm64/root' \
	  PKG_CONFIG_LIBDIR='$(abs_builddir)/$(ARM64_LIB)/pkgconfig' \
	  $(SUBBUILD) sub-arm64 --host=aarch64-linux-gnu --with-cuda=no --disable-shared \
	  CC='aarch64-linux-gnu-gcc --sysroot=$(abs_builddir)/sub-arm64/root' \
	  CPPFLAGS='-isystem $(ARM64_INCLUDE) -isystem $(ARM64_INCLUDE)/openblas-pthread' \
	  LDFLAGS='-L$(abs_builddir)/$(ARM64_LIB) -Wl,-rpath-link,$(abs_builddir)/$(ARM64_LIB)'
	@QEMU_LD_PREFIX='$(abs_builddir)/sub-arm64/root' \
	  $(MAKE) -C sub-arm64 -k check TESTS='$(KERNEL_TESTS)' check_PROGRAMS='$(KERNEL_TESTS)' \
	  noinst_PROGRAMS= bin_PROGRAMS= LOG_COMPILER=qemu-aarch64-static \
	  TESTS_ENVIRONMENT='AGNESI_TEST_QUICK=1'; s=$$?; \
	$(MAKE) -C sub-arm64 -s --no-print-directory summary TESTS='$(KERNEL_TESTS)'; exit $$s

check-avx512: libagnesi.la $(KERNEL_TESTS)
	@$(SHELL) $(top_srcdir)/tests/avx512.sh sub-avx512 .libs $(KERNEL_TESTS)

.PHONY: coverage
coverage:
	@$(SUBBUILD) sub-coverage --enable-coverage --with-cuda=no CC=gcc
	@find sub-coverage -name '*.gcda' -exec rm {} +
	@$(MAKE) -C sub-coverage -k check TESTS='$(check_PROGRAMS)' >/dev/null || true
	@$(SHELL) $(top_srcdir)/tools/coverage.sh $(abs_top_srcdir) sub-coverage

clean-local:
	rm -rf $(SUBBUILDS) doc/pages doc/html emulated emulated-address

# make fuzz [FUZZ_SECONDS=n] - each tests/fuzz/*.c for so long, on its kept corpus
FUZZ_SECONDS = 60
FUZZ_TARGETS = tests/fuzz/npy.c tests/fuzz/npz.c tests/fuzz/safetensors.c tests/fuzz/mtx.c \
	tests/fuzz/api.c tests/fuzz/saved.c
if HAVE_SNDFILE
FUZZ_TARGETS += tests/fuzz/sound-wav.c tests/fuzz/sound-flac.c tests/fuzz/sound-ogg.c tests/fuzz/sound-mp3.c \
	tests/fuzz/sound-aiff.c tests/fuzz/sound-caf.c tests/fuzz/sound-au.c
endif
EXTRA_DIST += tests/fuzz/sound-wav.c tests/fuzz/sound-flac.c tests/fuzz/sound-ogg.c tests/fuzz/sound-mp3.c \
	tests/fuzz/sound-aiff.c tests/fuzz/sound-caf.c tests/fuzz/sound-au.c
EXTRA_DIST += $(FUZZ_TARGETS) tests/fuzz/run.sh tests/fuzz/replay.c
# a folder of its own: make would take a folder tests/fuzz/npy for the program of npy.c
EXTRA_DIST += tests/fuzz/seeds
.PHONY: fuzz
fuzz:
	@$(SUBBUILD) sub-fuzz CC=clang CFLAGS='-g -fsanitize=fuzzer-no-link' \
	  --enable-sanitizers --with-cuda=no
	@$(MAKE) -C sub-fuzz libagnesi-internal.la
	@cd sub-fuzz && AGN_LIBS='$(AGN_LIBS)' FUZZ_SECONDS='$(FUZZ_SECONDS)' \
	  $(SHELL) $(abs_top_srcdir)/tests/fuzz/run.sh $(abs_top_srcdir) $(FUZZ_TARGETS)

# perturbs a copy of the sources, so it needs no build but its own
.PHONY: mutate
mutate:
	@$(SHELL) $(top_srcdir)/tests/mutate.sh $(MUTATE_ARGS)

# ---- the distribution ----
# make distcheck runs all tests from the release; this, one of the tests, holds it against the tree, and builds it
.PHONY: check-dist
check-dist:
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/tests/check-add-op.sh

# ---- the sources ----
.PHONY: format
format:
	cd $(srcdir) && git clang-format --extensions c,h,cu,cuh
