# For `.ci/run`. The store's tests start a PostgreSQL of their own. They need its programs alone: the service that comes
# with them is not started.
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v apt-get >/dev/null; then
  (as_root mkdir -p /etc/postgresql-common \
    && printf 'create_main_cluster = false\n' | as_root tee /etc/postgresql-common/createcluster.conf \
    && as_root apt-get update && as_root apt-get install -y postgresql) >/dev/null 2>&1 \
    || printf 'No PostgreSQL could be installed: its tests are skipped.\n'
fi
# The MCP server's rate limit: its tests with Redis start one of their own. Debian's tools hold the server's program too, and
# unlike its server package start no service.
if ! command -v redis-server redis-check-rdb >/dev/null && command -v apt-get >/dev/null; then
  (as_root apt-get update && as_root apt-get install -y redis-tools) >/dev/null 2>&1 \
    || printf 'No Redis could be installed: its tests are skipped.\n'
fi
