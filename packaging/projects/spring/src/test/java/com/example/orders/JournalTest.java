package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Without a reset, too, the journal that is printed when a test fails begins with the test. */
@SpringBootTest(properties = Clients.LETTUCE)
@AutoConfigureMinilockd
class JournalTest {
    @RepeatedTest(2)
    void hasTheCommandsOfTheTest(@Autowired Minilockd server) {
        server.execute("ECHO", "hello");
        assertThat(server.journal().entries())
                .filteredOn(entry -> entry.command().startsWith("ECHO"))
                .hasSize(1);
    }
}
