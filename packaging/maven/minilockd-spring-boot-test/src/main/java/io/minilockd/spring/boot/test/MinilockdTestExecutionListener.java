package io.minilockd.spring.boot.test;

import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Prepares the server for each test, and checks it afterwards. */
final class MinilockdTestExecutionListener extends AbstractTestExecutionListener {}
