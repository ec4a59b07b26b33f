package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// The chart, in pixels. Ratios beyond the limit are drawn as far as it and told in figures.
const (
	chartWidth = 760
	labelWidth = 150
	barsWidth  = 500
	barHeight  = 14
	titleGap   = 26
	groupGap   = 10
	limit      = 4.0
)

// Colours that can be told apart and read on white and on black; the ground is left transparent.
var colours = map[string]string{
	"redis-server/unix": "#8b949e", "miniredis": "#b08800", "minilockd": "#2f81f7", "minilockd/unix": "#1a9e96",
	"minilockd/memory": "#8957e5", "minilockd/direct": "#bf4b8a",
}

const ink = "#7d8590"

// SVG draws the throughput of the workloads of these names as ratios to the reference.
func (r *Report) SVG(out io.Writer, workloads []string) error {
	var body strings.Builder
	y := 40
	for _, name := range workloads {
		y = r.drawGroup(&body, name, y)
	}
	var text strings.Builder
	fmt.Fprintf(&text, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="%s">`+"\n",
		chartWidth, y, ink)
	fmt.Fprintf(&text, `<text x="0" y="14" font-size="14">Throughput, %s = 1 (connections x commands per write)</text>`+"\n", r.Reference)
	text.WriteString(body.String())
	one := labelWidth + barsWidth/limit
	fmt.Fprintf(&text, `<line x1="%.0f" x2="%.0f" y1="30" y2="%d" stroke="%s" stroke-dasharray="3 3"/>`+"\n</svg>\n", one, one, y-groupGap, ink)
	_, err := io.WriteString(out, text.String())
	return err
}

// drawGroup draws the bars of a workload from y on and returns where the next one begins.
func (r *Report) drawGroup(text *strings.Builder, workload string, y int) int {
	base := r.Find(workload, r.Reference)
	if base == nil {
		return y
	}
	fmt.Fprintf(text, `<text x="0" y="%d" font-weight="bold">%s</text>`+"\n", y+barHeight, html.EscapeString(workload))
	y += titleGap
	for _, row := range r.Rows {
		ratio := row.Ratio(base, load.Result.OpsPerSecond)
		if row.Workload != workload || row == base || ratio == 0 {
			continue
		}
		width := min(ratio, limit) / limit * barsWidth
		fmt.Fprintf(text, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`+
			`<text x="%.1f" y="%d">%.2f</text>`+"\n", labelWidth-8, y+11, html.EscapeString(row.Server), labelWidth, y, width, barHeight,
			colour(row.Server), labelWidth+width+6, y+11, ratio)
		y += barHeight + 3
	}
	return y + groupGap
}

func colour(server string) string {
	if c, ok := colours[server]; ok {
		return c
	}
	return ink
}
