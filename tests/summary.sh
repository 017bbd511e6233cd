#! /bin/sh
# summary.sh TEST... - list what failed or was skipped and close with
# "N passed, N failed, N skipped". TEST.trs holds automake's results, TEST.log the TAP.
# A test that left no result, because it was not built or not reached, has failed.
pass=0 fail=0 skip=0
for t; do
    test -e "$t.trs" || {
        echo "FAIL: $t left no result"
        fail=$((fail + 1))
        continue
    }
    bad=0 error=0
    while read -r key result rest; do
        test "$key" = :test-result: || continue
        case $result in
        PASS | XFAIL) pass=$((pass + 1)) ;;
        SKIP) skip=$((skip + 1)) ;;
        ERROR) error=1 ;;
        *) bad=$((bad + 1)) ;;
        esac
    done <"$t.trs"
    # a failed check also makes its program exit with 1: that is no second failure
    test $bad -gt 0 || bad=$error
    fail=$((fail + bad))
    test $bad -eq 0 || echo "FAIL: $t (see $t.log)"
    sed -n "s|^not ok [0-9]* *-* *|FAIL: $t: |p; s|^Bail out! *|FAIL: $t: |p
        s|^\(1\.\.0\).*# *[Ss][Kk][Ii][Pp] *|SKIP: $t: |p
        s|^ok .*# *[Ss][Kk][Ii][Pp] *|SKIP: $t: |p" "$t.log"
done
echo "$pass passed, $fail failed, $skip skipped"
test $fail -eq 0
