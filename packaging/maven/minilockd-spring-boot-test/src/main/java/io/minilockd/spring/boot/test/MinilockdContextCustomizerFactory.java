package io.minilockd.spring.boot.test;

import java.util.List;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Customizes the contexts of classes that are annotated, or that inherit the annotation. */
final class MinilockdContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureMinilockd annotation =
                TestContextAnnotationUtils.findMergedAnnotation(
                        testClass, AutoConfigureMinilockd.class);
        return annotation == null
                ? null
                : new MinilockdContextCustomizer(ServerOptions.of(annotation));
    }
}
