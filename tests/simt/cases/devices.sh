#!/bin/bash
# The GPUs are listed by name only.
run fringe list devices
run fringe list devices --json
fringe list | grep -c Devices || true
