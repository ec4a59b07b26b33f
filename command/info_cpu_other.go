//go:build !unix || solaris || illumos || aix

package command

// infoCPU has no portable source here.
func infoCPU(*infoReport) {}
