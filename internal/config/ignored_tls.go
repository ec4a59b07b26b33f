package config

// ignoredTLS are parameters of TLS as redis.conf sets it up. No listener offers TLS; tls-port itself gives an error:
// see fixedParameters.
var ignoredTLS = []parameter{
	{name: "tls-auth-clients", value: "yes", kind: oneOfValue("no", "yes", "optional")},
	{name: "tls-auth-clients-user", since: "valkey-9.0", value: "off", kind: oneOfValue("CN", "URI", "off")},
	{name: "tls-auto-reload-interval", since: "valkey-9.1", value: "0", kind: integerValue(0, maxInt32)},
	{name: "tls-ca-cert-dir"},
	{name: "tls-ca-cert-file"},
	{name: "tls-cert-file"},
	{name: "tls-ciphers"},
	{name: "tls-ciphersuites"},
	{name: "tls-client-cert-file"},
	{name: "tls-client-key-file"},
	{name: "tls-client-key-file-pass"},
	{name: "tls-cluster", value: "no", mutable: pinned, kind: yesNoValue, reason: errTLS},
	{name: "tls-dh-params-file"},
	{name: "tls-key-file"},
	{name: "tls-key-file-pass"},
	{name: "tls-prefer-server-ciphers", value: "no", kind: yesNoValue},
	{name: "tls-protocols"},
	{name: "tls-replication", value: "no", mutable: pinned, kind: yesNoValue, reason: errTLS},
	{name: "tls-session-cache-size", value: "20480", kind: integerValue(0, maxInt32)},
	{name: "tls-session-cache-timeout", value: "300", kind: integerValue(0, maxInt32)},
	{name: "tls-session-caching", value: "yes", kind: yesNoValue},
}
