#! /bin/sh
# The library never ends the process, never prints, never draws from the system's random numbers.
. "$top_srcdir/tests/tap.sh"

banned='_?exit|_Exit|quick_exit|abort|__assert_fail|raise|kill|signal|sigaction|longjmp'
banned="$banned|(__)?v?f?printf(_chk)?|puts|fputs|putchar|putc|fputc|perror|psignal|stdout|stderr"
banned="$banned|rand|rand_r|srand|random|srandom|[delmnj]rand48|arc4random.*|getrandom|getentropy"
banned="$banned|setlocale|setenv|putenv|system|popen"

banned_in() {
    $NM -D --undefined-only "$1" >"$scratch/undefined" || return 1
    $AWK '{ print $NF }' "$scratch/undefined" | sed 's/@.*//' | grep -Ex "$banned" || :
}

check() {
    silent "$(basename "$1") calls none of exit, printf, rand and their kin" banned_in "$1"
}

lib=$(ls "$top_builddir"/.libs/libagnesi.so 2>/dev/null)
test -n "$lib" || skip_all "no shared library was built"
$NM -D "$lib" >/dev/null 2>&1 || skip_all "$NM has no -D"
check "$lib"
cuda=$top_builddir/.libs/libagnesi-cuda.so
if test -e "$cuda"; then check "$cuda"; else skip "the CUDA module was not built"; fi
finish
