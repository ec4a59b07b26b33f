package com.example.orders;

/** Properties that choose the client of Spring Data Redis, since this application has two. */
final class Clients {
    /** Lettuce; without this it is Redisson, whose starter has precedence. */
    static final String LETTUCE =
            "spring.autoconfigure.exclude=org.redisson.spring.starter.RedissonAutoConfigurationV2,"
                    + "org.redisson.spring.starter.RedissonAutoConfigurationV4";

    private Clients() {}
}
