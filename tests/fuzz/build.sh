#!/bin/sh
# Builds the in-process fuzzers with clang, and their seeds from the link cases:
#
#     tests/fuzz/build.sh [FOLDER]        default: build/fuzz
#     FOLDER/fuzz_link -max_len=60000 -timeout=10 FOLDER/corpus-link FOLDER/seeds-link
#
# With FUZZ_ENGINE=afl the compiler is afl-clang-fast (AFL++), whose driver runs
# the same targets:
#
#     afl-fuzz -i FOLDER/seeds-link -o FOLDER/afl -- FOLDER/fuzz_link
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/build/fuzz}
if [ "${FUZZ_ENGINE:-libfuzzer}" = afl ]; then
    cc=${CC:-afl-clang-fast}
else
    cc=${CC:-clang}
fi
objects=$out/objects
mkdir -p "$objects"

flags="-std=c17 -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all ${CFLAGS:-}
    -D_XOPEN_SOURCE=700 -DCULD_VERSION=\"0\" -I$root/include -I$root/src -I$root/tests/fuzz"

# Objects are kept: only what is newer than its object is compiled again.
for source in $(find "$root/src" -name '*.c' ! -path "$root/src/main.c" \
    ! -path "$root/src/command/*" ! -path "$root/src/toolkit/*" | sort); do
    object=$objects/$(echo "${source#"$root"/}" | tr / _).o
    # shellcheck disable=SC2086
    "$cc" $flags -fsanitize=fuzzer-no-link,address,undefined -c "$source" -o "$object"
done
for target in link input options; do
    extra=
    [ $target = link ] && extra=$root/tests/fuzz/fuzz_mutate.c
    # shellcheck disable=SC2086
    "$cc" $flags -fsanitize=fuzzer,address,undefined "$root/tests/fuzz/fuzz_$target.c" $extra \
        "$objects"/*.o -lzstd -llz4 -o "$out/fuzz_$target"
    mkdir -p "$out/corpus-$target"
done
python3 "$root/tests/fuzz/mutate.py" --corpus "$out/seeds-link"
python3 "$root/tests/fuzz/seeds.py" "$out"
