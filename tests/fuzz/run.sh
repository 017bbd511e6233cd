#! /bin/sh
# run.sh SRCDIR TARGET.c... - build each libFuzzer target against the library in this folder and
# run it for FUZZ_SECONDS. Findings stay here as crash-*; make one a test before mending it.
src=$1
shift
status=0
for target; do
    name=$(basename "$target" .c)
    corpus=corpus/$name
    mkdir -p "$corpus"
    # shellcheck disable=SC2086 # lists of flags
    clang -std=c11 -g -O1 -D_GNU_SOURCE= -fsanitize=fuzzer,address,undefined \
        -I. -Iinclude -I"$src/include" -I"$src" "$src/$target" \
        -Wl,--whole-archive .libs/libagnesi-internal.a -Wl,--no-whole-archive \
        $AGN_LIBS -o "fuzz-$name" || {
        echo "FAIL: $target does not build"
        status=1
        continue
    }
    # seeds, where there are any, are small real files; what was found from them is kept packed
    seeds=$src/tests/fuzz/seeds/$name
    test ! -e "$seeds.tar.xz" || tar -C "$corpus" -xJf "$seeds.tar.xz"
    test -d "$seeds" || seeds=
    if LSAN_OPTIONS=suppressions=$src/tests/lsan.supp:print_suppressions=0 \
        "./fuzz-$name" -max_total_time="${FUZZ_SECONDS:-60}" -artifact_prefix="crash-$name-" \
        -print_final_stats=1 -rss_limit_mb=2048 "$corpus" $seeds 2>"fuzz-$name.log"; then
        echo "PASS: $target ($(sed -n 's/.*number_of_executed_units: *//p' "fuzz-$name.log") inputs)"
    else
        echo "FAIL: $target (see $(pwd)/fuzz-$name.log)"
        status=1
    fi
done
exit $status
