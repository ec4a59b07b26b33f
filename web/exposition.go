package web

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// exposition is a page of metrics in Prometheus' text format, version 0.0.4: for each metric its help, its type and a
// line for each combination of labels.
type exposition struct{ text bytes.Buffer }

// escaped are the characters of label values that the format escapes.
var escaped = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// metric is one name, to which samples are added.
type metric struct {
	page   *exposition
	name   string
	labels []string // their names
}

func (e *exposition) gauge(name, help string, labels ...string) metric {
	return e.metric("gauge", name, help, labels)
}

func (e *exposition) counter(name, help string, labels ...string) metric {
	return e.metric("counter", name, help, labels)
}

func (e *exposition) metric(kind, name, help string, labels []string) metric {
	name = namespace + "_" + name
	fmt.Fprintf(&e.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	return metric{e, name, labels}
}

// add adds a sample, with the values of the labels.
func (m metric) add(value float64, labels ...string) {
	text := &m.page.text
	text.WriteString(m.name)
	for i, label := range labels {
		text.WriteString(separator(i))
		text.WriteString(m.labels[i] + `="` + escaped.Replace(label) + `"`)
	}
	if len(labels) > 0 {
		text.WriteByte('}')
	}
	text.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

// separator comes before label i.
func separator(i int) string {
	if i == 0 {
		return "{"
	}
	return ","
}
