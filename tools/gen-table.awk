# gen-table.awk - the functions of one public header as tables of the manual, one a section
#
# awk -f gen-table.awk -f prototypes.awk HEADER > TABLES.rst
# Comes before prototypes.awk, to see the rulers that open sections.

/^\/\* ---- .* ---/ {
    title = $0
    sub(/^\/\* -+ /, "", title); sub(/ -+ ?\*\/.*/, "", title)
    open_table = 0
}

function prototype(returns, name, params, doc,    k, i, line, what, grad)
{
    k = split(doc, line, "\n")
    for (i = 1; i <= k; i++) {
        sub(/^ \* ?/, "", line[i])
        if (index(line[i], name " - ") == 1) what = substr(line[i], length(name) + 4)
        if (line[i] ~ /^@grad/) { grad = line[i]; sub(/^@grad +/, "", grad) }
    }
    sub(/[;:].*/, "", grad)
    if (!open_table++) {
        print "\n.. list-table::" (title == "" ? "" : " " toupper(substr(title, 1, 1)) substr(title, 2))
        print "   :header-rows: 1\n   :widths: 30 44 26\n"
        print "   * - function\n     - what it gives\n     - derivative"
    }
    print "   * - :c:func:`" name "`"
    print "     - " escape(what)
    print "     - " escape(grad)
}

# comments are plain text: nothing in them is markup
function escape(s)
{
    gsub(/[\\*`|]/, "\\\\&", s)
    gsub(/_([^A-Za-z0-9]|$)/, "\\_&", s); gsub(/\\__/, "\\_", s)
    return s
}
END { print "" }
