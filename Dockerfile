# syntax=docker/dockerfile:1
# Builds the browser application and the server, and runs them as a user who can write only to /data.
# This image's Node only installs and builds; the server runs on the one pinned in package-lock.json.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/bootstrap.mjs scripts/
RUN node scripts/bootstrap.mjs packages
COPY . .
RUN node scripts/bootstrap.mjs \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -rf test bench .git

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin parley \
 && install -d -o parley -g parley -m 0700 /data
# Owned by root, so the user who runs it can't change it.
COPY --from=build /app /app
WORKDIR /app
USER 10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["sh", "/app/scripts/serve.sh"]
