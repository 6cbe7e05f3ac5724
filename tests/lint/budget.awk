# Growth is decided: lines of text of each folder and kind of tools/budget.txt against its line there, and the largest
# file and the fullest folder of src/.
# usage: git grep -Ic '' | awk -f budget.awk tools/budget.txt -    (file:lines)
function complain(text) { print text; bad = 1 }
FNR == NR {
    if (!/^#/ && NF) limit[$2] = $1
    next
}
{
    file = $0
    sub(/:[0-9]+$/, "", file)
    lines = $0
    sub(/.*:/, "", lines)
    lines += 0
    code = file ~ /\.(c|h|cu|cuh|cpp|cc|py|sh|cmake|awk)$|CMakeLists\.txt$|Makefile$/
    for (name in limit)
        if (name == "all" || (name == "code" && code) || index(file, name "/") == 1) sum[name] += lines
    most = file == "include/fringe.h" || file ~ /\.py$/ ? 1000 : 600
    if (file ~ /\.(c|h|cu|cuh|py)$/ && lines > most) complain(file ": " lines " lines, at most " most)
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    if (folder ~ /^(src|papers)/ && ++files[folder] == 26) complain(folder ": more than 25 files")
}
END {
    for (name in limit)
        if (sum[name] > limit[name])
            complain(name ": " sum[name] " lines, " limit[name] " in tools/budget.txt; raising it is a line of the commit")
    exit bad
}
