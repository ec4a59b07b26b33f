package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;

@SpringBootTest(properties = Clients.LETTUCE)
@ContextHierarchy({
    @ContextConfiguration(classes = HierarchyTest.Parent.class),
    @ContextConfiguration(classes = OrdersApplication.class)
})
@AutoConfigureMinilockd
class HierarchyTest {
    @Configuration
    static class Parent {}

    @Test
    void aHierarchyOfContextsHasOneServer(
            @Autowired ApplicationContext context,
            @Autowired Minilockd server,
            @Autowired StringRedisTemplate redis) {
        redis.opsForValue().set("greeting", "hello");
        assertThat(server.dump()).contains("\"greeting\"");
        assertThat(context.getParent()).isNotNull();
        assertThat(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, Minilockd.class))
                .hasSize(1);
    }
}
