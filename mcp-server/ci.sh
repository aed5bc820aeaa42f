# For `.ci/run`. The rate limit's tests with Redis start one of their own; without it they are skipped. Debian's tools
# hold the server's program too, and unlike its server package start no service.
if ! command -v redis-server redis-check-rdb >/dev/null && command -v apt-get >/dev/null; then
  (as_root apt-get update && as_root apt-get install -y redis-tools) >/dev/null 2>&1 \
    || printf 'No Redis could be installed: its tests are skipped.\n'
fi
