package command

import "math"

// inertTLS are of TLS, which this server does not speak.
var inertTLS = []parameter{
	{name: "tls-auth-clients", value: "yes", kind: oneOfValue("no", "yes", "optional")},
	{name: "tls-ca-cert-dir", kind: textValue},
	{name: "tls-ca-cert-file", kind: textValue},
	{name: "tls-cert-file", kind: textValue},
	{name: "tls-ciphers", kind: textValue},
	{name: "tls-ciphersuites", kind: textValue},
	{name: "tls-client-cert-file", kind: textValue},
	{name: "tls-client-key-file", kind: textValue},
	{name: "tls-client-key-file-pass", kind: textValue},
	{name: "tls-cluster", value: "no", mutable: pinned, kind: yesNoValue, refusal: errConfigTLS},
	{name: "tls-dh-params-file", kind: textValue},
	{name: "tls-key-file", kind: textValue},
	{name: "tls-key-file-pass", kind: textValue},
	{name: "tls-prefer-server-ciphers", value: "no", kind: yesNoValue},
	{name: "tls-protocols", kind: textValue},
	{name: "tls-replication", value: "no", mutable: pinned, kind: yesNoValue, refusal: errConfigTLS},
	{name: "tls-session-cache-size", value: "20480", kind: integerValue(0, math.MaxInt32)},
	{name: "tls-session-cache-timeout", value: "300", kind: integerValue(0, math.MaxInt32)},
	{name: "tls-session-caching", value: "yes", kind: yesNoValue},
}
