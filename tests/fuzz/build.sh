#!/bin/sh
# Builds the in-process fuzzer with clang and its seeds from the link cases:
#
#     tests/fuzz/build.sh [FOLDER]        default: build/fuzz
#     FOLDER/fuzz_link -max_len=60000 -timeout=10 FOLDER/corpus FOLDER/seeds
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/build/fuzz}
cc=${CC:-clang}
mkdir -p "$out/corpus" "$out/seeds"

sources=$(find "$root/src" -name '*.c' ! -path "$root/src/main.c" | sort)
# shellcheck disable=SC2086
"$cc" -std=c17 -O1 -g -fno-omit-frame-pointer \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    ${CFLAGS:-} -D_XOPEN_SOURCE=700 -DCULD_VERSION='"0"' \
    -I"$root/include" -I"$root/src" -I"$root/tests/fuzz" \
    "$root/tests/fuzz/fuzz_link.c" "$root/tests/fuzz/fuzz_mutate.c" $sources \
    -o "$out/fuzz_link"
python3 "$root/tests/fuzz/mutate.py" --corpus "$out/seeds"
