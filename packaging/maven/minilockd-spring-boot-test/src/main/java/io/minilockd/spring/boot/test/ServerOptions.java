package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import io.minilockd.MinilockdBuilder;
import java.nio.file.Path;
import java.util.List;

/**
 * The options of a server that an annotation has. Contexts whose options are equal are the same to
 * Spring's cache.
 */
record ServerOptions(
        String emulate,
        String password,
        int databases,
        int lockHistory,
        String faults,
        List<String> load,
        List<String> config,
        List<String> args) {

    static ServerOptions of(AutoConfigureMinilockd annotation) {
        return new ServerOptions(
                annotation.emulate(),
                annotation.password(),
                annotation.databases(),
                annotation.lockHistory(),
                annotation.faults(),
                List.of(annotation.load()),
                List.of(annotation.config()),
                List.of(annotation.args()));
    }

    /** Starts a server, with the password of the application unless there is another one. */
    Minilockd start(ApplicationRedis application) {
        MinilockdBuilder builder =
                Minilockd.builder()
                        .emulate(emulate)
                        .password(password.isEmpty() ? application.password() : password)
                        .databases(databases)
                        .lockHistory(lockHistory)
                        .args(args.toArray(String[]::new));
        if (!faults.isEmpty()) {
            builder.faults(Path.of(faults));
        }
        load.stream().map(Path::of).forEach(builder::load);
        config.forEach(builder::config);
        return builder.start();
    }
}
