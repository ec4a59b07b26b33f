package exporter

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/oliver006/redis_exporter/exporter"
	"github.com/sirupsen/logrus"
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// metrics is what the exporter shows of a server: the names, each series with its value, and what it has logged
// meanwhile.
type metrics struct {
	names  map[string]bool
	series map[string]string
	logged string
}

// own is how the names of metrics begin that the exporter has of itself, whatever the server answers.
var own = regexp.MustCompile(`^redis_(exporter|target_scrape_request_errors)_`)

// scrape lets an exporter ask the server, and reads its page as Prometheus does.
func scrape(t *testing.T, s target, options exporter.Options) metrics {
	t.Helper()
	var log testenv.Buffer
	logrus.SetOutput(&log)
	logrus.SetFormatter(&logrus.TextFormatter{DisableTimestamp: true})
	defer logrus.SetOutput(os.Stderr)

	e, err := exporter.NewRedisExporter("redis://"+s.addr, options)
	require.NoError(t, err)
	page := httptest.NewRecorder()
	e.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, page.Code, page.Body.String())
	require.Regexp(t, `(?m)^redis_exporter_last_scrape_error\{.*\} 0$`, page.Body.String())
	m := readPage(page.Body.String())
	m.logged = log.String()
	return m
}

// readPage leaves out what the exporter has of itself.
func readPage(page string) metrics {
	m := metrics{names: map[string]bool{}, series: map[string]string{}}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			if name, _, _ := strings.Cut(rest, " "); !own.MatchString(name) {
				m.names[name] = true
			}
		}
		if at := strings.LastIndexByte(line, ' '); line[0] != '#' && !own.MatchString(line) {
			if series, ok := sameLabels(line[:at]); ok {
				m.series[series] = line[at+1:]
			}
		}
	}
	return m
}

// ofOneServer are labels and values that no other server has.
var ofOneServer = regexp.MustCompile(`\b(id|port|os|process_id|redis_build_id|run_id|master_replid|tcp_port)="[^"]*"`)

// notSame are settings that belong to one server, or that are not those of a redis-server by default.
var notSame = regexp.MustCompile(`^redis_config_(key_)?value\{.*key="(dir|port|protected-mode|enable-debug-command)"`)

// sameLabels puts a ? for what no other server has. How long commands took decides which buckets a histogram shows:
// of these only the last, which is always there, is kept.
func sameLabels(series string) (string, bool) {
	if strings.Contains(series, "_bucket{") && !strings.Contains(series, `le="+Inf"`) || notSame.MatchString(series) {
		return "", false
	}
	return ofOneServer.ReplaceAllString(series, `$1="?"`), true
}
