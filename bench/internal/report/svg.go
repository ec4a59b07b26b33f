package report

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// The chart, in pixels: a line with its name for each workload, below it a bar for each server.
const (
	chartWidth   = 820
	chartPadding = 16
	labelWidth   = 150
	barHeight    = 14
	barSpace     = 3
	groupTitle   = 26
	groupSpace   = 14
	lineHeight   = 18
	scaleHeight  = 24
	figureWidth  = 48 // next to a bar
)

// The background is white in every theme of a page, so one set of colors is enough.

// Colors on white: each has a contrast of at least 4.5 to the background, as text needs.
const background, textColor, grid = "#ffffff", "#1f2328", "#d1d9e0"

// servers are the servers with their own bars, and their texts below the title. The reference has none: all its bars
// would be at 1.
var servers = []struct{ name, color, text string }{
	{"redis-server/unix", "#59636e", "over a Unix domain socket"},
	{"miniredis", "#9a6700", "over TCP"},
	{"minilockd", "#0969da", "over TCP"},
	{"minilockd/unix", "#116d75", "over a Unix domain socket"},
	{"minilockd/memory", "#8250df", "in the client's process, over a pipe in memory"},
	{"minilockd/direct", "#bf3989", "in the client's process, by calls without a connection"},
}

// bar is one ratio to the reference: operations per second, so longer to the right is faster.
type bar struct {
	server string
	ratio  float64
}

// group is the bars of a workload, in the order in which its servers have run.
type group struct {
	workload string
	results  []bar
}

// SVG writes a picture that a page can include without scripts or fonts. It draws the throughput of the named workloads
// as ratios to the reference, each bar from 1 on a logarithmic scale that fits all of them.
func (r *Report) SVG(out io.Writer, workloads []string) error {
	groups := r.groups(workloads)
	c := &chart{exponent: exponentFor(groups)}
	c.title(r.Reference, groups)
	top := c.y
	c.y += scaleHeight
	for _, g := range groups {
		c.group(g)
	}
	_, err := fmt.Fprintf(out,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="%s">`+"\n"+
			`<path d="M0 0H%dV%dH0Z" fill="%s"/>`+"\n%s%s</svg>\n",
		chartWidth, c.y, textColor, chartWidth, c.y, background, c.scale(top, c.y-groupSpace), c.body.String())
	return err
}

// groups returns the bars of the workloads that the reference has run.
func (r *Report) groups(workloads []string) (groups []group) {
	for _, name := range workloads {
		base := r.Find(name, r.Reference)
		if base == nil {
			continue
		}
		g := group{workload: name}
		for _, row := range r.Rows {
			ratio := row.Ratio(base, load.Result.OpsPerSecond)
			if row.Workload == name && row != base && ratio > 0 {
				g.results = append(g.results, bar{row.Server, ratio})
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// exponentFor is the power of 4 that the scale goes to, and down to: at least 1, so from 1/4 to 4. The scale is
// symmetric, so that a bar to the left is as long as the bar of the inverse ratio.
func exponentFor(groups []group) int {
	exponent := 1
	for _, g := range groups {
		for _, b := range g.results {
			exponent = max(exponent, int(math.Ceil(math.Abs(math.Log2(b.ratio))/2)))
		}
	}
	return exponent
}

// chart is written from top to bottom: y is where the next element goes.
type chart struct {
	body     strings.Builder
	exponent int
	y        int
}

// title writes the title and the names of the servers in the chart.
func (c *chart) title(reference string, groups []group) {
	c.y = chartPadding + 14
	fmt.Fprintf(&c.body,
		`<text x="%d" y="%d" font-size="15" font-weight="bold">Throughput as a multiple of %s's, over TCP</text>`+"\n",
		chartPadding, c.y, html.EscapeString(reference))
	c.y += lineHeight
	fmt.Fprintf(&c.body,
		`<text x="%d" y="%d">Bars to the right are faster, to the left slower; the scale is logarithmic. `+
			`50x16: 50 connections, 16 commands in each write.</text>`+"\n", chartPadding, c.y)
	c.y += 8
	for _, s := range servers {
		if !hasBar(groups, s.name) {
			continue
		}
		fmt.Fprintf(&c.body,
			`<rect x="%d" y="%d" width="12" height="12" rx="2" fill="%s"/><text x="%d" y="%d">%s: %s</text>`+"\n",
			chartPadding, c.y+4, s.color, chartPadding+20, c.y+14, s.name, s.text)
		c.y += lineHeight
	}
	c.y += groupSpace
}

// hasBar reports whether a server has a bar in any group: else it is not named below the title.
func hasBar(groups []group, server string) bool {
	for _, g := range groups {
		for _, b := range g.results {
			if b.server == server {
				return true
			}
		}
	}
	return false
}

// scale writes the lines of the scale, between two heights, with their values above them.
func (c *chart) scale(top, bottom int) string {
	var lines strings.Builder
	for e := -c.exponent; e <= c.exponent; e++ {
		x, color := c.x(math.Pow(4, float64(e))), grid
		if e == 0 {
			color = textColor
		}
		fmt.Fprintf(&lines, `<path d="M%.1f %dV%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			x, top+scaleHeight-8, bottom, color, x, top+scaleHeight-12, multiple(e))
	}
	return lines.String()
}

// multiple is 4 to the power of exponent as the scale has it: 1/16, 1/4, 1×, 4×, 16×.
func multiple(exponent int) string {
	if exponent < 0 {
		return fmt.Sprintf("1/%d", 1<<(-2*exponent))
	}
	return fmt.Sprintf("%d×", 1<<(2*exponent))
}

// x returns the horizontal position of a ratio, on the logarithmic scale. There is space for figures next to the
// outermost ones.
func (c *chart) x(ratio float64) float64 {
	const left, right = chartPadding + labelWidth + figureWidth, chartWidth - chartPadding - figureWidth
	share := math.Log2(ratio) / float64(4*c.exponent) // from -1/2 to 1/2
	return left + (right-left)*(0.5+share)
}

// group writes the name of a workload and its bars below it.
func (c *chart) group(g group) {
	fmt.Fprintf(&c.body, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", chartPadding, c.y+16,
		html.EscapeString(g.workload))
	c.y += groupTitle
	for _, b := range g.results {
		c.bar(b)
	}
	c.y += groupSpace
}

// bar writes the name of the server, the bar from 1 to the ratio, and the ratio at its end. A bar of no width would be
// invisible, so it has at least one pixel.
func (c *chart) bar(b bar) {
	one, end := c.x(1), c.x(b.ratio)
	figure, anchor := end+5, "start"
	if b.ratio < 1 {
		figure, anchor = end-5, "end"
	}
	fmt.Fprintf(&c.body,
		`<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+
			`<text x="%.1f" y="%d" text-anchor="%s">%.2f</text>`+"\n",
		chartPadding+labelWidth-8, c.y+11, html.EscapeString(b.server), min(one, end), c.y, max(1,
			math.Abs(end-one)), barHeight, color(b.server),
		figure, c.y+11, anchor, b.ratio)
	c.y += barHeight + barSpace
}

// color is that of a server, as below the title; textColor for a server that is not in the list.
func color(server string) string {
	for _, s := range servers {
		if s.name == server {
			return s.color
		}
	}
	return textColor
}
