#!/bin/sh
# Starts the built server with the settings used for the measurements in docs/performance.md:
# - a larger young generation, because hundreds of streaming answers create many short-lived objects, none of which are allocated in
#   the old generation just because similar ones survived the start (docs/decisions/0062, 0076);
# - freed memory is returned to the system by the allocator, and at rest by src/server/load/idle-collection.ts;
# - compiled code is cached for the next start.
# HEAP_MB limits the JavaScript heap.
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
case "${HEAP_MB:-1024}" in
  # With less, the server runs out of memory before it says anything; the smallest are meant as gigabytes.
  *[!0-9]* | 0* | ? | [1-5]? | 6[0-3])
    echo "HEAP_MB: Must be a whole number of megabytes, 64 or more." >&2
    exit 1 ;;
esac
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/dist/server/.compiled}"
exec "$root/node_modules/.bin/node" --expose-gc --max-semi-space-size=32 --no-allocation-site-pretenuring --max-old-space-size="${HEAP_MB:-1024}" "$root/dist/server/main.js"
