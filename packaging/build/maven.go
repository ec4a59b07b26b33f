package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maven makes a Maven repository with the artifacts for Java: the Java code of packaging/maven, and a jar for each binary.
func maven(b *build) error {
	dir, err := b.stage("maven")
	if err != nil {
		return err
	}
	for _, p := range b.platforms {
		if err := b.stageBinary(dir, p); err != nil {
			return err
		}
	}
	if err := stageLicences(dir); err != nil {
		return err
	}
	out := filepath.Join(b.out, "maven")
	// Nothing is installed: a release in the local repository would hide another build of the same version from Maven.
	err = b.run(dir, "mvn", "-B", "-q", "deploy", "-Partifacts", "-Dmaven.test.skip", "-Dmaven.install.skip",
		"-DaltDeploymentRepository=dist::file://"+filepath.ToSlash(out))
	if err != nil {
		return err
	}
	return removeMetadata(out)
}

// stageBinary puts the binary of a platform into the resources of its module, with what the launcher needs to know.
func (b *build) stageBinary(dir string, p platform) error {
	binary, err := os.ReadFile(b.binary(p))
	if err != nil {
		return err
	}
	name := p.os + "-" + p.arch
	resources := filepath.Join(dir, "binaries", name, "src", "main", "resources", "META-INF", "minilockd", name)
	if err := writeFile(filepath.Join(resources, p.executable()), binary, 0o755); err != nil {
		return err
	}
	properties := fmt.Sprintf("version=%s\nsize=%d\nsha256=%x\n", b.version, len(binary), sha256.Sum256(binary))
	return writeFile(filepath.Join(resources, "binary.properties"), []byte(properties), 0o644)
}

// stageLicences puts the licences into META-INF of all jars; those of others are for the binary only.
func stageLicences(dir string) error {
	poms, err := filepath.Glob(filepath.Join(dir, "*", "pom.xml"))
	if err != nil {
		return err
	}
	binaries, err := filepath.Glob(filepath.Join(dir, "binaries", "*", "pom.xml"))
	if err != nil {
		return err
	}
	for _, pom := range append(poms, binaries...) {
		names := []string{"LICENSE"}
		if strings.HasPrefix(pom, filepath.Join(dir, "binaries")) {
			names = append(names, thirdParty)
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			to := filepath.Join(filepath.Dir(pom), "src", "main", "resources", "META-INF", name)
			if err := writeFile(to, text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeMetadata removes the files that have the time of the deployment. They list the versions of an artifact: projects
// that name a version do not need them, and Maven Central makes its own.
func removeMetadata(repository string) error {
	names, err := filepath.Glob(filepath.Join(repository, "io", "minilockd", "*", "maven-metadata.xml*"))
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return err
}
