# No function is longer than 80 lines (120 for a kernel in a .cu file). clang-format puts a function's closing brace alone
# in column 0 and its head on a line that starts in column 0 and ends with "{" (or continues on indented lines that do).
FNR == 1 { head = 0; limit = FILENAME ~ /\.cu$/ ? 120 : 80 }
/^[A-Za-z_].*\(/ { head = FNR; name = $0 }
/^}/ {
    if (head && FNR - head + 1 > limit) {
        printf "%s:%d: %d lines, at most %d: %s\n", FILENAME, head, FNR - head + 1, limit, name
        bad = 1
    }
    head = 0
}
END { exit bad }
