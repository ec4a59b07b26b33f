package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// maven makes a Maven repository with the artifacts for Java: the code of packaging/maven, and a jar for each binary.
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
	for pattern, names := range map[string][]string{
		"*/pom.xml": {"LICENSE"}, "binaries/*/pom.xml": {"LICENSE", thirdParty},
	} {
		poms, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, pom := range poms {
			if err := copyLicences(dir, filepath.Dir(pom), names); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyLicences copies files to the resources of a module.
func copyLicences(from, module string, names []string) error {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		to := filepath.Join(module, "src", "main", "resources", "META-INF", name)
		if err := writeFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// removeMetadata removes the files that have the time of the deployment. They list the versions of an artifact: a
// project that names a version does not need them, and Maven Central makes its own.
func removeMetadata(repository string) error {
	names, err := filepath.Glob(filepath.Join(repository, "io", "minilockd", "*", "maven-metadata.xml*"))
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return err
}
