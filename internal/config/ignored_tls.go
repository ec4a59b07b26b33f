package config

// ignoredTLS are parameters about TLS without effect: crypto/tls chooses these by itself, or replicas do not use them.
var ignoredTLS = []parameter{
	{name: "tls-auth-clients-user", since: "valkey-9.0", value: "off", kind: oneOfValue("CN", "URI", "off")},
	{name: "tls-auto-reload-interval", since: "valkey-9.1", value: "0", kind: integerValue(0, maxInt32)},
	{name: "tls-ciphersuites"},
	{name: "tls-client-cert-file"},
	{name: "tls-client-key-file"},
	{name: "tls-client-key-file-pass"},
	{name: "tls-cluster", value: "no", kind: yesNoValue, tls: tlsValue},
	{name: "tls-dh-params-file"},
	{name: "tls-prefer-server-ciphers", value: "no", kind: yesNoValue},
	{name: "tls-replication", value: "no", kind: yesNoValue, tls: tlsValue},
	{name: "tls-session-cache-size", value: "20480", kind: integerValue(0, maxInt32)},
	{name: "tls-session-cache-timeout", value: "300", kind: integerValue(0, maxInt32)},
}
