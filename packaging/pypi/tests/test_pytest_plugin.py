from __future__ import annotations

from textwrap import dedent

import pytest

LEAK = """
    def test_leak(minilockd, send):
        send(minilockd, "SET order:42 me NX PX 30000")
"""

CLIENT = """
    import socket

    import pytest

    @pytest.fixture
    def send():
        def send(server, line):
            with socket.create_connection((server.host, server.port)) as client:
                client.sendall(line.encode() + b"\\r\\n")
                return client.recv(4096)

        return send
"""


@pytest.fixture(autouse=True)
def conftest(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(dedent(CLIENT))


def run(pytester: pytest.Pytester, text: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(dedent(text))
    return pytester.runpytest("-p", "no:cacheprovider", "-p", "no:xdist", *options)


def test_each_test_has_a_server(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        ports = set()

        @pytest.mark.parametrize("n", range(3))
        def test_empty(minilockd, n):
            assert minilockd.execute("INCR", "a") == 1
            ports.add(minilockd.port)
            assert len(ports) == n + 1
    """
    run(pytester, text).assert_outcomes(passed=3)


def test_a_shared_server_is_reset(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        @pytest.mark.parametrize("n", range(3))
        def test_empty(minilockd, minilockd_session, n):
            assert minilockd is minilockd_session
            assert minilockd.execute("INCR", "a") == 1
            assert [entry.command for entry in minilockd.journal.entries()] == ["INCR a"]

        @pytest.mark.minilockd(databases=2)
        def test_own(minilockd, minilockd_session):
            assert minilockd is not minilockd_session
    """
    run(pytester, text, "--minilockd-shared").assert_outcomes(passed=4)


def test_the_session_server_is_not_reset(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        @pytest.mark.parametrize("n", range(3))
        def test_count(minilockd_session, n):
            assert minilockd_session.execute("INCR", "a") == n + 1
    """
    run(pytester, text).assert_outcomes(passed=3)


def test_emulate(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        def server(minilockd):
            return minilockd.execute("CONFIG", "GET", "emulate")["emulate"]

        def test_chosen(minilockd):
            assert server(minilockd) == "7.0"

        @pytest.mark.minilockd(emulate="8.0")
        def test_marker(minilockd):
            assert server(minilockd) == "8.0"
    """
    run(pytester, text, "--minilockd-emulate=7.0").assert_outcomes(passed=2)


def test_options(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
        import pytest

        @pytest.fixture(scope="session")
        def minilockd_options():
            return {"databases": 3, "password": "secret"}
    """)
    text = """
        import pytest

        def databases(server):
            return server.execute("CONFIG", "GET", "databases")["databases"]

        def test_fixture(minilockd, minilockd_session):
            assert databases(minilockd) == databases(minilockd_session) == "3"
            assert minilockd.password == "secret"

        @pytest.mark.minilockd(databases=5, journal=0)
        def test_marker(minilockd):
            assert databases(minilockd) == "5"
            assert minilockd.journal.entries() == []
    """
    run(pytester, text, "--strict-markers").assert_outcomes(passed=2)


@pytest.mark.parametrize("way", ["command line", "ini", "marker"])
def test_a_lock_that_is_left_held(pytester: pytest.Pytester, way: str) -> None:
    if way == "ini":
        pytester.makeini("[pytest]\nminilockd_fail_on_held_locks = true")
    text = dedent(LEAK)
    if way == "marker":
        text = "import pytest\npytestmark = pytest.mark.minilockd(fail_on_held_locks=True)\n" + text
    result = run(pytester, text, *(["--minilockd-fail-on-held-locks"] if way == "command line" else []))
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.re_match_lines(
        [
            r"the test has left locks of minilockd on 127\.0\.0\.1:\d+ held:",
            r'"order:42" \(token\) is held by me since [\d:.]+ \(for [\d.]+ s\), which took it by connection .* left',
            r"-+ locks of minilockd on 127\.0\.0\.1:\d+ -+",
            r"-+ last 50 commands of minilockd on 127\.0\.0\.1:\d+ -+",
            r"[\d:.]+ \d+ \(127\.0\.0\.1:\d+\): SET order:42 me NX PX 30000",
        ]
    )


@pytest.mark.parametrize(("pattern", "errors"), [("order:*", 1), ("stock:*", 0)])
@pytest.mark.parametrize("way", ["command line", "ini", "marker"])
def test_the_locks_that_must_not_be_left_held(pytester: pytest.Pytester, way: str, pattern: str, errors: int) -> None:
    text, options = dedent(LEAK), ["--minilockd-fail-on-held-locks"]
    if way == "command line":
        options = [f"--minilockd-held-locks={pattern}"]
    if way == "ini":
        pytester.makeini(f"[pytest]\nminilockd_held_locks = {pattern}")
    if way == "marker":
        text = f"import pytest\npytestmark = pytest.mark.minilockd(fail_on_held_locks={pattern!r})\n" + text
    run(pytester, text, *options).assert_outcomes(passed=1, errors=errors)


def test_the_option_leaves_the_next_argument_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(other="def test_other(): pass")
    result = run(pytester, LEAK, "--minilockd-fail-on-held-locks", "other.py")
    result.assert_outcomes(passed=1)


def test_a_lock_that_a_fixture_releases(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        @pytest.fixture
        def lock(minilockd):
            minilockd.execute("SET", "order:42", "me", "NX", "PX", 30_000)
            yield
            minilockd.execute("DEL", "order:42")

        def test_lock(lock, minilockd):
            assert minilockd.locks.held()
    """
    run(pytester, text, "--minilockd-fail-on-held-locks").assert_outcomes(passed=1)


def test_the_second_attempt_of_a_test(pytester: pytest.Pytester) -> None:
    text = """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem, log=False)
            runtestprotocol(item, nextitem=nextitem)
            return True
    """
    pytester.makeconftest(dedent(CLIENT) + dedent(text))
    text = """
        attempts = []

        def test_leak(minilockd, send):
            send(minilockd, "SET order:42 me NX PX 30000")
            attempts.append(minilockd)
            assert len(attempts) == 2
    """
    result = run(pytester, text, "--minilockd-fail-on-held-locks")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["the test has left locks of *"])


def test_a_report_that_is_sent(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
        import pytest

        @pytest.fixture(autouse=True)
        def keep(pytestconfig):
            pytest.config = pytestconfig

        def pytest_runtest_logreport(report):
            data = pytest.config.hook.pytest_report_to_serializable(config=pytest.config, report=report)
            if data["longrepr"]:
                message = data["longrepr"]["reprcrash"]["message"]
                print("sent:", message.encode().split()[1:3])
    """)
    text = r"""
        def test_binary(minilockd):
            minilockd.execute("SET", "a", b"\xff")
            raise ValueError("value " + minilockd.execute("GET", "a") + " end")
    """
    result = run(pytester, text, "-s")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([r"*sent: *value*\udcff*"])


def test_texts_that_are_not_utf_8(pytester: pytest.Pytester) -> None:
    text = r"""
        def test_leak(minilockd, send):
            send(minilockd, r'SET "lock\x1b" "\xff\n" NX PX 30000')
            send(minilockd, r'"\xfe"')

        def test_error(minilockd):
            minilockd.execute(b"\xfe")
    """
    result = run(pytester, text, "--minilockd-fail-on-held-locks")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    assert str(result.stdout).encode()  # which pytest-xdist sends
    owner = r'"lock\\x1b" \(token\) is held by "\\xff\\n" since'
    result.stdout.re_match_lines([owner, r".* -> ERR unknown command '\\xfe'", r"E .*: ERR unknown command '\\xfe'"])
    assert "\x1b" not in str(result.stdout)


def test_a_test_that_passes_prints_nothing(pytester: pytest.Pytester) -> None:
    result = run(pytester, LEAK, "-rA")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*order:42*")


@pytest.mark.parametrize("fixture", ["minilockd", "minilockd_session"])
def test_a_test_that_fails(pytester: pytest.Pytester, fixture: str) -> None:
    text = f"""
        def test_wrong({fixture}, send):
            send({fixture}, "SET order:42 me NX PX 30000")
            assert False
    """
    result = run(pytester, text, "--minilockd-fail-on-held-locks")
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines(
        [
            r"-+ locks of minilockd on 127\.0\.0\.1:\d+ -+",
            r'"order:42" \(token\) is held by me since .*',
            r"-+ last 50 commands of minilockd on 127\.0\.0\.1:\d+ -+",
            r".*: SET order:42 me NX PX 30000",
        ]
    )


def test_a_fixture_that_fails(pytester: pytest.Pytester) -> None:
    text = """
        import pytest

        @pytest.fixture
        def wrong(minilockd, send):
            send(minilockd, "GET a")
            raise ValueError

        def test_it(wrong):
            pass
    """
    result = run(pytester, text)
    result.assert_outcomes(errors=1)
    result.stdout.re_match_lines([r"-+ locks of minilockd on .* -+", "none", r".*: GET a"])


def test_a_server_that_has_ended(pytester: pytest.Pytester) -> None:
    text = """
        import pytest
        import minilockd as package

        def test_it(minilockd):
            with pytest.raises(package.ConnectionLostError):
                minilockd.execute("SHUTDOWN")
            assert False
    """
    result = run(pytester, text)
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines([r"-+ minilockd on .* -+", "the server has ended with exit status 0"])


def test_a_server_that_its_test_closes(pytester: pytest.Pytester) -> None:
    text = """
        def test_closes(minilockd):
            minilockd.close()

        def test_closes_and_fails(minilockd):
            minilockd.close()
            assert False
    """
    result = run(pytester, text, "--minilockd-fail-on-held-locks")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines([r"-+ minilockd on .* -+", r"the server was closed by close\(\)"])


def test_the_commands_of_a_report(pytester: pytest.Pytester) -> None:
    text = """
        def test_it(minilockd, send):
            minilockd.execute("SET", "by", "execute")
            send(minilockd, "PING")
            send(minilockd, "MSET a " + 100 * "b" + ' c "' + 100 * "d " + '" e f')
            for _ in range(49):
                send(minilockd, "GET a")
            assert False
    """
    result = run(pytester, text)
    result.stdout.re_match_lines([r".*: MSET a b{80}… c \"(d ){39}d… e f$"])
    assert str(result.stdout).count(": GET a") == 49
    result.stdout.no_fnmatch_line("*by execute*")
    result.stdout.no_fnmatch_line("*: PING")


def test_a_fault_that_was_not_hit(pytester: pytest.Pytester) -> None:
    text = """
        def test_it(minilockd, send):
            rule = minilockd.faults.add("COMMAND get NTH 2 THEN CLOSE")
            send(minilockd, "GET a")
            assert rule.hits() == 1
    """
    result = run(pytester, text)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*#1 COMMAND get NTH 2 THEN CLOSE: 1 match, 0 hits*"])


def test_a_call_that_blocks(pytester: pytest.Pytester) -> None:
    text = """
        import threading
        from minilockd import _connection

        def block(server):
            try:
                server.execute("BLPOP", "list", 0)
            except Exception as error:
                print(error)

        def test_it(monkeypatch, minilockd, send):
            threading.Thread(target=block, args=(minilockd,)).start()
            while b"blocked_clients:1" not in send(minilockd, "INFO clients"):
                pass
            monkeypatch.setattr(_connection, "PATIENCE", 0)
    """
    result = run(pytester, text, "--minilockd-fail-on-held-locks")
    result.assert_outcomes(passed=1, errors=1)
    problem = "the connection that controls the server still waits for the reply to BLPOP list 0"
    result.stdout.fnmatch_lines([f"the locks that the test has left held are not known: {problem}", problem])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("databasess=3", "options of minilockd: unknown options: databasess"),
        ("fail_on_held_locks=3", "options of minilockd: fail_on_held_locks is true, false, or a pattern, not 3"),
        ("journal='many'", "options of minilockd: invalid literal *"),
        ("'order:*'", "options of minilockd: the marker minilockd takes options by name only, not 'order:[*]'"),
        ("args='--hz 10'", "options of minilockd: args is a list of words, not '--hz 10'"),
    ],
)
def test_wrong_options(pytester: pytest.Pytester, options: str, problem: str) -> None:
    text = f"""
        import pytest

        @pytest.mark.minilockd({options})
        def test_it(minilockd):
            pass
    """
    result = run(pytester, text)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([problem])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_a_binary_that_is_missing(pytester: pytest.Pytester) -> None:
    result = run(pytester, LEAK, "--minilockd-binary", "missing/minilockd")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["StartError: *missing/minilockd (from the option binary) cannot be run: *"])
