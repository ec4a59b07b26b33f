package report

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// drawing is what a test looks at of an SVG.
type drawing struct {
	ViewBox string `xml:"viewBox,attr"`
	Rects   []struct {
		X      float64 `xml:"x,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Fill   string  `xml:"fill,attr"`
	} `xml:"rect"`
	Texts []string `xml:"text"`
}

func draw(t *testing.T, r *Report) (d drawing) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, r.SVG(&out, []string{"locks", "none"}))
	require.NoError(t, xml.Unmarshal([]byte(out.String()), &d))
	return d
}

// A bar is as long as its ratio says, however large that is, and within the picture.
func TestReport_SVG_NoBarIsCut(t *testing.T) {
	r := &Report{Reference: reference}
	ratios := map[string]float64{"miniredis": 0.01, "minilockd": 2, "minilockd/direct": 40}
	r.Add("locks", reference, result(1000, 1), nil)
	for _, name := range []string{"miniredis", "minilockd", "minilockd/direct"} {
		r.Add("locks", name, result(int64(1000*ratios[name]), 1), nil)
	}
	d := draw(t, r)
	width, err := strconv.ParseFloat(strings.Fields(d.ViewBox)[2], 64)
	require.NoError(t, err)
	lengths := make(map[string]float64)
	for _, b := range d.Rects {
		if b.Height == barHeight {
			require.Greater(t, b.X, 0.0)
			require.Less(t, b.X+b.Width, width-figureWidth)
			lengths[b.Fill] = b.Width
		}
	}
	require.Len(t, lengths, 3)
	for name, ratio := range ratios {
		require.InDelta(t, math.Abs(math.Log2(ratio))*lengths[color("minilockd")], lengths[color(name)], 1, name)
	}
}

// Below the title are only the servers in the chart; the figures are next to the bars.
func TestReport_SVG_TitleAndFigures(t *testing.T) {
	r := compared()
	r.Add("locks", "minilockd/direct", result(9000, 1), nil)
	r.Add("locks", "minilockd/direct", result(9000, 1), nil)
	r.Add("locks", "minilockd/direct", result(9000, 1), nil)
	texts := strings.Join(draw(t, r).Texts, "\n")
	require.Contains(t, texts, "minilockd/direct: in the client's process")
	require.NotContains(t, texts, "minilockd/memory")
	require.Contains(t, texts, "\n0.50\n")
	require.Contains(t, texts, "\n1×\n")
}

// All colors are legible on the background.
func TestColours_Contrast(t *testing.T) {
	require.GreaterOrEqual(t, contrast(t, textColor, background), 7.0)
	for _, s := range servers {
		require.GreaterOrEqual(t, contrast(t, s.color, background), 4.5, s.name)
	}
}

// contrast is the ratio of two colors' luminance, as WCAG defines it.
func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, color string) (sum float64) {
	t.Helper()
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err)
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}
