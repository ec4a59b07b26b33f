package io.minilockd.spring.boot.test;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/**
 * Saves the state of the server when an application of Spring Boot has started. This event is the
 * last one of the start, after ApplicationReadyEvent: so what listeners to that store is included.
 */
record ReadyListener(TestServer server)
        implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {
    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
            server.saveBeginning();
        }
    }
}
