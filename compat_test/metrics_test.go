package compat

import (
	"net/http"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
	"github.com/minilockd/minilockd/web"
)

// Prometheus' own parser reads /metrics, with a fault rule whose text needs all escapes.
func TestMetrics_PrometheusReadsThem(t *testing.T) {
	srv := server.StartT(t)
	const rule = `COMMAND get THEN ERROR "ERR a \\ \"quoted\" text"`
	_, err := srv.Faults().AddLine(rule)
	require.NoError(t, err)
	page, err := web.Start(srv, "127.0.0.1:0", web.Options{})
	require.NoError(t, err)
	defer page.Close()
	reply, err := http.Get(page.URL() + "metrics")
	require.NoError(t, err)
	defer reply.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(reply.Body)
	require.NoError(t, err)
	hits := families["minilockd_fault_hits_total"].GetMetric()
	require.Len(t, hits, 1)
	require.Equal(t, rule, hits[0].GetLabel()[1].GetValue())
	require.Equal(t, "COUNTER", families["minilockd_commands_total"].GetType().String())
	require.Equal(t, "Connected clients.", families["minilockd_clients"].GetHelp())
	require.Len(t, families["go_goroutines"].GetMetric(), 1)
}
