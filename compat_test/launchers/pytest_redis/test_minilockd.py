"""pytest-redis starts the program whose path --redis-exec has."""


def test_starts_the_program(redisdb, redis_proc):
    assert "minilockd_version" in redisdb.info("server")
    assert redis_proc.running()
    redisdb.set("key", "value")
    assert redisdb.eval("return redis.call('get', KEYS[1])", 1, "key") == b"value"


def test_is_empty_for_the_next_test(redisdb):
    assert redisdb.dbsize() == 0
