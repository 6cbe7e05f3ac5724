#!/bin/bash
# A suffix is a promise: each format of results, and the refusal of others before the work.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
cat >read.py <<'END'
import ast, json, sys, zipfile
kinds = {'<i4': 'i', '<i8': 'q', '<f4': 'f', '<f8': 'd'}
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for info in archive.infolist():
        assert info.compress_type == zipfile.ZIP_STORED
        data = archive.read(info)
        end = 10 + int.from_bytes(data[8:10], 'little')
        head = ast.literal_eval(data[10:end].decode())
        body = data[end:]
        if head['descr'][:2] == '<U':
            size = 4 * int(head['descr'][2:])
            values = [body[i:i + size].decode('utf-32-le').rstrip('\0') for i in range(0, len(body), size)]
        else:
            values = memoryview(body).cast(kinds[head['descr']]).tolist()
        print(info.filename, head['descr'], head['shape'], values)
END
printf 'a,"b,""c",4\n"b,""c",d,1\ne,a,2\n' >names.csv
names=(--ids strings --source-column 1 --target-column 2 --weight-column 3)
for format in csv json ndjson; do
    run fringe sssp eight.gr -s 1 -q -o x.$format
    cat x.$format
    run fringe sssp names.csv "${names[@]}" -s a -q -o - --format $format
    run fringe apsp eight.gr -s 1,2 -t 4,8 --parents any -q -o - --format $format
    run fringe path eight.gr -s 1 -t 5 --paths 2 -q -o - --format $format
done
python3 -c 'import json; assert len(json.load(open("x.json"))) == 8'
run fringe verify eight.gr x.csv -q -s 1
run fringe sssp cycle.gr -s 1 --mark-negative-cycles -q -o - --format ndjson
run fringe bfs eight.gr -s 1 -q -o - --format json
run fringe components eight.gr -q -o - --format csv
run fringe centrality eight.gr --measure harmonic -q -o - --format ndjson
run fringe sssp eight.gr -s 1,2 -q -o x.npz
python3 read.py x.npz
run fringe sssp names.csv "${names[@]}" -s a -q -o x.npz
python3 read.py x.npz
run fringe apsp eight.gr -s 1,2 -t 4,8 -q -o x.npz
python3 read.py x.npz
run fringe apsp names.csv "${names[@]}" -s a --verify -q -o x.npz
python3 read.py x.npz
run fringe apsp eight.gr -s 1,2 --parents nearest -q -o x.npz
python3 read.py x.npz
run fringe apsp names.csv "${names[@]}" -s a,e --parents any --verify -q -o x.npz
python3 read.py x.npz
printf 'M\xc3\xbcnchen,\xf0\x9f\x9a\xb2 \xe2\x82\xac,1\nx,M\xc3\xbcnchen,1\n' >utf8.csv
run fringe components utf8.csv "${names[@]}" -q -o x.npz
PYTHONIOENCODING=ascii:backslashreplace python3 read.py x.npz
run fringe components eight.gr -q -o x.npz
python3 read.py x.npz
for suffix in parquet arrow xlsx foo tsv.gz; do
    run fringe sssp missing.gr -s 1 -o x.$suffix
done
run fringe apsp missing.gr -o x.parquet
run fringe components missing.gr -o x.dat
run fringe path missing.gr -s 1 -t 5 --paths 2 -o x.npz
run fringe apsp missing.gr --parents any -o x.npy
run fringe sssp eight.gr -s 1 -q -o x.foo --format csv
head -1 x.foo
run fringe sssp eight.gr -s 1 -q -o /dev/full --format json
run fringe apsp eight.gr -q -o /dev/full --format npz
