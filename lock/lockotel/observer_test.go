package lockotel_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/lock/lockotel"
	"github.com/minilockd/minilockd/server"
)

func TestObserver_MeasuresAndTraces(t *testing.T) {
	ctx := context.Background()
	srv := server.StartT(t)
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	defer rdb.Close()
	reader, spans := sdkmetric.NewManualReader(), tracetest.NewSpanRecorder()
	locks := lock.New(rdb, lock.WithClock(srv.Clock()), lock.WithObserver(lockotel.New(lockotel.WithNames(),
		lockotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))),
		lockotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))))
	defer locks.Close()

	m := locks.Mutex("m")
	h, err := m.Lock(ctx, lock.Lease(time.Minute))
	require.NoError(t, err)
	_, err = m.Lock(ctx, lock.WithWait(time.Millisecond))
	require.ErrorIs(t, err, lock.ErrTimeout)
	srv.Advance(time.Minute)
	<-h.Lost()
	require.Eventually(t, func() bool { return len(spans.Ended()) == 2 }, 10*time.Second, time.Millisecond)
	require.NoError(t, m.Do(ctx, func(context.Context) error { return nil }))

	ended := spans.Ended()
	require.Len(t, ended, 3)
	for i, want := range []struct{ name, result string }{
		{"wait for lock", "timeout"}, {"hold lock", "lost"}, {"hold lock", "released"},
	} {
		require.Equal(t, want.name, ended[i].Name())
		require.Contains(t, ended[i].Attributes(), attribute.String("lock.name", "m"))
		require.Contains(t, ended[i].Attributes(), attribute.String("lock.outcome", want.result))
	}
	require.Equal(t, codes.Error, ended[1].Status().Code)
	held := ended[1].EndTime().Sub(ended[1].StartTime())
	require.Greater(t, held, time.Minute/2)
	require.LessOrEqual(t, held, time.Minute, "the lease counts from before the lock was asked for")

	got := collect(t, reader)
	require.EqualValues(t, 1, got["lock.wait.duration"].(metricdata.Histogram[float64]).DataPoints[0].Count)
	require.Len(t, got["lock.hold.duration"].(metricdata.Histogram[float64]).DataPoints, 2, "one lost and one released")
	require.Zero(t, got["lock.held"].(metricdata.Sum[int64]).DataPoints[0].Value)
}

func collect(t *testing.T, reader sdkmetric.Reader) map[string]metricdata.Aggregation {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(context.Background(), &all))
	found := map[string]metricdata.Aggregation{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			found[m.Name] = m.Data
		}
	}
	return found
}
