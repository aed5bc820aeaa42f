# The site in production: docs/deploy.md.
FROM node:24-slim AS build
WORKDIR /site
# Dependencies are installed again only when one of these changes.
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci
COPY . .
RUN npm run build
# npm installs all that a workspace depends on: those that only develop and test the site go first.
RUN rm -r packages/create packages/lint packages/mcp packages/proof packages/simulator
RUN npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production PORT=3000
WORKDIR /site
COPY --from=build /site/package.json ./
COPY --from=build /site/packages ./packages
COPY --from=build /site/node_modules ./node_modules
COPY --from=build /site/build ./build
# For a database in a file, where a site has one. A volume mounted here gets the same permissions.
RUN mkdir -m 777 data
USER node
EXPOSE 3000
# Orchestrators probe /healthz and /readyz themselves; this health check is for plain `docker run`.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The command of `npm start`, without npm in between, so that node itself receives SIGTERM.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "build/server/main.js"]
