#!/bin/bash
# Damaged packed input is reported; a build without libarchive unpacks nothing.
fringe doctor | grep -q 'without libarchive' && { echo "skip: built without libarchive"; exit 77; }
gzip -c eight.mtx | head -c 60 >cut.mtx.gz
run fringe info cut.mtx.gz
# the reasons of an empty file, one that is compressed twice, one without its last bytes
gzip -c </dev/null >empty.mtx.gz
run fringe info empty.mtx.gz
gzip -c eight.mtx | gzip -c >twice.mtx.gz
run fringe info twice.mtx.gz
gzip -nc eight.mtx | head -c -4 >cut.mtx.gz
run fringe info cut.mtx.gz
