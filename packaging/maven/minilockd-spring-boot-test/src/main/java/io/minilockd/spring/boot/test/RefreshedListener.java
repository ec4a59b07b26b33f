package io.minilockd.spring.boot.test;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Saves the state of the server when a context is complete that is not started by Spring Boot. */
record RefreshedListener(TestServer server) implements ApplicationListener<ContextRefreshedEvent> {
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        server.saveBeginning();
    }
}
