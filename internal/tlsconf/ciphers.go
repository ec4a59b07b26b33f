package tlsconf

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
)

// protocols are the words of tls-protocols, in the order of the versions.
var protocols = []struct {
	name    string
	version uint16
}{
	{"tlsv1", tls.VersionTLS10}, {"tlsv1.1", tls.VersionTLS11},
	{"tlsv1.2", tls.VersionTLS12}, {"tlsv1.3", tls.VersionTLS13},
}

var errProtocols = errors.New("tls-protocols: a combination of TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3 is expected")

// versions returns the lowest and the highest version of tls-protocols: Go has all between them, too. Without a value
// they are TLS 1.2 and 1.3, as in Redis.
func versions(value string) (lowest, highest uint16, err error) {
	lowest, highest = tls.VersionTLS12, tls.VersionTLS13
	for i, word := range strings.Fields(value) {
		var found uint16
		for _, p := range protocols {
			if strings.EqualFold(word, p.name) {
				found = p.version
			}
		}
		switch {
		case found == 0:
			return 0, 0, errProtocols
		case i == 0:
			lowest, highest = found, found
		}
		lowest, highest = min(lowest, found), max(highest, found)
	}
	return lowest, highest, nil
}

// suites are the cipher suites for TLS 1.2 by their names in OpenSSL.
var suites = map[string]uint16{
	"ECDHE-ECDSA-AES128-GCM-SHA256": tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
	"ECDHE-ECDSA-AES256-GCM-SHA384": tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
	"ECDHE-ECDSA-CHACHA20-POLY1305": tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
	"ECDHE-ECDSA-AES128-SHA":        tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
	"ECDHE-ECDSA-AES256-SHA":        tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
	"ECDHE-RSA-AES128-GCM-SHA256":   tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	"ECDHE-RSA-AES256-GCM-SHA384":   tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	"ECDHE-RSA-CHACHA20-POLY1305":   tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
	"ECDHE-RSA-AES128-SHA":          tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA,
	"ECDHE-RSA-AES256-SHA":          tls.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,
	"AES128-GCM-SHA256":             tls.TLS_RSA_WITH_AES_128_GCM_SHA256,
	"AES256-GCM-SHA384":             tls.TLS_RSA_WITH_AES_256_GCM_SHA384,
	"AES128-SHA":                    tls.TLS_RSA_WITH_AES_128_CBC_SHA,
	"AES256-SHA":                    tls.TLS_RSA_WITH_AES_256_CBC_SHA,
}

// cipherSuites returns the suites that tls-ciphers names, nil for those of Go. Names that Go does not have are left
// out; a list that selects by other words than names, such as HIGH:!aNULL, is that of Go.
func cipherSuites(list string) (ids []uint16, err error) {
	if list == "" {
		return nil, nil
	}
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(":, ", r) }) {
		if strings.ContainsAny(word[:1], "!-+@") || selectors[word] {
			return nil, nil
		}
		if id, ok := suites[word]; ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("tls-ciphers: none of %q is known", list)
	}
	return ids, nil
}

// selectors are words of OpenSSL that stand for several suites.
var selectors = map[string]bool{"DEFAULT": true, "ALL": true, "HIGH": true, "MEDIUM": true, "SECURE": true,
	"ECDHE": true, "EECDH": true, "AES": true, "AESGCM": true, "CHACHA20": true, "kECDHE": true, "aRSA": true,
	"aECDSA": true, "COMPLEMENTOFDEFAULT": true}
