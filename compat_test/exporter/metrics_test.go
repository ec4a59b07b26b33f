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

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// metrics is what the exporter shows of a server: the names, each series with its value, and what it has logged.
type metrics struct {
	names  map[string]bool
	series map[string]string
	logged string
}

// own matches the names of metrics about the exporter itself.
var own = regexp.MustCompile(`^redis_(exporter|target_scrape_request_errors)_`)

// scrape lets an exporter query the server, and reads its page as Prometheus does.
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

// readPage reads a page without the metrics about the exporter.
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

// ofOneServer matches labels whose values differ between servers.
var ofOneServer = regexp.MustCompile(`\b(id|port|os|process_id|redis_build_id|run_id|master_replid|tcp_port)="[^"]*"`)

// notSame matches parameters whose values differ between servers.
var notSame = regexp.MustCompile(`^redis_config_(key_)?value\{.*key="(dir|port|protected-mode|enable-debug-command)"`)

// sameLabels replaces values that differ between servers by ?. Which buckets a histogram shows depends on time: only
// the last one, which is always there, is kept.
func sameLabels(series string) (string, bool) {
	if strings.Contains(series, "_bucket{") && !strings.Contains(series, `le="+Inf"`) || notSame.MatchString(series) {
		return "", false
	}
	return ofOneServer.ReplaceAllString(series, `$1="?"`), true
}
