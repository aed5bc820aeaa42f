# The site in production: docs/deploy.md.
# The MCP server is a program of its own, with an image of its own: mcp-server/Dockerfile. # sample: mcp
FROM node:20-slim AS build
WORKDIR /site
# Dependencies are installed again only when one of these changes.
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev

FROM node:20-slim
ENV NODE_ENV=production PORT=3000
WORKDIR /site
COPY --from=build /site/package.json ./
COPY --from=build /site/packages ./packages
COPY --from=build /site/node_modules ./node_modules
COPY --from=build /site/build ./build
# auth: accounts
# For a store in a file: docs/deploy.md. A volume that is put here gets the same rights.
RUN mkdir -m 777 data
# /auth
USER node
EXPOSE 3000
# Orchestrators ask /healthz and /readyz themselves; this is for `docker run` alone.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As `npm start` runs it, without npm in between: node itself is told SIGTERM.
CMD ["node", "--max-semi-space-size=32", "build/server/main.js"]
