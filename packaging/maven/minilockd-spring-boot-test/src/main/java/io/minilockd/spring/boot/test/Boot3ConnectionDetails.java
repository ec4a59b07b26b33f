package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;

/** Tells Spring Boot 3 where the server is. It is loaded only with this version. */
record Boot3ConnectionDetails(Minilockd server, int database) implements RedisConnectionDetails {
    @Override
    public String getPassword() {
        return server.password().isEmpty() ? null : server.password();
    }

    @Override
    public Standalone getStandalone() {
        return Standalone.of(server.host(), server.port(), database);
    }
}
