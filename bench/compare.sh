#! /bin/sh
# compare.sh BASE NEW [REGEX [ROUNDS]] - two programs that print what agnesi-bench --json prints, in
# turn: base, new, new, base, and so on. Each round gives a ratio new / base for each id; told are
# the medians of both times and of the ratios, and the least and largest ratio. The exit status is
# 1 where an id was slower in every round and by a twentieth in the median. FIELD=ms_min compares
# least times, which other work on the machine disturbs less.
test $# -ge 2 || {
    echo "usage: $0 BASE NEW [REGEX [ROUNDS]]" >&2
    exit 2
}
field=${FIELD:-ms}
base=$1 new=$2 regex=${3:-} rounds=${4:-7}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
run() { # word, command
    # shellcheck disable=SC2086 # a command with its arguments
    $2 --json "$regex" >"$out/$1.$round" || {
        echo "$0: $2 failed" >&2
        exit 2
    }
}
round=0
while test "$round" -lt "$rounds"; do
    if test $((round % 2)) = 0; then
        run base "$base" && run new "$new"
    else
        run new "$new" && run base "$base"
    fi
    round=$((round + 1))
done
for f in "$out"/base.* "$out"/new.*; do
    sed -n "s|.*\"id\": \"\([^\"]*\)\".*\"$field\": \([0-9.e+-]*\).*|$(basename "$f" | tr . ' ') \1 \2|p" "$f"
done | awk '
    function sort(a, n,    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    }
    function median(a, n) {
        sort(a, n)
        return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
    }
    { ms[$1, $2, $3] = $4; if (!($3 in seen)) { seen[$3] = 1; id[++ids] = $3 } rounds = $2 + 1 > rounds ? $2 + 1 : rounds }
    END {
        printf "%-44s %11s %11s %7s  %s\n", "id", "base ms", "new ms", "ratio", "least to largest"
        for (k = 1; k <= ids; k++) {
            n = 0
            for (r = 0; r < rounds; r++)
                if (("base", r, id[k]) in ms && ("new", r, id[k]) in ms) {
                    a[++n] = ms["base", r, id[k]]; b[n] = ms["new", r, id[k]]; q[n] = b[n] / a[n]
                }
            if (!n) { printf "%-44s %s\n", id[k], "only one of the two has it"; continue }
            m = median(q, n)
            worse = m > 1.05 && q[1] > 1
            slower += worse
            printf "%-44s %11.5g %11.5g %7.3f  %.3f to %.3f%s\n", id[k], median(a, n), median(b, n),
                m, q[1], q[n], worse ? "  SLOWER" : m < 0.95 && q[n] < 1 ? "  faster" : ""
        }
        exit slower > 0
    }'
