# tests/errors.awk - after tools/prototypes.awk: a C table of what the comment of each function says: the errors
# that it names, and the parameters that may be NULL.
END {
    print "static const struct documented documented[] = {"
    for (i = 1; i <= n_rows; i++) print "    " row[i]
    print "};"
}

function prototype(returns, name, params, doc,    n, i, line, part, errors, nullable) {
    if (returns != "agn_status") return
    n = split(doc, line, "\n")
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^ \* @/) {
            split(line[i], part, /[ ]+/)
            section = part[3]
            parameter = part[4]
        }
        if (section == "@errors") errors = errors " " line[i]
        if (section == "@param" && line[i] ~ /NULL/) nullable = nullable " " parameter
    }
    section = ""
    gsub(/[^A-Z_]/, " ", errors)
    gsub(/ +/, " ", errors)
    row[++n_rows] = "{\"" name "\", \"" errors " \", \"" nullable " \"},"
}
