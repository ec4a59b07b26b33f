package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * What the application has set of {@code spring.data.redis}.
 *
 * @param username the user, or empty
 * @param password the password, or empty
 * @param database the number of the database
 * @param hasUrl whether the application has set a URL, which has all of the others
 */
record ApplicationRedis(String username, String password, int database, boolean hasUrl) {
    private static final String PREFIX = "spring.data.redis.";

    static ApplicationRedis of(Environment environment) {
        Optional<URI> url = property(environment, "url").map(URI::create);
        String[] user = url.map(URI::getUserInfo).orElse("").split(":", 2);
        String urlPassword = user.length > 1 ? user[1] : "";
        String path = url.map(URI::getPath).orElse("").replaceFirst("^/", "");
        String database = property(environment, "database").orElse("0");
        return new ApplicationRedis(
                property(environment, "username").orElse(""),
                urlPassword.isEmpty() ? property(environment, "password").orElse("") : urlPassword,
                Integer.parseInt(url.isPresent() && !path.isEmpty() ? path : database),
                url.isPresent());
    }

    /**
     * A property that cannot be resolved in a test, such as of a secret, is as one that is not set.
     */
    private static Optional<String> property(Environment environment, String name) {
        try {
            return Optional.ofNullable(environment.getProperty(PREFIX + name))
                    .filter(text -> !text.isEmpty());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Replaces the properties by those of a server, for the code of the application that reads them
     * itself: connection details do not show there.
     */
    void replace(ConfigurableEnvironment environment, Minilockd server) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("host", server.host());
        properties.put("port", server.port());
        properties.put("ssl.enabled", false);
        if (!server.password().isEmpty()) {
            properties.put("password", server.password());
        }
        if (!username.isEmpty()) {
            properties.put("username", "default");
        }
        if (hasUrl) {
            properties.put("url", server.uri() + "/" + database);
        }
        Map<String, Object> named = new HashMap<>();
        properties.forEach((name, value) -> named.put(PREFIX + name, value));
        environment.getPropertySources().addFirst(new MapPropertySource("minilockd", named));
    }
}
