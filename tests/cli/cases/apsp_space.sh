#!/bin/bash
# A matrix that the file system cannot hold is refused before it is computed: 256 TB, of which no file remains.
run fringe apsp uniform:n=8000000,edges=1,seed=1 -o huge.npy -q | sed -E 's/has [0-9.]+ [A-Za-z]+ free/has N free/'
find . -name 'huge*'
