package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** Tells Spring Boot 4 where the server is. It is loaded only with this version. */
record Boot4ConnectionDetails(Minilockd server, int database)
        implements DataRedisConnectionDetails {
    @Override
    public String getPassword() {
        return server.password().isEmpty() ? null : server.password();
    }

    @Override
    public Standalone getStandalone() {
        return Standalone.of(server.host(), server.port(), database);
    }
}
