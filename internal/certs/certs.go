// Package certs generates certificates for TLS in tests: an authority, and what it has signed for a server on this
// machine and for its clients.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Set is an authority and two certificates that it has signed. All three are valid for ten years.
type Set struct {
	CA     *x509.Certificate
	Server tls.Certificate // for localhost, 127.0.0.1 and ::1
	Client tls.Certificate // its common name is "default", as that of the ACL user
}

// Hosts are the names and addresses that the certificate of a server is for.
var Hosts = struct {
	Names     []string
	Addresses []net.IP
}{[]string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}}

// lifetime is how long certificates are valid, and age for how long they have been: clocks of machines differ.
const lifetime, age = 10 * 365 * 24 * time.Hour, 24 * time.Hour

// Generate makes a new set, which is valid at the given time.
func Generate(now time.Time) (*Set, error) {
	ca, caKey, err := sign(now, &x509.Certificate{
		Subject:               pkix.Name{CommonName: "minilockd test CA"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}, nil, nil)
	if err != nil {
		return nil, err
	}
	server, serverKey, err := sign(now, &x509.Certificate{
		Subject:     pkix.Name{CommonName: "localhost"},
		DNSNames:    Hosts.Names,
		IPAddresses: Hosts.Addresses,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, ca, caKey)
	if err != nil {
		return nil, err
	}
	client, clientKey, err := sign(now, &x509.Certificate{
		Subject:     pkix.Name{CommonName: "default"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, ca, caKey)
	if err != nil {
		return nil, err
	}
	return &Set{CA: ca, Server: chain(server, serverKey), Client: chain(client, clientKey)}, nil
}

// sign makes a key, and the certificate of a template with it. Without a parent it signs itself.
func sign(now time.Time, c, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (
	*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	c.NotBefore, c.NotAfter = now.Add(-age), now.Add(lifetime)
	if parent == nil {
		parent, parentKey = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, parentKey)
	if err != nil {
		return nil, nil, err
	}
	signed, err := x509.ParseCertificate(der)
	return signed, key, err
}

func chain(leaf *x509.Certificate, key *ecdsa.PrivateKey) tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

// PEM returns certificates as PEM.
func PEM(all ...*x509.Certificate) (text []byte) {
	for _, c := range all {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	return text
}

// KeyPEM returns the private key of a certificate as PEM, in the form of PKCS #8 without a password.
func KeyPEM(c tls.Certificate) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}
