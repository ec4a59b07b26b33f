package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.ContextCustomizer;

/** Contexts whose customizers are equal are shared. */
class CustomizerTest {
    @AutoConfigureMinilockd(config = "maxmemory 100mb", load = "stock.txt")
    static class First {}

    @AutoConfigureMinilockd(
            config = "maxmemory 100mb",
            load = "stock.txt",
            reset = true,
            failOnHeldLocks = true)
    static class OfTheSameServer {}

    @AutoConfigureMinilockd(config = "maxmemory 200mb", load = "stock.txt")
    static class WithOtherOptions {}

    static class Inherits extends First {}

    @Retention(RetentionPolicy.RUNTIME)
    @AutoConfigureMinilockd(config = "maxmemory 100mb", load = "stock.txt")
    @interface OrdersServer {}

    @OrdersServer
    static class WithAnAnnotationOfItsOwn {}

    @Test
    void ofAnnotatedClasses() {
        assertEquals(customizer(First.class), customizer(OfTheSameServer.class));
        assertEquals(customizer(First.class), customizer(Inherits.class));
        assertEquals(customizer(First.class), customizer(WithAnAnnotationOfItsOwn.class));
        assertNotEquals(customizer(First.class), customizer(WithOtherOptions.class));
        assertNull(customizer(CustomizerTest.class));
    }

    private static ContextCustomizer customizer(Class<?> type) {
        return new MinilockdContextCustomizerFactory().createContextCustomizer(type, List.of());
    }
}
