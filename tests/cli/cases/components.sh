#!/bin/bash
# Labels, counts and the largest component.
printf '10 20\n20 10\n20 30\n30 40\n40 30\n40 50\n50 30\n70 80\n' >parts.txt
run fringe components parts.txt --verify | steady
run fringe components parts.txt --strong --verify -q -o -
run fringe components parts.txt -q -o weak.tsv
cat weak.tsv
run fringe components parts.txt --strong --json | grep -o '"components":[0-9]*\|"largest_component":[0-9]*'
run fringe components parts.txt -o labels.npy -q
head -n 1 labels.npy | tr -cd "[:print:]\n"
run fringe convert parts.txt --component largest -o - --format snap -q
run fringe convert parts.txt --component largest-strong -o - --format snap -q
run fringe convert parts.txt --component smallest -o - --format snap -q
run fringe convert star:n=4 --component largest -o - --format el -q
