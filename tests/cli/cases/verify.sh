#!/bin/bash
# Results of other programs.
printf '1 0\n2 1\n3 1\n4 2\n5 3\n6 9223372036854775807\n7 9223372036854775807\n8 9223372036854775807\n' >ldbc.txt
run fringe verify eight.mtx ldbc.txt -s 1 | steady
printf 'vertex\tdistance\n1\t0\n2\t3.0\n3\t1\n4\t8\n5\t11\n6\tinf\n7\tInfinity\n8\tinf\n' >plain.tsv
run fringe verify eight.gr plain.tsv -s 1 | steady
run fringe verify eight.gr plain.tsv -s 2 -q
sed 's/^5\t11/5\t10/' plain.tsv >wrong.tsv
run fringe verify eight.gr wrong.tsv -s 1 -q
sed 's/^5\t11/5\t11.5/' plain.tsv >wrong.tsv
run fringe verify eight.gr wrong.tsv -s 1 -q
sed '$d' plain.tsv >short.tsv
run fringe verify eight.gr short.tsv -q
sed 's/^8/9/' plain.tsv >strange.tsv
run fringe verify eight.gr strange.tsv -q
sed 's/^8/7/' plain.tsv >twice.tsv
run fringe verify eight.gr twice.tsv -q
sed 's/^8.*/8 x/' plain.tsv >junk.tsv
run fringe verify eight.gr junk.tsv -q
printf 'node\tdistance\n' >head.tsv
run fringe verify eight.gr head.tsv -q
printf '1 0\n2 1\n3 1\n4 2\n5 3\n6 7\n7 7\n8 7\n' >unsaid.txt
run fringe verify eight.mtx unsaid.txt -q
run fringe verify eight.mtx unsaid.txt -q --problem bfs
# Sums of float32 have larger errors than sums of doubles, within the limit for float32.
grid=grid2d:rows=20,cols=20
options=(-s 0 -q --weights "random:0.5,9.5")
for out in f.tsv f.npy; do
    fringe sssp $grid "${options[@]}" --weight-type float32 -o $out
    run fringe verify $grid $out "${options[@]}" --weight-type float32
    run fringe verify $grid $out "${options[@]}" --dist-type float32
done
run fringe verify $grid f.npy "${options[@]}"
fringe verify $grid f.tsv "${options[@]}" 2>&1 | grep -o "wrong answer"
sed -E '5s/(\.[0-9]{3})[0-9]*/\14/' f.tsv >wrong.tsv
fringe verify $grid wrong.tsv "${options[@]}" --dist-type float32 2>&1 | grep -o "wrong answer"
run fringe verify eight.mtx missing.tsv
run fringe verify eight.mtx .
# Weights that vanish next to a distance: two vertices may look like each other's parent.
cat >spread.wel <<'END'
6 5 4.863445115407402e-05
2 4 2.39550941941452118e-09
5 2 9.69808840818852150e+03
10 4 2.5707258527305475e-08
0 1 26102041523.054241
1 3 8742425959.868944
7 9 8.02937944389918e-11
3 8 395.88389676901295
4 7 3291203.9535533176
8 10 3.6790937168250879e-12
9 6 5.92180361300720867e-02
END
fringe sssp spread.wel -s 0 --undirected -q -o spread.tsv
cut -f1,2 spread.tsv >bare.tsv
run fringe verify spread.wel bare.tsv -s 0 --undirected -q
run fringe apsp spread.wel --undirected --verify -q
printf '0 1 5\n2 3 1e-12\n3 2 1e-12\n' >planted.wel
printf 'vertex\tdistance\n0\t0\n1\t5\n2\t500000\n3\t500000\n' >planted.tsv
run fringe verify planted.wel planted.tsv -s 0 -q
# a result with a byte order mark, from standard input; both from there; a level of minus infinity is no level
fringe bfs eight.mtx -s 1 -o plain.tsv -q
(printf '\xef\xbb\xbf'; cat plain.tsv) >marked.tsv
run fringe verify eight.mtx marked.tsv -q
run fringe verify eight.mtx - -q <plain.tsv
run fringe verify - - </dev/null
sed 's/^8\t-1/8\t-inf/' plain.tsv >minus.tsv
run fringe verify eight.mtx minus.tsv -q
# A vertex called -1: no parent is then an empty field, in npy the smallest integer.
printf '5 -1\n-1 6\n7 5\n' >minus.txt
for ids in integers strings; do
    run fringe bfs minus.txt --ids $ids -s 5 -q -o minus.tsv
    sort minus.tsv
    run fringe verify minus.txt minus.tsv --ids $ids -s 5 -q
    sed 's/^6\t2\t-1/6\t2\t/' minus.tsv >wrong.tsv
    run fringe verify minus.txt wrong.tsv --ids $ids -s 5 -q
done
run fringe bfs minus.txt -s 5 -q --parents any -o minus.npy
run fringe verify minus.txt minus.npy -s 5 -q
# the place of what is wrong: a column is a character, a byte order mark is none
for line in '8 x 1' '8 1 y' '8 1 1 z' '  9 1 1' '8 1 99' '7 1 1'; do
    (printf '\xef\xbb\xbf'; head -8 plain.tsv; echo "$line") >wrong.tsv
    run fringe verify eight.mtx wrong.tsv -q
done
run fringe verify eight.mtx - -q <wrong.tsv
printf 'Z\xc3\xbcrich Rome\nRome Bonn\n' >towns.el
for line in 'Z\xc3\xbcrich\t0\tBerlin' 'Z\xc3\xbcrich\tfar\tRome' 'Z\xc3\xbcrich\t0' 'Z\xc3\xbcrich\t0\tZ\xc3\xbcrich\tRome'; do
    printf "vertex\tlevel\tparent\n%b\n" "$line" >wrong.tsv
    run fringe verify towns.el wrong.tsv --ids strings -q
done
printf '\xef\xbb\xbfZ\xc3\xbcrich\tRome\tBonn\n' >pairs.tsv
run fringe path towns.el --ids strings --pairs pairs.tsv
printf 'Rome\tBonn\nZ\xc3\xbcrich\tBerlin\r\n' >pairs.tsv
run fringe path towns.el --ids strings --pairs pairs.tsv
run fringe path towns.el --ids strings --pairs - <pairs.tsv
printf '# none\n 1 2\n1   x\n' >pairs
run fringe path eight.mtx --pairs pairs
# ---- results that are not read ----
for format in npz json ndjson csv; do
    fringe bfs eight.gr -s 1 -q -o result.$format
    run fringe verify eight.gr result.$format -q
done
printf 'vertex\tlevel\tparent\n1\t0\t1\n' | run fringe verify eight.gr - -q
