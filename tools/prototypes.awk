# prototypes.awk - read the public headers
#
# awk -f prototypes.awk -f READER.awk HEADER...
# For each `AGN_API ... agn_NAME(...);` of the headers this calls the reader's
#
#   prototype(returns, name, params, doc)
#
# returns: the type, without AGN_ macros ("agn_status"); params: the text between the
# parentheses, on one line; doc: the lines of the comment right above, "" if none.
# FILENAME and FNR say where. split_params(params) cuts params into type[1..n] and pname[1..n].
# Written for any POSIX awk, mawk 1.3 included.

FNR == 1 { doc = text = ""; in_doc = in_text = in_comment = 0 }

!in_text && /^[ \t]*\/\*\*/ { in_doc = 1; doc = "" }
in_doc {
    doc = doc $0 "\n"
    if ($0 ~ /\*\//) in_doc = 0
    next
}

{
    line = without_comments($0)
}

!in_text && line ~ /^[ \t]*AGN_API([ \t]|$)/ { in_text = 1; text = "" }
in_text {
    text = text " " line
    if (line ~ /;/) { declare(text); in_text = 0; doc = "" }
    next
}
line ~ /[^ \t]/ { doc = "" }

function without_comments(s,    i, j)
{
    if (in_comment) {
        if (!(i = index(s, "*/"))) return ""
        s = substr(s, i + 2); in_comment = 0
    }
    while ((i = index(s, "/*"))) {
        j = index(substr(s, i + 2), "*/")
        if (!j) { in_comment = 1; return substr(s, 1, i - 1) }
        s = substr(s, 1, i - 1) " " substr(s, i + j + 3)
    }
    sub(/\/\/.*/, "", s)
    return s
}

function squeeze(s)
{
    gsub(/[ \t\r\n]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s)
    return s
}

# "AGN_API AGN_X agn_status agn_f(A a, B b) AGN_Y;" -> prototype("agn_status", "agn_f", "A a, B b")
function declare(s,    open, close_, i, depth, c, head, name)
{
    s = squeeze(s)
    if (!match(s, /agn_[a-z0-9_]*[ ]*\(/)) return
    open = RSTART + RLENGTH - 1
    for (i = open; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "(") depth++
        else if (c == ")" && --depth == 0) { close_ = i; break }
    }
    name = substr(s, RSTART, RLENGTH); sub(/ *\($/, "", name)
    head = " " substr(s, 1, RSTART - 1)
    gsub(/ AGN_[A-Z0-9_]+(\([^)]*\))?/, " ", head)
    prototype(squeeze(head), name, squeeze(substr(s, open + 1, close_ - open - 1)), doc)
}

# cut at the commas outside parentheses; the name is the last word, or the * of a function pointer
function split_params(params,    n, depth, i, c, one)
{
    split("", type); split("", pname)
    if (params == "" || params == "void") return 0
    params = params ","
    for (i = 1; i <= length(params); i++) {
        c = substr(params, i, 1)
        if (c == "(") depth++
        if (c == ")") depth--
        if (c == "," && !depth) { type[++n] = squeeze(one); one = "" } else one = one c
    }
    for (i = 1; i <= n; i++) {
        one = type[i]
        if (match(one, /\(\*[ ]*[A-Za-z_][A-Za-z0-9_]*/)) {
            pname[i] = substr(one, RSTART + 2, RLENGTH - 2)
        } else {
            while (sub(/ *\[[^]]*\]$/, "", one)) continue
            match(one, /[A-Za-z_][A-Za-z0-9_]*$/)
            pname[i] = substr(one, RSTART, RLENGTH)
        }
        pname[i] = squeeze(pname[i])
    }
    return n
}

# after split_params: does the function give one tensor, through its first parameter?
function one_result(n)
{
    return is_result(type[1]) && !(n > 1 && (is_result(type[2]) || pname[2] == "n_out"))
}

function is_result(t) { return t ~ /^agn_tensor ?\* ?\* ?[a-z_0-9]*$/ }
