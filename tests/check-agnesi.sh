#! /bin/sh
# The program agnesi: what it says, and how it fails.
. "$top_srcdir/tests/tap.sh"

agnesi=$top_builddir/tools/agnesi$EXEEXT
test -x "$agnesi" || skip_all "tools/agnesi is not built"

# status COMMAND... - its exit status; what it said is in out and err
status() {
    "$@" >"$scratch/out" 2>"$scratch/err" && echo 0 || echo $?
}
says() { grep -q -- "$2" "$scratch/$1"; }

ok "--version succeeds" test "$(status "$agnesi" --version)" = 0
ok "and names a version" says out '^agnesi [0-9]*\.[0-9]*\.[0-9]*$'
ok "--help succeeds" test "$(status "$agnesi" --help)" = 0
ok "and names the commands" says out 'ops --verify'
ok "no command is wrong" test "$(status "$agnesi")" = 2
ok "a typo is wrong" test "$(status "$agnesi" inof)" = 2
ok "and names the nearest command" says err "did you mean 'info'?"
ok "nonsense is wrong" test "$(status "$agnesi" xyzzyxyzzy)" = 2
ok "and names the help" says err 'see agnesi --help'
ok "an option's typo is wrong" test "$(status "$agnesi" ops --jsno)" = 2
ok "and names the nearest option" says err "did you mean '--json'?"
ok "an op's typo is wrong" test "$(status "$agnesi" ops tahn)" = 2
ok "and names an op near it" says err "did you mean 'tan[h]*'?"
ok "info takes no option" test "$(status "$agnesi" info --all)" = 2

ok "info succeeds" test "$(status "$agnesi" info)" = 0
for word in options 'CPU level' threads BLAS LAPACK FFTW SuiteSparse GSL 'back ends'; do
    ok "info tells of $word" says out "^  $word  *[^ ]"
done
ok "cuda is there or it says why not" says out 'cuda  *\([1-9].* device\|not usable: ..*\)'
ok "a CPU level is forced" test "$(status env AGNESI_CPU=base "$agnesi" info)" = 0
ok "and info says by whom" says out 'CPU level  *base (forced by AGNESI_CPU)'
ok "a level that is none" test "$(status env AGNESI_CPU=abacus "$agnesi" info)" = 0
ok "is refused with a reason" says out 'CPU level .*AGNESI_CPU is not taken'

ok "ops of two names succeeds" test "$(status "$agnesi" ops tanh add)" = 0
ok "prints them" says out '^add  *element-wise  *bool i32 i64 f32 f64 c64 c128  *yes'
ok "and no other" test "$(grep -c element-wise "$scratch/out")" = 2
ok "--verify of one op succeeds" test "$(status "$agnesi" ops --verify matmul)" = 0
ok "and prints its error" says out '^matmul .*e-1[0-9]'
if test -n "$PYTHON3"; then
    status "$agnesi" ops --json >"$scratch/status"
    ok "--json is JSON, with every op of the table" "$PYTHON3" -c '
import json, sys
with open(sys.argv[1]) as f:
    ops = json.load(f)["ops"]
names = [op["name"] for op in ops]
assert len(set(names)) == len(names) > 90 and "matmul" in names
keys = {"name", "class", "dtypes", "eval", "jvp", "vjp", "jet", "vmap", "sparse", "cpu", "cuda"}
assert all(keys <= set(op) for op in ops)
' "$scratch/out"
else
    skip "no Python to read the JSON"
fi
if test -w /dev/full; then
    "$agnesi" ops >/dev/full 2>"$scratch/err"
    ok "a full disk is a failure" test $? = 1
    ok "that is told" says err 'cannot write'
fi
finish
