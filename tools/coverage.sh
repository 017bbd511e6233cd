#! /bin/sh
# coverage.sh SRCDIR BUILDDIR - lines of the library that the tests reached, per folder and,
# for the worst files, per file
src=$(cd "$1" && pwd)
cd "$2" || exit 1
find . -name '*.gcda' | xargs -r gcov -n -s "$src" 2>/dev/null | awk '
/^File / { file = $2; gsub(/\047/, "", file); next }
/^Lines executed:/ && file ~ /^[a-z]+\// && file !~ /^(tests|examples|bench|tools)\// {
    # a file is met once per library and CPU level: the best-covered meeting counts
    sub(/.*:/, ""); split($0, part, "% of ")
    if (part[2] + 0 >= total[file] + 0) total[file] = part[2]
    if (part[1] + 0 >= best[file] + 0) best[file] = part[1]
}
{ file = "" }
END {
    for (f in total) {
        folder = f; sub(/\/.*/, "", folder)
        n[folder] += total[f]; hit[folder] += total[f] * best[f] / 100
        N += total[f]; H += total[f] * best[f] / 100
        printf "%6.1f%% %6d  %s\n", best[f], total[f], f | "sort -n | head -20 >&2"
    }
    for (d in n) printf "%6.1f%% %6d lines  %s/\n", 100 * hit[d] / n[d], n[d], d
    printf "%6.1f%% %6d lines  in all\n", N ? 100 * H / N : 0, N
}'
