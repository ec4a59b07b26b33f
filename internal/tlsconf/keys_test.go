package tlsconf

import (
	"crypto/tls"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/certs"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// Keys that OpenSSL has encrypted are decrypted, and no others.
func TestBuild_EncryptedKeys(t *testing.T) {
	testenv.RequirePrograms(t, "openssl")
	set, err := certs.Generate(time.Now())
	require.NoError(t, err)
	key, err := certs.KeyPEM(set.Server)
	require.NoError(t, err)
	dir := t.TempDir()
	plain, encrypted, cert := filepath.Join(dir, "plain"), filepath.Join(dir, "encrypted"), filepath.Join(dir, "cert")
	require.NoError(t, os.WriteFile(plain, key, 0o600))
	require.NoError(t, os.WriteFile(cert, certs.PEM(set.Server.Leaf), 0o600))
	p := Parameters{CertFile: cert, KeyFile: encrypted, KeyFilePass: "secret", AuthClients: "no"}
	for _, c := range []struct {
		how []string
		err string
	}{
		{[]string{"pkcs8", "-topk8"}, ""},
		{[]string{"pkcs8", "-topk8", "-v2", "aes128", "-v2prf", "hmacWithSHA1"}, ""},
		{[]string{"pkcs8", "-topk8", "-v2", "aes192", "-v2prf", "hmacWithSHA512"}, ""},
		{[]string{"ec", "-aes256"}, ""},
		{[]string{"pkcs8", "-topk8", "-nocrypt"}, ""},
		{[]string{"pkcs8", "-topk8", "-v2", "des3"}, "in a way that minilockd does not know"},
	} {
		testenv.Run(t, exec.Command("openssl", append(c.how, "-in", plain, "-out", encrypted, "-passout", "pass:secret")...))
		r, err := p.Build(nil)
		if c.err != "" {
			require.ErrorContains(t, err, c.err, c.how)
			continue
		}
		require.NoError(t, err, c.how)
		require.Equal(t, set.Server.Leaf.SerialNumber, r.Own().SerialNumber)
		wrong := p
		wrong.KeyFilePass = "wrong"
		if _, err = wrong.Build(nil); c.how[len(c.how)-1] != "-nocrypt" {
			require.ErrorContains(t, err, "missing or wrong", c.how)
		}
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string][2]uint16{
		"":                {tls.VersionTLS12, tls.VersionTLS13},
		"TLSv1.2":         {tls.VersionTLS12, tls.VersionTLS12},
		"tlsv1.3 TLSv1.1": {tls.VersionTLS11, tls.VersionTLS13},
		"TLSv1":           {tls.VersionTLS10, tls.VersionTLS10},
	} {
		low, high, err := versions(text)
		require.NoError(t, err)
		require.Equal(t, want, [2]uint16{low, high}, text)
	}
	_, _, err := versions("TLSv1.2 SSLv3")
	require.ErrorIs(t, err, errProtocols)
}

func TestCipherSuites(t *testing.T) {
	for list, want := range map[string][]uint16{
		"":            nil,
		"HIGH:!aNULL": nil,
		"AES128-SHA":  {tls.TLS_RSA_WITH_AES_128_CBC_SHA},
		"CAMELLIA256-SHA:AES256-SHA:ECDHE-RSA-AES128-SHA": {tls.TLS_RSA_WITH_AES_256_CBC_SHA,
			tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA},
	} {
		ids, err := cipherSuites(list)
		require.NoError(t, err)
		require.Equal(t, want, ids, list)
	}
	_, err := cipherSuites("foo:bar")
	require.ErrorContains(t, err, `none of "foo:bar" is known`)
}

// The certificates of a folder are those that clients are checked by; other files there do no harm.
func TestBuild_Folder(t *testing.T) {
	set, err := certs.Generate(time.Now())
	require.NoError(t, err)
	other, err := certs.Generate(time.Now())
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pem"), certs.PEM(other.CA), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "note"), []byte("text"), 0o600))
	r, err := Parameters{CACertDir: dir, AuthClients: "yes"}.Build(set)
	require.NoError(t, err)
	require.Equal(t, 2, len(r.Trusted))
	require.Equal(t, tls.RequireAndVerifyClientCert, r.Server.ClientAuth)
	require.Equal(t, "localhost", r.ClientConfig().ServerName)
	_, err = Parameters{CACertFile: filepath.Join(dir, "note")}.Build(set)
	require.ErrorContains(t, err, "has no certificates")
	_, err = Parameters{CACertDir: filepath.Join(dir, "none")}.Build(set)
	require.NoError(t, err)
}
