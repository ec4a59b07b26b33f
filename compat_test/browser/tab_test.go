// Package browser tests the page of a server in Chromium.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// patience is how long a test waits for the page to show something, and for the browser to start. A test that passes
// never waits as long.
const patience = 2 * time.Minute

// screenshots is the folder of the pictures that the tests take.
const screenshots = "screenshots"

// tab is a page in a browser of its own.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// collectProblems makes a page note what the tests must not see: errors in scripts, and what its policy has blocked.
const collectProblems = `
window.problems = [];
addEventListener("error", (e) => problems.push(String(e.message)));
addEventListener("unhandledrejection", (e) => problems.push(String(e.reason)));
addEventListener("securitypolicyviolation", (e) =>
	problems.push("blocked: " + e.violatedDirective + " " + e.blockedURI));`

// open opens a URL. The test is skipped where there is no Chromium, but fails in CI.
func open(t *testing.T, url string) *tab {
	t.Helper()
	path := chromium(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	b := &tab{t, ctx}
	require.NoError(t, chromedp.Do(ctx)) // starts the browser, which the context of the first action ends
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: collectProblems})
		return none, err
	})
	b.desktop()
	b.do(chromedp.Navigate(url))
	t.Cleanup(func() {
		if !t.Failed() {
			require.Equal(t, "[]", evaluate[string](b, "JSON.stringify(window.problems)"))
		}
	})
	return b
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	testenv.Missing(t, "Chromium is not installed (Debian: apt install chromium)")
	return ""
}

// do runs actions.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	require.NoError(b.t, chromedp.Do(ctx, actions...))
}

// evaluate returns the value of a JavaScript expression.
func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err, expression)
	return value
}

// wait waits until a JavaScript expression is true. It has $(selector) for the text of an element that is visible.
func (b *tab) wait(format string, args ...any) {
	b.t.Helper()
	expression := fmt.Sprintf(format, args...)
	const text = `const $ = (s) => {
		const e = document.querySelector(s);
		return e?.checkVisibility() ? e.innerText : "";
	};`
	_, err := chromedp.Run(b.ctx, chromedp.PollFunction[bool]("() => {"+text+"return "+expression+"}",
		chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		b.t.Fatalf("%s: %v; the page:\n%s", expression, err, evaluate[string](b, "document.body.innerText"))
	}
}

// shows waits until an element contains a text.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.wait("$(%q).includes(%q)", selector, text)
}

// click clicks with the mouse.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(selector))
}

// press presses keys.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// tabTo presses the Tab key until an element has the focus. The page must have fewer controls than that.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	const most = 100
	for range most {
		if evaluate[bool](b, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("Tab does not reach %s", selector)
}

// typeOver replaces what is in the input that has the focus.
func (b *tab) typeOver(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.press(text)
}

func (b *tab) desktop() { b.do(chromedp.EmulateViewport(1440, 900)) }

func (b *tab) phone() {
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateScale(2)))
}

// colors makes the system prefer light or dark colors.
func (b *tab) colors(scheme string) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return none, err
	})
	b.wait("document.documentElement.dataset.theme === %q", scheme)
}

// screenshot saves a picture of the whole page.
func (b *tab) screenshot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(screenshots, 0o777))
	require.NoError(b.t, os.WriteFile(filepath.Join(screenshots, name+".png"), png, 0o666))
}

// pictures saves pictures in both colors and both sizes, and checks that nothing is wider than the screen.
func (b *tab) pictures(name string) {
	b.t.Helper()
	sizes := []struct {
		name string
		set  func()
	}{{"phone", b.phone}, {"desktop", b.desktop}}
	for _, size := range sizes {
		size.set()
		b.wait("document.documentElement.scrollWidth <= innerWidth")
		for _, scheme := range []string{"light", "dark"} {
			b.colors(scheme)
			b.screenshot(name + "-" + size.name + "-" + scheme)
		}
	}
}
