# ---- the CUDA module on an emulated device: make check-cuda-emulated (tests/emulator/README.md) ----
# The headers of CUDA are all that it needs; CUDA_HOME says where they are. EMULATED: the folder of what is built.
EMULATED = emulated
EMULATED_SANITIZE = $(filter -fsanitize=%,$(AGN_SANITIZE))
CUDA_INCLUDE = $(firstword $(patsubst %/cuda_runtime.h,%,$(wildcard \
	$(if $(CUDA_HOME),$(CUDA_HOME)/include/cuda_runtime.h) /usr/local/cuda/include/cuda_runtime.h)))
EMULATOR_FLAGS = -g1 -fPIC -fvisibility=hidden $(EMULATED_SANITIZE) $(DEFS) -I$(EMULATED)/include -I. \
	-I$(top_builddir)/include -I$(top_srcdir)/include -I$(top_srcdir) \
	-I$(top_srcdir)/tests/emulator/include -I$(top_srcdir)/tests/emulator \
	-isystem $(CUDA_INCLUDE) -isystem $(CUDA_INCLUDE)/cccl
EMULATOR_CXX = $(CXX) -std=c++17 -ffp-contract=off $(EMULATOR_FLAGS)
# calls before every access, which races.cpp answers: no sanitizer is linked. GCC puts none before the store of
# a call's result, hence small functions are inlined
EMULATED_OPT = -O1 -finline-small-functions -finline-functions $(if $(EMULATED_SANITIZE),,-fsanitize=thread)
# what is done by parts is, in tests, of fewer elements
EMULATED_SIZES = -DAGNI_CU_PART=5000 -DAGNI_CU_ALL_EVERY=3
# what the module takes of the host's memory can fail (memory.cpp)
EMULATED_HEAP = -Dmalloc=agn_emulator_malloc -Dcalloc=agn_emulator_calloc

EMULATOR_CODE = %D%/memory.cpp %D%/stream.cpp %D%/grid.cpp %D%/races.cpp %D%/blas.cpp %D%/solver.cpp \
	%D%/sparse.cpp %D%/fft.cpp %D%/code.cpp
EMULATOR_INCLUDED = %D%/emulator.h %D%/runtime.h %D%/library.h \
	%D%/include/cub/device/device_radix_sort.cuh
EXTRA_DIST += $(EMULATOR_CODE) $(EMULATOR_INCLUDED)
EXTRA_DIST += %D%/README.md %D%/launches.awk %D%/driver.c %D%/run.sh %D%/mutate.sh %D%/mutate.rules
EXTRA_DIST += %D%/nvrtc.cpp %D%/compile_text.c

# headers with launches in them are read from here
EMULATED_REWRITTEN = $(addprefix $(EMULATED)/include/,$(filter %.cuh,$(libagnesi_cuda_la_SOURCES)))
EMULATED_CODE = $(filter %.cu %.c,$(libagnesi_cuda_la_SOURCES))
EMULATED_OBJECTS = $(addprefix $(EMULATED)/,$(addsuffix .o,$(EMULATED_CODE) $(EMULATOR_CODE)))
-include $(wildcard $(EMULATED_OBJECTS:.o=.d))

$(EMULATED)/include/%.cuh: %.cuh %D%/launches.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(top_srcdir)/tests/emulator/launches.awk $< >$@
$(EMULATED)/%.cu.o: %.cu %D%/launches.awk %D%/emulator.h $(EMULATED_REWRITTEN)
	@$(MKDIR_P) $(@D)
	@$(AWK) -f $(top_srcdir)/tests/emulator/launches.awk $< >$(EMULATED)/$*.cpp
	$(AM_V_GEN)$(EMULATOR_CXX) $(EMULATED_OPT) $(EMULATED_SIZES) -w -include emulator.h -MMD -MP -MF $(@:.o=.d) -MT $@ \
	  -c -o $@ $(EMULATED)/$*.cpp
$(EMULATED)/%.c.o: %.c
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -std=gnu11 -O1 -w -D_GNU_SOURCE= $(EMULATOR_FLAGS) $(EMULATED_HEAP) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(EMULATED)/%.cpp.o: %.cpp
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(EMULATOR_CXX) -O2 -Wall -Wextra -fvisibility=default -MMD -MP -MF $(@:.o=.d) \
	  -MT $@ -c -o $@ $<

$(EMULATED)/libagnesi-cuda.so: $(EMULATED_OBJECTS) libagnesi.la
	$(AM_V_GEN)$(CXX) $(EMULATED_SANITIZE) -shared -Wl,-z,defs -o $@ $(EMULATED_OBJECTS) -L.libs -lagnesi $(AGN_LIBS) \
	  -lpthread -ldl -lm
$(EMULATED)/libcuda.so.1: %D%/driver.c
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) $(EMULATED_SANITIZE) -shared -fPIC -Wl,-soname,libcuda.so.1 -o $@ $<

# NVRTC, which the module opens: the host's compiler, by this command. What stands before each of some 400 texts takes
# five times as long as the text: it is compiled once
EMULATED_NVRTC = $(EMULATOR_CXX) $(EMULATED_OPT) -w -DEMULATED_TEXT
$(EMULATED)/text/emulator.h.gch: %D%/emulator.h
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(EMULATED_NVRTC) -x c++-header -o $@ $<
$(EMULATED)/libnvrtc.so.$(EMULATED_MAJOR): %D%/nvrtc.cpp %D%/launches.awk $(EMULATED)/text/emulator.h.gch
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(EMULATOR_CXX) -O1 -Wall -Wextra -fvisibility=default -shared -o $@ $< \
	  -DCOMMAND='"cd $(abs_builddir) && $(EMULATED_NVRTC) -c -include $(EMULATED)/text/emulator.h"' \
	  -DLINK='"$(CXX) $(EMULATED_SANITIZE) -shared"' \
	  -DCOMPILE_TEXT='"$(abs_builddir)/$(EMULATED)/compile_text"' \
	  -DREWRITE='"$(AWK) -f $(abs_top_srcdir)/tests/emulator/launches.awk"'
EMULATED_MAJOR = $(shell sed -n 's/^.define CUDART_VERSION *\([0-9]*\)[0-9]\{3\}/\1/p' \
	$(CUDA_INCLUDE)/cuda_runtime_api.h 2>/dev/null)
# NVIDIA's, where it is: it compiles each text as well, for which it needs no device
EMULATED_REAL_NVRTC = $(firstword $(wildcard $(CUDA_INCLUDE)/../lib64/libnvrtc.so.$(EMULATED_MAJOR) \
	$(CUDA_INCLUDE)/../lib/libnvrtc.so.$(EMULATED_MAJOR)))
$(EMULATED)/compile_text: %D%/compile_text.c
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -std=gnu11 -O1 -Wall -Wextra -isystem $(CUDA_INCLUDE) -o $@ $< -ldl
EMULATED_PARTS = $(EMULATED)/libagnesi-cuda.so $(EMULATED)/libcuda.so.1 \
	$(EMULATED)/libnvrtc.so.$(EMULATED_MAJOR) $(EMULATED)/compile_text

EMULATED_TESTS = tests/t-cuda-load tests/t-cuda-device tests/t-cuda-rows tests/t-cuda-lanes tests/t-cuda-tensor \
	tests/t-cuda-deriv tests/t-cuda-plans tests/t-cuda-loops tests/t-cuda-regions tests/t-cuda-cache \
	tests/t-cuda-krylov tests/t-cuda-modules tests/t-cuda-graphs tests/t-cuda-calls

.PHONY: check-cuda-emulated run-cuda-emulated check-cuda-emulated-address mutate-cuda
check-cuda-emulated:
	@if test -z '$(CUDA_INCLUDE)'; then \
	  echo "SKIP: check-cuda-emulated: no CUDA headers in CUDA_HOME or /usr/local/cuda"; \
	elif test '$(CXX)' = no; then echo "SKIP: check-cuda-emulated: no C++ compiler"; \
	else $(MAKE) run-cuda-emulated; fi
run-cuda-emulated: $(EMULATED_PARTS) $(EMULATED_TESTS) tools/agnesi
	@EMULATOR_COMPILER='$(EMULATED_REAL_NVRTC)' EMULATED='$(EMULATED)' EMULATED_PRELOAD='$(EMULATED_PRELOAD)' \
	  EMULATED_RUNS='$(EMULATED_RUNS)' \
	  $(SHELL) $(top_srcdir)/tests/emulator/run.sh $(EMULATED_TESTS)
# EMULATED_RUNS=watched: what check-cuda-emulated-address cannot do, races and NVRTC; the other ways are its own too
EMULATED_RUNS = all
# the module, the emulated device and all texts under AddressSanitizer, beside the library as it is, which check-address
# looks at; NVRTC has seen the texts
check-cuda-emulated-address:
	@$(MAKE) check-cuda-emulated EMULATED=emulated-address EMULATED_SANITIZE=-fsanitize=address \
	  EMULATED_REAL_NVRTC= EMULATED_RUNS=all EMULATED_PRELOAD="`$(CC) -print-file-name=libasan.so`"
# mistakes made on purpose in kernels (tests/emulator/mutate.sh): each must be noticed
mutate-cuda: $(EMULATED_PARTS) $(EMULATED_TESTS)
	@CXX='$(EMULATOR_CXX) $(EMULATED_OPT) $(EMULATED_SIZES) -w -include emulator.h' LINK='$(CXX) -shared -Wl,-z,defs' \
	  AWK='$(AWK)' LIBS='$(AGN_LIBS)' OBJECTS='$(EMULATED_OBJECTS)' $(SHELL) $(top_srcdir)/tests/emulator/mutate.sh $(MUTANTS)


