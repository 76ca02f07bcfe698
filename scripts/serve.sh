#!/bin/sh
# Starts the built server with the memory settings that its figures were measured with (docs/performance.md):
# few and small areas for what lives shortly, and what the system's allocator has freed is given back.
# HEAP_MB is the most that the JavaScript heap may take.
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
exec "$root/node_modules/.bin/node" --max-semi-space-size=4 --max-old-space-size="${HEAP_MB:-1024}" "$root/dist/server/main.js"
