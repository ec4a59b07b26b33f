# The units of the suite that are run, the slow ones first so that all jobs end together. Other units need
# replication, files, a cluster or a server that the suite starts.
slow_units=(unit/type/list-3 unit/hyperloglog unit/type/stream unit/geo)
quick_units=(
  unit/type/zset unit/type/list unit/type/list-2 unit/type/set unit/type/hash unit/type/string unit/type/incr
  unit/type/stream-cgroups unit/sort unit/scripting unit/functions unit/expire unit/dump unit/bitops unit/bitfield
  unit/keyspace unit/scan unit/multi unit/other unit/pubsub unit/protocol unit/quit unit/querybuf unit/pause
  unit/tracking unit/introspection unit/introspection-2 unit/info-command unit/latency-monitor unit/slowlog
  unit/lazyfree unit/violations
)
# Units that the suite does not run against a running server; the harness can force it.
forced_units=(unit/pubsubshard unit/limits)

# Those in which a server differs most from 7.0.
newer_units=(unit/bitops unit/functions unit/info-command unit/type/stream-cgroups unit/type/string)
case $TCL_SERVER in
8.0)
  quick_units+=(unit/info-keysizes)
  forced_units+=(unit/type/hash-field-expire unit/acl unit/acl-v2 unit/auth unit/info unit/obuf-limits)
  ;;
valkey-9.1)
  quick_units+=(unit/hashexpire unit/commandlog)
  newer_units+=(unit/hashexpire unit/commandlog)
  forced_units+=(unit/acl unit/acl-v2 unit/auth unit/info unit/maxmemory unit/memefficiency unit/obuf-limits)
  ;;
esac
