#!/bin/sh
# Builds the in-process fuzzers of targets.txt with clang, and their seeds:
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
here=$root/tests/fuzz
out=${1:-$root/build/fuzz}
if [ "${FUZZ_ENGINE:-libfuzzer}" = afl ]; then
    cc=${CC:-afl-clang-fast}
else
    cc=${CC:-clang}
fi
objects=$out/objects
mkdir -p "$objects"

flags="-std=c17 -Werror=incompatible-pointer-types -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all ${CFLAGS:-}
    -D_XOPEN_SOURCE=700 -DCULD_VERSION=\"0\" -I$root/include -I$root/src -I$here"

# Objects are kept: only what changed since then, or whose headers did, is compiled again.
newest=$(find "$root/src" "$root/include" "$here" -name '*.h' -newer "$objects/stamp" 2>/dev/null | head -n 1)
compile() {
    object=$objects/$(echo "${1#"$root"/}" | tr / _).o
    [ -z "$newest" ] && [ -e "$objects/stamp" ] && [ "$object" -nt "$1" ] && return
    # shellcheck disable=SC2086
    "$cc" $flags -fsanitize=fuzzer-no-link,address,undefined -c "$1" -o "$object"
}

library=
for source in $(find "$root/src" -name '*.c' ! -path "$root/src/main.c" \
    ! -path "$root/src/command/*" ! -path "$root/src/toolkit/*" | sort); do
    compile "$source"
    library="$library $object"
done
grep -v '^#' "$here/targets.txt" | while read -r target with _; do
    parts=
    case $with in *mutate*) parts="$here/fuzz_mutate.c $here/fuzz_layout.c" ;; esac
    case $with in *reader*) parts="$parts $here/fuzz_reader.c" ;; esac
    # shellcheck disable=SC2086
    "$cc" $flags -fsanitize=fuzzer,address,undefined "$here/fuzz_$target.c" $parts $library \
        ${FUZZ_LIBRARIES:--lzstd -llz4} -o "$out/fuzz_$target"
    mkdir -p "$out/corpus-$target"
done
touch "$objects/stamp"
python3 "$here/seeds.py" "$out"
