#! /bin/sh
# What CUDA kernels cost, without a device (tools/kernel-figures.awk), for sm_90: registers and spills of every kernel
# but those of special functions, which are whole libraries, and of element-wise rows of the arithmetic, where cuobjdump
# is, instructions.
. "$top_srcdir/tests/tap.sh"

figures() { $AWK -f "$top_srcdir/tools/kernel-figures.awk" "$@"; }

# recorded from CUDA 13.0: what nvcc and cuobjdump said of these kernels
tables_agree() {
    figures "$top_srcdir/tests/data/kernels.ptxas" "$top_srcdir/tests/data/kernels.sass" >"$scratch/told"
    diff "$top_srcdir/tests/data/kernels.expected" "$scratch/told"
}
ok "the figures of a recorded text" tables_agree

# a table of a few rows, so that it takes seconds
rows='^(EW[123]|DISC2)[(][A-Z]+, (neg|square|add|sub|mul|div|maximum|eq|lt),'
few_rows() {
    mkdir -p "$scratch/tensor/rows" && $AWK -v rows="$rows" '
        { top = depth == 0; text = $0; depth += gsub(/\(/, "", text); text = $0; depth -= gsub(/\)/, "", text) }
        top { on = $0 !~ /^[A-Z0-9]+\(/ || $0 ~ rows }
        on
    ' "$top_srcdir/tensor/rows/ops.def" >"$scratch/tensor/rows/ops.def"
}
compile() { # name file
    timeout 600 "$NVCC" -std=c++17 -DNDEBUG --fmad=false -O2 -arch=sm_90 -cubin -Xptxas -v -I"$scratch" \
        -I"$top_srcdir" -I"$top_srcdir/include" -I"$top_builddir/include" -I"$top_builddir" \
        -o "$scratch/$1.cubin" "$top_srcdir/$2" 2>"$scratch/$1.log" || {
        cat "$scratch/$1.log"
        return 1
    }
}
# none of TABLE's kernels that match PATTERN has more than MOST in COLUMN, and there are some
at_most() { # table column most pattern
    $AWK -v column="$2" -v most="$3" -v pattern="$4" '
        NR > 1 && $NF ~ pattern { n++ }
        NR > 1 && $NF ~ pattern && ($column !~ /^[0-9.]+$/ || $column + 0 > most + 0) { bad = 1; print }
        END { exit bad || !n }
    ' "$1"
}
# kernels beyond 64 registers or with spills are those of the list, within its figures, and the list has no others
within_list() { # list table
    $AWK '
        # one of the names that a mangled one is made of, each behind its length, is this one
        function has(mangled, name,    n) {
            sub(/^_ZN?/, "", mangled)
            while (match(mangled, /^[0-9]+/)) {
                n = substr(mangled, 1, RLENGTH)
                if (substr(mangled, RLENGTH + 1, n) == name) return 1
                mangled = substr(mangled, RLENGTH + 1 + n)
            }
            return 0
        }
        FILENAME == ARGV[1] { if ($1 !~ /^#/ && NF == 3) { most[$3] = $1; spills[$3] = $2 } next }
        FNR == 1 { next }
        {
            row = ""
            for (name in most)
                if (has($NF, name) && ($1 > 64 || $3 > 0)) row = name
            if (row != "") used[row]
            if ($1 !~ /^[0-9]+$/ || $3 !~ /^[0-9]+$/ || $1 > (row != "" ? most[row] : 64) ||
                $3 > (row != "" ? spills[row] : 0)) { bad = 1; print "beyond: " $0 }
            n++
        }
        END {
            for (name in most)
                if (!(name in used)) { bad = 1; print "not needed: " name }
            exit bad || n < 100
        }
    ' "$1" "$2"
}

cuobjdump=
if test -n "$NVCC"; then
    cuobjdump=$(dirname "$NVCC")/cuobjdump
    test -x "$cuobjdump" || cuobjdump=$(command -v cuobjdump)
fi
for type in f32 f64 i32 i64 c64; do
    if test -z "$NVCC"; then
        skip "kernels of $type: no nvcc was configured"
        continue
    fi
    few_rows
    ok "kernels of $type compile" compile $type tensor/elementwise/cuda/ew_$type.cu || continue
    test -e "$scratch/$type.cubin" || continue
    : >"$scratch/sass"
    test -z "$cuobjdump" || "$cuobjdump" -sass "$scratch/$type.cubin" >"$scratch/sass"
    figures "$scratch/$type.log" "$scratch/sass" >"$scratch/table"
    cat "$scratch/table" >&2
    ok "$type: 32 registers where operands are contiguous" at_most "$scratch/table" 1 32 \
        '7ew_flat.*row_(neg|square|add|sub|mul|maximum|eq|lt|where)'
    case $type in # a quotient of double precision is a loop of its own
    f32 | c64) ok "$type: and of a quotient" at_most "$scratch/table" 1 32 '7ew_flat.*row_div' ;;
    f64) ok "$type: 40 of a quotient" at_most "$scratch/table" 1 40 '7ew_flat.*row_div' ;;
    esac
    ok "$type: and where they have strides" at_most "$scratch/table" 1 32 '2ewINS'
    ok "$type: nothing on the stack" at_most "$scratch/table" 2 0 .
    ok "$type: nothing spilled" at_most "$scratch/table" 3 0 .
    if test -z "$cuobjdump"; then
        skip "instructions of $type: no cuobjdump"
        continue
    fi
    case $type in
    f32 | i32) most=5.5 sum=3.5 ;;
    f64 | i64) most=11 sum=6.5 ;;
    c64) most=14 sum=7.5 ;;
    esac
    ok "$type: $sum instructions an element of a sum" at_most "$scratch/table" 7 $sum '7ew_flat.*row_(add|sub)'
    ok "$type: $most of other arithmetic" at_most "$scratch/table" 7 $most \
        '7ew_flat.*row_(neg|square|maximum|where|eq|lt)'
    $AWK '/Function : / { on = /7ew_flat.*row_add/ } on && /LDG/ { n += /LDG\.E\.128/ } END { exit n != 2 }' \
        "$scratch/sass"
    ok "$type: both operands of a sum are loaded 16 bytes at once" test $? -eq 0
done
if test -z "$NVCC"; then
    skip "registers and spills of every kernel: no nvcc was configured"
elif ! "$NVCC" --version | grep -q 'release 13\.0,'; then
    skip "registers and spills of every kernel: tests/data/kernels.most is of nvcc 13.0"
else
    # what the build was told of sm_90
    every_kernel() {
        for file in $(cd "$top_srcdir" && ls ./*/cuda/*.cu ./*/*/cuda/*.cu ./*/*/*/cuda/*.cu | grep -v '/ew_\|/special/'); do
            $AWK '/Compiling entry function/ { on = /sm_90/ } on' \
                "$top_builddir/$(dirname "$file")/.deps/$(basename "$file" .cu).ptxas" || return 1
        done >"$scratch/logs"
        figures "$scratch/logs" >"$scratch/table"
    }
    ok "registers and spills of every source of kernels were told" every_kernel
    if test -s "$scratch/logs"; then
        ok "no more registers and spills than tests/data/kernels.most has" within_list \
            "$top_srcdir/tests/data/kernels.most" "$scratch/table"
    else
        skip "registers and spills of every kernel: this build has no code for sm_90"
    fi
fi
finish
