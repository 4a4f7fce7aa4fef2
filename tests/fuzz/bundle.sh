#!/bin/sh
# Packs the fuzzers and their seeds for another machine, which needs python3 and a C library alone:
#
#     tests/fuzz/bundle.sh FOLDER
#     FOLDER/run.sh SECONDS OUT           there; findings are run again here, with symbols
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bundle=${1:?folder}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
built=${FUZZ_BUILT:-$here/../../build/fuzz}

FUZZ_LIBRARIES="-l:libzstd.a -l:liblz4.a -static-libstdc++ -static-libgcc" "$here/build.sh" "$built"
cp -r "$built"/fuzz_* "$built"/seeds-* "$here/campaign.py" "$here/targets.txt" "$work"
strip --strip-debug "$work"/fuzz_*
mkdir -p "$bundle"
tar -C "$work" -czf "$bundle/fuzzers.tar.gz" .
cat > "$bundle/run.sh" <<'RUN'
#!/bin/sh
# run.sh SECONDS OUT [JOBS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xzf "$here/fuzzers.tar.gz"
python3 "$work/campaign.py" --folder "$work" --out "$2" --seconds "$1" --jobs "${3:-16}" --no-corpus
RUN
chmod +x "$bundle/run.sh"
