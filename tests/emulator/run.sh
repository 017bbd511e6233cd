#! /bin/sh
# tests/emulator/run.sh PROGRAM... - the tests of the CUDA module on the emulated device, once per way to run it:
# blocks and threads forwards at once, watched for races; then backwards and late. Run in the build folder.
here=$(pwd)
AGNESI_BACKEND_PATH=$here/emulated AGNESI_REQUIRE_CUDA=1
LD_LIBRARY_PATH=$here/emulated:$here/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export AGNESI_BACKEND_PATH AGNESI_REQUIRE_CUDA LD_LIBRARY_PATH
passed=0 failed=0 skipped=0

# one PROGRAM LOG NAME=VALUE...: its lines of TAP count
one() {
    program=$1 log=$2
    shift 2
    env "$@" timeout 600 "./$program" >"$log" 2>&1
    rc=$?
    good=$(grep -c '^ok ' "$log")
    bad=$(grep -c '^not ok ' "$log")
    left=$(grep -c '^ok .*# SKIP' "$log")
    test $rc -eq 0 || test "$bad" -gt 0 || {
        bad=1
        echo "FAIL: $program, $*: ended with $rc: $(grep EMULATOR "$log" | tail -1)"
    }
    sed -n "s|^not ok [0-9]* *-* *|FAIL: $program, $*: |p" "$log"
    passed=$((passed + good - left)) failed=$((failed + bad)) skipped=$((skipped + left))
}

for t; do
    name=$(basename "$t")
    one "$t" "emulated/$name.forward.log" EMULATOR_ORDER=forward EMULATOR_RACES=1 EMULATOR_PROTECT=0
    one "$t" "emulated/$name.reverse.log" EMULATOR_ORDER=reverse EMULATOR_LAG=1
done
echo "on the emulated device: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
