# gen-rst.awk - a chapter of the manual's reference from one public header
#
# awk -f gen-rst.awk -f prototypes.awk HEADER > CHAPTER.rst
# Comes before prototypes.awk, to see the lines that it keeps to itself.

# the comment that opens the header introduces the chapter
FNR == 1 && /^\/\*\*/ { in_head = 1; next_line = 0 }
in_head {
    text_ = $0
    sub(/^ ?\/?\*+\/? ?/, "", text_)
    if (++next_line > 1 && text_ !~ /SPDX/ && text_ !~ /^agnesi\/[a-z]*\.h - /) print escape(text_)
    if (/\*\//) { in_head = 0; print "" }
}
# a ruler opens a section
/^\/\* ---- .* ---/ {
    title = $0
    sub(/^\/\* -+ /, "", title); sub(/ -+ ?\*\/.*/, "", title)
    print "\n" toupper(substr(title, 1, 1)) substr(title, 2)
    gsub(/./, "~", title); print title "\n"
}

function prototype(returns, name, params, doc,    k, i, line, key, rest)
{
    print ".. c:function:: " returns (returns ~ /\*$/ ? "" : " ") name "(" params ")\n"
    k = split(doc, line, "\n")
    key = ""
    for (i = 2; i <= k; i++) {
        rest = line[i]
        if (rest ~ /^ \*\// || (rest == "" && i == k)) break
        sub(/^ \* ?/, "", rest)
        if (index(rest, name " - ") == 1) {
            rest = substr(rest, length(name) + 4)
            if (rest !~ /[?.]$/) rest = rest "."
            print "   " escape(toupper(substr(rest, 1, 1)) substr(rest, 2))
        } else if (match(rest, /^@param +[A-Za-z_0-9]+ +/)) {
            key = substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1)
            sub(/^@param +/, "", key); sub(/ +$/, "", key)
            print "   :param " key ": " escape(rest)
        } else if (match(rest, /^@[a-z]+ +/)) {
            key = substr(rest, 2, RLENGTH - 1); rest = substr(rest, RLENGTH + 1)
            sub(/ +$/, "", key)
            print "   :" key ": " escape(rest)
        } else {
            sub(/^ +/, key == "" ? "" : "   ", rest)
            print rest == "" ? "" : "   " escape(rest)
        }
    }
    print ""
}

# comments are plain text: nothing in them is markup
function escape(s)
{
    gsub(/[\\*`|]/, "\\\\&", s)
    gsub(/_([^A-Za-z0-9]|$)/, "\\_&", s); gsub(/\\__/, "\\_", s)
    return s
}
