#!/usr/bin/env bash
# Compile the example again: a host object and an archive of two, each with
# device code for three targets. Needs nvcc; the results are part of the
# repository, so that the demo runs without the CUDA toolkit.
set -euo pipefail
cd "$(dirname "$0")"

targets=(75 80 90)
options=()
for sm in "${targets[@]}"; do
    options+=(-gencode "arch=compute_$sm,code=sm_$sm")
done
for source in *.cu; do
    nvcc -dc "${options[@]}" "$source" -o "${source%.cu}.o"
done
rm -f libparts.a
ar rcD libparts.a library.o reduce.o
rm library.o reduce.o
