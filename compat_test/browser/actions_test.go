package browser

import (
	"context"

	"github.com/chromedp/chromedp"
)

// blur takes the focus from what has it.
func blur(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
	_, err = chromedp.Evaluate[bool]("(document.activeElement.blur(), true)")(ctx, target)
	return none, err
}

// reload loads the page again.
func reload(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
	return chromedp.Reload()(ctx, target)
}
