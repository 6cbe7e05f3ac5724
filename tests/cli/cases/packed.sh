#!/bin/bash
# Damaged packed input is reported; a build without libarchive unpacks nothing.
fringe doctor | grep -q 'without libarchive' && { echo "skip: built without libarchive"; exit 77; }
gzip -c eight.mtx | head -c 60 >cut.mtx.gz
run fringe info cut.mtx.gz
