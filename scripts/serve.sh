#!/bin/sh
# Starts the built server with the settings that its figures were measured with (docs/performance.md): room for what lives
# shortly, of which much comes when hundreds of answers stream, and nothing of it is put among what lives long because of what lived long
# while the server started (docs/decisions/0062); what the system's allocator has freed is given back, and so is what a crowd has
# left behind (src/server/rest.ts); and what was compiled once is read the next time.
# HEAP_MB is the most that the JavaScript heap may take.
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/dist/server/.compiled}"
exec "$root/node_modules/.bin/node" --expose-gc --max-semi-space-size=16 --no-allocation-site-pretenuring --max-old-space-size="${HEAP_MB:-1024}" "$root/dist/server/main.js"
