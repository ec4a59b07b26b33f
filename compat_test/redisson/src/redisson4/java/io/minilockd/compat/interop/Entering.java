package io.minilockd.compat.interop;

/** How a thread enters. See the class of the same name for Redisson 3. */
final class Entering {
    private Entering() {}

    static String enter(Gate gate) throws InterruptedException {
        return gate.enter();
    }
}
