package tlsconf

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // a file says which hash it was made with
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"hash"
)

var (
	errPassword = errors.New("the key can't be decrypted: tls-key-file-pass is missing or wrong")
	errCipher   = errors.New("the key is encrypted in a way that minilockd does not know; " +
		"AES in CBC mode with PBKDF2 is known (openssl pkcs8 -topk8 -v2 aes256)")
)

// certificatesIn returns the certificates of a text in PEM, without those that can't be parsed.
func certificatesIn(text []byte) (all []*x509.Certificate) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			all = append(all, c)
		}
	}
	return all
}

// withoutPassword decrypts the keys of a text in PEM; the other blocks stay as they are.
func withoutPassword(text []byte, password string) (plain []byte, err error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY":
			block.Type = "PRIVATE KEY"
			block.Bytes, err = decryptPKCS8(block.Bytes, password)
		case x509.IsEncryptedPEMBlock(block): //nolint:staticcheck // old files are like that
			block.Bytes, err = x509.DecryptPEMBlock(block, []byte(password)) //nolint:staticcheck // as above
			if err != nil {
				err = errPassword
			}
			block.Headers = nil
		}
		if err != nil {
			return nil, err
		}
		plain = append(plain, pem.EncodeToMemory(block)...)
	}
	return plain, nil
}

// encryptedKey is EncryptedPrivateKeyInfo of RFC 5958, and those below are of RFC 8018 (PBES2).
type encryptedKey struct {
	Algorithm pkix.AlgorithmIdentifier
	Data      []byte
}

type pbes2 struct{ KDF, Cipher pkix.AlgorithmIdentifier }

type pbkdf2Parameters struct {
	Salt       []byte
	Iterations int
	KeyLength  int                      `asn1:"optional"`
	PRF        pkix.AlgorithmIdentifier `asn1:"optional"`
}

// The hashes by object identifier; without one it is SHA-1.
var hashes = map[string]func() hash.Hash{
	"":                    sha1.New,
	"1.2.840.113549.2.7":  sha1.New,
	"1.2.840.113549.2.9":  sha256.New,
	"1.2.840.113549.2.10": sha512.New384,
	"1.2.840.113549.2.11": sha512.New,
}

// keyLengths are the lengths in bytes of the keys of AES-CBC by object identifier.
var keyLengths = map[string]int{
	"2.16.840.1.101.3.4.1.2":  16,
	"2.16.840.1.101.3.4.1.22": 24,
	"2.16.840.1.101.3.4.1.42": 32,
}

const (
	oidPBES2  = "1.2.840.113549.1.5.13"
	oidPBKDF2 = "1.2.840.113549.1.5.12"
)

// decryptPKCS8 returns the key in the form PKCS #8 without encryption.
func decryptPKCS8(der []byte, password string) ([]byte, error) {
	var key encryptedKey
	var scheme pbes2
	var kdf pbkdf2Parameters
	var iv []byte
	for _, part := range []struct {
		der  *[]byte
		into any
	}{{&der, &key}, {&key.Algorithm.Parameters.FullBytes, &scheme},
		{&scheme.KDF.Parameters.FullBytes, &kdf}, {&scheme.Cipher.Parameters.FullBytes, &iv}} {
		if _, err := asn1.Unmarshal(*part.der, part.into); err != nil {
			return nil, errCipher
		}
	}
	h, length := hashes[kdf.PRF.Algorithm.String()], keyLengths[scheme.Cipher.Algorithm.String()]
	if key.Algorithm.Algorithm.String() != oidPBES2 || scheme.KDF.Algorithm.String() != oidPBKDF2 || h == nil ||
		length == 0 || len(iv) != aes.BlockSize || kdf.Iterations < 1 {
		return nil, errCipher
	}
	secret, err := pbkdf2.Key(h, password, kdf.Salt, kdf.Iterations, length)
	if err != nil {
		return nil, err
	}
	return decryptCBC(secret, iv, key.Data)
}

// decryptCBC decrypts AES-CBC and removes the padding, by which it finds that the key is wrong.
func decryptCBC(key, iv, data []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, errPassword
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, data)
	padding := int(plain[len(plain)-1])
	if padding < 1 || padding > aes.BlockSize {
		return nil, errPassword
	}
	plain = plain[:len(plain)-padding]
	if _, err := x509.ParsePKCS8PrivateKey(plain); err != nil {
		return nil, errPassword
	}
	return plain, nil
}
