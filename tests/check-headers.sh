#! /bin/sh
# Each public function has a complete documentation comment, and each public header compiles
# alone, as C11 and as C++17.
. "$top_srcdir/tests/tap.sh"

cat >"$scratch/doc.awk" <<'END'
function prototype(returns, name, params, doc,    n, i, k, found, line, word)
{
    count++
    if (doc == "") { complain(name, "has no documentation comment"); return }
    if (doc !~ ("\n \\* " name " - [^\n]*[^ \n]"))
        complain(name, "lacks the title \"" name " - ...\"")
    k = split(doc, line, "\n")
    found = 0
    n = split_params(params)
    for (i = 1; i <= k; i++) {
        if (line[i] !~ /^ \* @param/) continue
        split(line[i], word, " ")
        if (++found > n) complain(name, "documents a parameter it has not: " word[3])
        else if (word[3] != pname[found])
            complain(name, "parameter " found " is " pname[found] ", its comment says " word[3])
        else if (word[4] == "") complain(name, "says nothing of " word[3])
    }
    for (found++; found <= n; found++) complain(name, "lacks @param " pname[found])
    if (returns == "agn_status") {
        if (!field("errors") && !field("return")) complain(name, "lacks @errors")
    } else if (returns != "void" && !field("return")) complain(name, "lacks @return")
    # results named one by one; an array of them belongs to a call of some function
    if (returns == "agn_status" && type[1] ~ /^agn_tensor ?\* ?\*/ && pname[2] != "n_out") {
        if (!field("grad")) complain(name, "lacks @grad")
        if (!field("cost")) complain(name, "lacks @cost")
    }
}
function field(f) { return doc ~ ("\n \\* @" f "[ \t]+[^ \n]") }
function complain(name, what) { print FILENAME ":" FNR ": " name " " what }
END
silent "every public function is documented in full" read_headers -f "$scratch/doc.awk"

strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"
strict="$strict -I$top_builddir/include -I$top_srcdir/include"
for header in "$top_srcdir"/include/agnesi/*.h "$top_builddir"/include/agnesi/*.h; do
    h=$(basename "$header")
    echo "#include <agnesi/$h>" >"$scratch/one.c"
    ok "$h alone, C11" $CC -std=c11 $strict "$scratch/one.c"
    if test "$CXX" = no; then
        skip "$h alone, C++17: no C++ compiler"
    else
        ok "$h alone, C++17" $CXX -std=c++17 $strict -x c++ "$scratch/one.c"
    fi
done
finish
