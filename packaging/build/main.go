// Command build makes the packages of minilockd, for all systems and languages, in dist/:
//
//	go run ./packaging/build                      all of them
//	go run ./packaging/build -out /tmp/dist npm   those of npm alone
//
// The same commit gives the same bytes. Publishing them is a step of its own: see packaging/README.md.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ecosystems are the arguments of the command, each with what makes its packages.
var ecosystems = []struct {
	name string
	make func(*build) error
}{
	{"archives", archives},
	{"pypi", pypi},
	{"npm", npm},
	{"maven", maven},
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// build is one run of the command.
type build struct {
	version   string     // of the packages, such as "0.1.0"
	root, out string     // the checkout, and where the packages go
	bin       string     // where the binaries are
	work      string     // a temporary folder
	platforms []platform // those to build the binary for

	thirdParty []byte // the text of that file
}

// run makes the packages, and writes where they are.
func run(args []string, output io.Writer) (err error) {
	b := &build{platforms: platforms}
	names, err := b.parse(args)
	if err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "minilockd-packages-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	b.bin = cmp.Or(b.bin, filepath.Join(b.work, "bin"))
	if err := b.binaries(); err != nil {
		return err
	}
	if b.thirdParty, err = b.readThirdParty(); err != nil {
		return err
	}
	for _, e := range ecosystems {
		if len(names) > 0 && !slices.Contains(names, e.name) {
			continue
		}
		if err := b.fresh(e.name); err != nil {
			return err
		}
		if err := e.make(b); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		fmt.Fprintln(output, e.name, "packages are in", filepath.Join(b.out, e.name))
	}
	return b.sums()
}

// parse reads the command line and returns the names of ecosystems in it.
func (b *build) parse(args []string) (names []string, err error) {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.StringVar(&b.out, "out", "dist", "the folder for the packages, within the checkout if it is relative")
	flags.StringVar(&b.bin, "bin", "", "a folder for the binaries; those that are in it, such as signed ones, are taken")
	flags.StringVar(&b.version, "version", "", "the version of the packages; the next release's if it is not given")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "Usage: build [options] [%s]\n", strings.Join(knownEcosystems(), "] ["))
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	for _, name := range flags.Args() {
		if !slices.Contains(knownEcosystems(), name) {
			return nil, fmt.Errorf("%q is not one of %s", name, strings.Join(knownEcosystems(), ", "))
		}
	}
	if b.root, err = checkout(); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(b.out) {
		b.out = filepath.Join(b.root, b.out)
	}
	if b.version == "" {
		b.version, err = nextRelease(b.root)
	}
	return flags.Args(), err
}

func knownEcosystems() (names []string) {
	for _, e := range ecosystems {
		names = append(names, e.name)
	}
	return names
}

// fresh makes an empty folder in out.
func (b *build) fresh(name string) error {
	dir := filepath.Join(b.out, name)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}
