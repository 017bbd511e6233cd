#! /bin/sh
# count.sh PROGRAM [ID...] - instructions of one call of a workload, as callgrind counts them: those
# of a run with three calls less those of a run with one, by two. Stable to a few in a thousand
# whatever else the machine does. EXECUTE runs a program of a build folder: libtool --mode=execute. valgrind knows no AVX-512: the AVX2 kernels are counted.
test $# -ge 1 || {
    echo "usage: $0 PROGRAM [ID...]" >&2
    exit 2
}
command -v valgrind >/dev/null || {
    echo "$0: valgrind is not installed" >&2
    exit 2
}
program=$1
shift
test $# -gt 0 || set -- pinn/burgers/n1000/f64 pinn/burgers/n1000/f32 tensor/chain/n10000/f64 \
    tensor/chain-grad/n10000/f64 eager/add4x1000/f64 staged/grad100/f64 \
    optim/adam-epoch/burgers/n100/f64
instructions() { # calls, id
    # shellcheck disable=SC2086 # libtool and its mode, or nothing
    AGNESI_CPU=avx2 AGNESI_THREADS=1 OPENBLAS_NUM_THREADS=1 $EXECUTE valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null "$program" --calls "$1" "^$2\$" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
for id; do
    one=$(instructions 1 "$id") three=$(instructions 3 "$id")
    if test -z "$one" || test -z "$three"; then
        echo "$0: $id was not counted" >&2
        exit 1
    fi
    printf '%-44s %14d\n' "$id" $(((three - one) / 2))
done
