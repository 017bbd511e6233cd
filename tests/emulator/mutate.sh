#! /bin/sh
# tests/emulator/mutate.sh [PATTERN] - do the tests of the CUDA module notice a wrong kernel? Makes one mistake of
# mutate.rules after the other, compiles the files that have it (a header: those that read it), links the module and
# runs the tests that the rule names, or a part of one (t-cuda-lanes:scans); prints what noticed it. Fails if none
# did. A rule of the file "text" is about the texts of plans instead. `make mutate-cuda` sets CXX, LINK, LIBS, AWK and OBJECTS.
set -u
here=$(dirname "$0")
src=$(cd "$here/../.." && pwd)
rules=$here/mutate.rules
pattern=${1-.}
room=emulated/mutant.$$
mkdir -p "$room"
trap 'rm -rf "$room"' 0
build=$(pwd)
AGNESI_BACKEND_PATH=$build/$room AGNESI_REQUIRE_CUDA=1
LD_LIBRARY_PATH=$build/emulated:$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
AGNESI_CUDA_CACHE=
export AGNESI_BACKEND_PATH AGNESI_REQUIRE_CUDA LD_LIBRARY_PATH AGNESI_CUDA_CACHE
killed=0 total=0 bad=0

# one way to run a test: NAME=VALUE... PROGRAM
notices() {
    how=$1 program=${2%:*} part=${2#*:}
    test "$part" = "$2" && part=
    shift 2
    # shellcheck disable=SC2086
    env "$@" timeout 300 "tests/$program" $part >"$room/log" 2>&1
    rc=$?
    said=$(grep EMULATOR: "$room/log" | tail -1 | cut -c1-90)
    test -n "$said" || said=$(sed -n 's/^not ok [0-9]* *-* *//p' "$room/log" | head -1 | cut -c1-90)
    test $rc -ne 0 && echo "killed   $name: $program, $how: ${said:-ended with $rc}"
}

# a mistake in the texts that plans generate
try_text() { # name script tests...
    name=$1 script=$2
    shift 2
    ln -sf "$build/emulated/libagnesi-cuda.so" "$room/libagnesi-cuda.so"
    rm -f "$room/edited"
    for t; do
        for how in 'EMULATOR_ORDER=forward EMULATOR_RACES=1 EMULATOR_PROTECT=0' 'EMULATOR_ORDER=reverse EMULATOR_LAG=1'; do
            # shellcheck disable=SC2086
            notices "${how%% *}" "$t" $how EMULATOR_EDIT="$script" EMULATOR_EDITED="$build/$room/edited" && {
                test -e "$room/edited" || break
                return 0
            }
        done
    done
    test -e "$room/edited" && echo "SURVIVED: $name" || echo "DOES NOT APPLY: $name"
    return 1
}

try() { # name file script tests...
    name=$1 file=$2 script=$3
    shift 3
    test "$file" != text || {
        try_text "$name" "$script" "$@"
        return
    }
    rm -rf "$room/include" "$room"/*.o "$room"/*.so
    mkdir -p "$room/include/$(dirname "$file")"
    sed "$script" "$src/$file" >"$room/mutant"
    if cmp -s "$room/mutant" "$src/$file"; then
        echo "DOES NOT APPLY: $name"
        return 1
    fi
    # what is compiled again: the file itself, or those that read the header
    changed=emulated/$file.o
    case $file in *.cuh)
        $AWK -f "$src/tests/emulator/launches.awk" "$room/mutant" >"$room/include/$file"
        changed=$(grep -l "emulated/include/$file" $(echo "$OBJECTS" | sed 's/\.o\b/.d/g') 2>/dev/null | sed 's/\.d$/.o/')
        ;;
    esac
    others=$OBJECTS mine=
    for o in $changed; do
        at=$room/$(echo "$o" | tr / _)
        from=${o#emulated/}
        from=$src/${from%.o}
        case $file in *.cuh) ;; *) from=$room/mutant ;; esac
        $AWK -f "$src/tests/emulator/launches.awk" "$from" >"$room/mutant.cpp"
        $CXX -iquote "$room/include" -c -o "$at" "$room/mutant.cpp" >"$room/log" 2>&1 || {
            echo "DOES NOT COMPILE: $name: $(grep error "$room/log" | head -1)"
            return 1
        }
        others=$(echo " $others " | sed "s| $o | |")
        mine="$mine $at"
    done
    test -n "$mine" || {
        echo "NOBODY READS: $name: $file"
        return 1
    }
    # shellcheck disable=SC2086
    $LINK -o "$room/libagnesi-cuda.so" $others $mine -L.libs -lagnesi $LIBS -lpthread -ldl -lm || return 1
    for t; do
        notices 'forwards, watched' "$t" EMULATOR_ORDER=forward EMULATOR_RACES=1 EMULATOR_PROTECT=0 && return 0
        notices 'backwards, late' "$t" EMULATOR_ORDER=reverse EMULATOR_LAG=1 && return 0
    done
    echo "SURVIVED: $name"
    return 1
}

# the rules as lines of four fields
$AWK '/^#/ || NF == 0 { next }
    /^[^ ]/ { name = $1; file = $2; t = ""; for (i = 3; i <= NF; i++) t = t " " $i; next }
    { sub(/^ +/, ""); print name "\t" file "\t" t "\t" $0 }' "$rules" | grep -E "^[^	]*($pattern)" >"$room/list"
while IFS='	' read -r name file tests script <&3; do
    total=$((total + 1))
    # shellcheck disable=SC2086
    if try "$name" "$file" "$script" $tests; then killed=$((killed + 1)); else bad=1; fi
done 3<"$room/list"
echo "$killed of $total mistakes in kernels noticed"
exit $bad
