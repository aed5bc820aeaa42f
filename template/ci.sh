# For `.ci/run`. The store's tests start a PostgreSQL of their own. They need its programs alone: the service that comes
# with them is not started.
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v apt-get >/dev/null; then
  (as_root mkdir -p /etc/postgresql-common \
    && printf 'create_main_cluster = false\n' | as_root tee /etc/postgresql-common/createcluster.conf \
    && as_root apt-get update && as_root apt-get install -y postgresql) >/dev/null 2>&1 \
    || printf 'No PostgreSQL could be installed: its tests are skipped.\n'
fi
