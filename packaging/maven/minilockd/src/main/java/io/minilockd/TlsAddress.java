package io.minilockd;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where a server listens for TLS, and what its clients need. The files are there while the server
 * runs.
 *
 * @param port the port
 * @param uri the address for clients that take an URI, {@code rediss://127.0.0.1:port}, with the
 *     password if there is one
 * @param ca the certificate of the authority that clients are to trust, in PEM
 * @param certificate a certificate for clients, in PEM, which need it if the parameter {@code
 *     tls-auth-clients} is {@code yes}
 * @param key the key of that certificate, in PEM
 */
public record TlsAddress(int port, URI uri, Path ca, Path certificate, Path key) {
    private static final char[] NO_PASSWORD = {};

    /**
     * Returns what makes a client trust the server, such as Redisson by {@code
     * setSslTrustManagerFactory}.
     *
     * @return trust managers that trust this server alone
     * @throws MinilockdException if the file cannot be read
     */
    public TrustManagerFactory trustManagerFactory() {
        try {
            KeyStore store = emptyStore();
            store.setCertificateEntry("minilockd", read(ca));
            var factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new MinilockdException(ca + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns what gives a client its certificate.
     *
     * @return key managers with the certificate for clients
     * @throws MinilockdException if a file cannot be read
     */
    public KeyManagerFactory keyManagerFactory() {
        try {
            KeyStore store = emptyStore();
            Certificate[] chain = {read(certificate)};
            store.setKeyEntry("minilockd", readKey(), NO_PASSWORD, chain);
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new MinilockdException(certificate + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a context for clients: it trusts the server, and has the certificate for clients.
     *
     * @return a new context
     * @throws MinilockdException if a file cannot be read
     */
    public SSLContext sslContext() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keyManagerFactory().getKeyManagers(),
                    trustManagerFactory().getTrustManagers(),
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new MinilockdException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Certificate read(Path file) throws GeneralSecurityException, IOException {
        try (InputStream input = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(input);
        }
    }

    private PrivateKey readKey() throws GeneralSecurityException, IOException {
        String text = Files.readString(key).replaceAll("-----[^-]*-----|\\s", "");
        var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
        return KeyFactory.getInstance("EC").generatePrivate(spec);
    }
}
