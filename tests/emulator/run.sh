#! /bin/sh
# tests/emulator/run.sh PROGRAM... - the tests of the CUDA module on the emulated device, once per way to run it:
# blocks and threads forwards at once, watched for races; then backwards and late; public functions also with
# allocations that fail. Then agnesi ops --verify. Run in the build folder, which has the module in $EMULATED;
# EMULATED_PRELOAD: a library that comes before all others, the run time of a sanitizer. EMULATED_RUNS=watched: the
# first way alone, and agnesi ops --verify.
here=$(pwd)
AGNESI_BACKEND_PATH=$here/$EMULATED AGNESI_REQUIRE_CUDA=1
LD_LIBRARY_PATH=$here/$EMULATED:$here/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
AGNESI_CUDA_CACHE=$here/$EMULATED/texts
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
export AGNESI_BACKEND_PATH AGNESI_REQUIRE_CUDA LD_LIBRARY_PATH AGNESI_CUDA_CACHE ASAN_OPTIONS
rm -rf "$AGNESI_CUDA_CACHE"
passed=0 failed=0 skipped=0

# one PROGRAM LOG NAME=VALUE...: its lines of TAP count
one() {
    program=$1 log=$2
    shift 2
    env LD_PRELOAD="$EMULATED_PRELOAD" "$@" timeout 600 "./$program" >"$log" 2>&1
    rc=$?
    good=$(grep -c '^ok ' "$log")
    bad=$(grep -c '^not ok ' "$log")
    left=$(grep -c '^ok .*# SKIP' "$log")
    test $rc -eq 0 || test "$bad" -gt 0 || {
        bad=1
        echo "FAIL: $program, $*: ended with $rc: $(grep "EMULATOR\|AddressSanitizer" "$log" | tail -1)"
    }
    sed -n "s|^not ok [0-9]* *-* *|FAIL: $program, $*: |p" "$log"
    passed=$((passed + good - left)) failed=$((failed + bad)) skipped=$((skipped + left))
}

for t; do
    name=$(basename "$t")
    one "$t" "$EMULATED/$name.forward.log" EMULATOR_ORDER=forward EMULATOR_RACES=1 EMULATOR_PROTECT=0
    test "$EMULATED_RUNS" != watched || continue
    one "$t" "$EMULATED/$name.reverse.log" EMULATOR_ORDER=reverse EMULATOR_LAG=1
    test "$name" != t-cuda-calls ||
        one "$t" $EMULATED/calls.fail.log AGNESI_CUDA_FAIL=1 EMULATOR_ORDER=mixed EMULATOR_PROTECT=0
    case $name in # plans without a compiler at run time
        t-cuda-plans | t-cuda-regions)
            one "$t" "$EMULATED/$name.table.log" AGNESI_NVRTC=0 EMULATOR_PROTECT=0
            ;;
    esac
done

# every op: by a kernel of its own, by what it is made of, or refused
if test -x tools/agnesi; then
    LD_PRELOAD=$EMULATED_PRELOAD tools/agnesi ops --verify >$EMULATED/verify.log 2>$EMULATED/verify.err || {
        failed=$((failed + 1))
        echo "FAIL: agnesi ops --verify: $(tail -1 $EMULATED/verify.log)"
        sed -n 's/^    /    /p' $EMULATED/verify.log
    }
    sed -n 's/^# native: //p' $EMULATED/t-cuda-load.forward.log >$EMULATED/native
    sed -n 's/^# host: //p' $EMULATED/t-cuda-load.forward.log >$EMULATED/host
    awk '
        FILENAME == ARGV[1] { native[$1]; next }
        FILENAME == ARGV[2] { host[$1]; next }
        FNR == 1 { next }
        NF == 0 { exit }
        $1 == "largest" || /^ / { next }
        / n\/a: kernel$/ { refused++; names = names " " $1; next }
        { if ($1 in native) own++; else if ($1 in host) { near++; by = by " " $1 } else made++ }
        END {
            printf "ops: %d native, %d decomposed, %d on the host, %d refused:%s\n", own, made, near, refused, names
            printf "ops on the host:%s\n", by
        }
    ' $EMULATED/native $EMULATED/host $EMULATED/verify.log | fold -s -w 118
fi
sed -n 's/^# on the host: agn_//p' $EMULATED/t-cuda-calls.forward.log 2>/dev/null | tr '\n' ' ' |
    sed 's/^/public functions on the host: /; s/$/\n/' | fold -s -w 118
sed -n 's/^# reads on the host: agn_//p' $EMULATED/t-cuda-calls.forward.log 2>/dev/null | tr '\n' ' ' |
    sed 's/^/public functions that read indices there: /; s/$/\n/' | fold -s -w 118
sed -n 's/.*refused: \([a-z_0-9]*\):.*/\1/p' $EMULATED/t-cuda-calls.forward.log 2>/dev/null | tr '\n' ' ' |
    sed 's/^/public functions refused: /; s/$/\n/' | fold -s -w 118
sed -n 's/^# \([0-9]* public functions\)/\1/p' $EMULATED/t-cuda-calls.forward.log 2>/dev/null
sed -n 's/^# \(of those that agree\)/\1/p' $EMULATED/t-cuda-calls.forward.log 2>/dev/null
sed -n 's/^# \([0-9]* allocations failed\)/\1/p' $EMULATED/calls.fail.log 2>/dev/null
test -n "${EMULATOR_COMPILER-}" || echo "SKIP: texts of regions were not compiled by NVRTC: there is none"
echo "on the emulated device: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
