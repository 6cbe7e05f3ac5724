#!/bin/bash
# .npy files, read back by hand: magic, header, records.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
cat >read.py <<'END'
import ast, struct, sys
data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x93NUMPY\x01\x00'
length, = struct.unpack('<H', data[8:10])
assert (10 + length) % 64 == 0
head = ast.literal_eval(data[10:10 + length].decode())
print(head)
kinds = {'<i4': 'i', '<i8': 'q', '<f4': 'f', '<f8': 'd'}
descr = head['descr']
if isinstance(descr, str):
    flat = struct.iter_unpack('<' + kinds[descr] * head['shape'][1], data[10 + length:])
else:
    flat = struct.iter_unpack('<' + ''.join(kinds[d] for _, d in descr), data[10 + length:])
for row in flat:
    print(*row)
END
run fringe bfs eight.mtx -s 1 -o levels.npy -q --parents min-id
python3 read.py levels.npy
run fringe verify eight.mtx levels.npy -q
run fringe sssp eight.gr -s 1 -o distances.npy -q --strategy dijkstra
python3 read.py distances.npy
run fringe verify eight.gr distances.npy -q
run fringe apsp eight.mtx -o matrix.npy -q --strategy multi-bfs
python3 read.py matrix.npy
run fringe apsp eight.mtx -s 2,3 -t 4,1,8 -o part.npy -q --strategy multi-bfs
python3 read.py part.npy
run fringe bfs eight.mtx -s 1 -o named --format npy -q
python3 read.py named | sed -n 1,2p
run fringe path eight.gr -s 1 -t 5 -o path.npy -q
python3 read.py path.npy
run fringe centrality eight.gr --measure harmonic -o scores.npy -q
python3 read.py scores.npy
run fringe path eight.gr -s 1 -t 5 --paths 2 -o paths.npy -q
head -c 70 levels.npy >cut.npy
run fringe verify eight.mtx cut.npy
