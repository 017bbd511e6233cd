# tests/calls.awk - after tools/prototypes.awk: a C table of the public functions that take tensors (-v makers=1: or
# none) and give tensors, by kinds of arguments, and a function for each that calls it with an array of them.
#   O out  M array of outs  T tensor  L list of tensors  I integer  B bool  D double  E dtype
#   S sizes  A axes  C text  R reals  Z options  G graph
END {
    print "static const struct call calls[] = {"
    for (i = 1; i <= n_calls; i++) print "    " row[i]
    print "};"
    for (i = 1; i <= n_others; i++) other_rows = other_rows "    \"" other[i] "\",\n"
    print "/* other arguments: functions, lists of graphs, streams, files, results of the host */"
    print "static const char *const others[] = {\n" other_rows "};"
}

function kind_of(t, name, next_name) {
    if (t ~ /^agn_tensor \*\*/) return next_name == "n_out" ? "M" : "O"
    if (t ~ /^agn_tensor \*[a-z_]*\[\]/) return "M"
    if (t ~ /^const agn_tensor \*const \*/ || t ~ /^const agn_tensor \*const [a-z]*\[\]/) return "L"
    if (t ~ /^const agn_tensor \*/) return "T"
    if (t ~ /^const agn_graph \*/ && t !~ /\*const/) return "G"
    if (t ~ /^const int64_t \*/) return "S"
    if (t ~ /^const int32_t \*/) return "A"
    if (t ~ /^const char \*/) return name == "path" || name == "op" ? "" : "C"
    if (t ~ /^(const )?agn_[a-z_0-9]*(options|solver|info) \*/) return "Z"
    if (t ~ /^const double \*/) return "R"
    if (t ~ /\*/) return ""
    if (t ~ /^bool /) return "B"
    if (t ~ /^double /) return "D"
    if (t ~ /^agn_dtype /) return "E"
    if (t ~ /^(int32_t|int64_t|uint64_t|size_t|agn_[a-z_]+) /) return "I"
    return ""
}

function prototype(returns, name, params, doc,    n, i, k, kinds, names, args, c, cast) {
    if (returns != "agn_status") return
    n = split_params(params)
    if (params !~ /agn_tensor/) return
    for (i = 1; i <= n; i++) {
        k = kind_of(type[i], pname[i], pname[i + 1])
        if (k == "") { other[++n_others] = name; return }
        kinds = kinds k
        names = names (i > 1 ? "," : "") pname[i]
        cast = type[i]
        sub(/ [a-z_0-9A-Z]*$/, "", cast)
        c = "a[" (i - 1) "]"
        if (k == "O" || k == "M") c = c ".out"
        else if (k == "T") c = c ".x"
        else if (k == "L") c = c ".xs"
        else if (k == "S") c = c ".sizes"
        else if (k == "A") c = c ".axes"
        else if (k == "C") c = c ".text"
        else if (k == "G") c = c ".graph"
        else if (k == "Z") c = "NULL"
        else if (k == "R") c = c ".reals"
        else if (k == "D") c = c ".d"
        else if (k == "B") c = c ".i != 0"
        else c = "(" cast ")" c ".i"
        args = args (i > 1 ? ", " : "") c
    }
    if (kinds !~ /[OM]/ || (kinds !~ /[TL]/ && !makers)) { other[++n_others] = name; return }
    print "static agn_status call_" name "(const struct arg *a)\n{\n    return " name "(" args ");\n}"
    row[++n_calls] = "{\"" name "\", \"" kinds "\", \"" names "\", call_" name "},"
}
