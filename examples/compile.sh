#!/usr/bin/env bash
# Compile the example's relocatable cubins again. Needs nvcc; the results are
# part of the repository, so that the demo runs without the CUDA toolkit.
set -euo pipefail
cd "$(dirname "$0")"

for sm in sm_75 sm_80 sm_90; do
    mkdir -p "$sm"
    for source in *.cu; do
        nvcc -dc -cubin -arch="$sm" "$source" -o "$sm/${source%.cu}.cubin"
    done
done
