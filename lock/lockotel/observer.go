package lockotel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/minilockd/minilockd/lock"
)

// scope is the instrumentation scope.
const scope = "github.com/minilockd/minilockd/lock/lockotel"

// Option sets how an [Observer] works.
type Option func(*Observer)

// WithMeterProvider sets the provider of meters, by default the global one.
func WithMeterProvider(p metric.MeterProvider) Option { return func(o *Observer) { o.meters = p } }

// WithTracerProvider sets the provider of tracers, by default the global one.
func WithTracerProvider(p trace.TracerProvider) Option { return func(o *Observer) { o.tracers = p } }

// WithNames adds the names of locks to metrics. Spans have them anyway.
func WithNames() Option { return func(o *Observer) { o.names = true } }

// Observer implements lock.Observer. Make it with [New].
type Observer struct {
	lock.NopObserver
	meters  metric.MeterProvider
	tracers trace.TracerProvider
	names   bool

	tracer   trace.Tracer
	waits    metric.Float64Histogram
	holds    metric.Float64Histogram
	held     metric.Int64UpDownCounter
	renewals metric.Int64Counter
}

// New returns an observer for lock.WithObserver. Any number of clients may share it.
func New(options ...Option) *Observer {
	o := &Observer{meters: otel.GetMeterProvider(), tracers: otel.GetTracerProvider()}
	for _, option := range options {
		option(o)
	}
	o.tracer = o.tracers.Tracer(scope)
	o.instruments(o.meters.Meter(scope))
	return o
}

// instruments makes the instruments. If the SDK rejects a name, that instrument records nothing.
func (o *Observer) instruments(m metric.Meter) {
	var errs [4]error
	o.waits, errs[0] = m.Float64Histogram("lock.wait.duration", metric.WithUnit("s"),
		metric.WithDescription("How long locks were waited for."))
	o.holds, errs[1] = m.Float64Histogram("lock.hold.duration", metric.WithUnit("s"),
		metric.WithDescription("How long locks were held."))
	o.held, errs[2] = m.Int64UpDownCounter("lock.held", metric.WithUnit("{lock}"),
		metric.WithDescription("Locks that are held."))
	o.renewals, errs[3] = m.Int64Counter("lock.renewals", metric.WithUnit("{renewal}"),
		metric.WithDescription("Leases that the watchdog has renewed, or tried to."))
	if err := errors.Join(errs[:]...); err != nil {
		otel.Handle(err)
	}
}

// Waited implements lock.Observer.
func (o *Observer) Waited(ctx context.Context, e lock.Event) {
	result := "acquired"
	switch {
	case errors.Is(e.Err, lock.ErrTimeout):
		result = "timeout"
	case e.Err != nil:
		result = "error"
	}
	o.waits.Record(ctx, e.Duration.Seconds(), o.with(e, result))
	o.span(ctx, "wait for "+e.Kind, e, result)
}

// Acquired implements lock.Observer.
func (o *Observer) Acquired(ctx context.Context, e lock.Event) { o.held.Add(ctx, 1, o.with(e, "")) }

// Renewed implements lock.Observer.
func (o *Observer) Renewed(ctx context.Context, e lock.Event) {
	result := "renewed"
	if e.Err != nil {
		result = "error"
	}
	o.renewals.Add(ctx, 1, o.with(e, result))
}

// Released implements lock.Observer.
func (o *Observer) Released(ctx context.Context, e lock.Event) { o.ended(ctx, e, "released") }

// Lost implements lock.Observer.
func (o *Observer) Lost(ctx context.Context, e lock.Event) { o.ended(ctx, e, "lost") }

func (o *Observer) ended(ctx context.Context, e lock.Event, result string) {
	o.held.Add(ctx, -1, o.with(e, ""))
	o.holds.Record(ctx, e.Duration.Seconds(), o.with(e, result))
	o.span(ctx, "hold "+e.Kind, e, result)
}

// with returns the attributes of a recorded value.
func (o *Observer) with(e lock.Event, result string) metric.MeasurementOption {
	attrs := []attribute.KeyValue{attribute.String("lock.kind", e.Kind)}
	if result != "" {
		attrs = append(attrs, attribute.String("lock.outcome", result))
	}
	if o.names {
		attrs = append(attrs, attribute.String("lock.name", e.Name))
	}
	return metric.WithAttributes(attrs...)
}

// span records a span that has ended.
func (o *Observer) span(ctx context.Context, name string, e lock.Event, result string) {
	_, span := o.tracer.Start(ctx, name, trace.WithTimestamp(e.Time.Add(-e.Duration)), trace.WithAttributes(
		attribute.String("lock.kind", e.Kind), attribute.String("lock.name", e.Name),
		attribute.String("lock.owner", e.Owner), attribute.String("lock.outcome", result)))
	if e.Err != nil {
		span.RecordError(e.Err, trace.WithTimestamp(e.Time))
		span.SetStatus(codes.Error, result)
	}
	span.End(trace.WithTimestamp(e.Time))
}
