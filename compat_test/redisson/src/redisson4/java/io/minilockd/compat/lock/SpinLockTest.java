package io.minilockd.compat.lock;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Worker;
import org.redisson.api.RLock;

class SpinLockTest extends SingleServerLockContract {
    @Override
    protected RLock lock(Instance instance, String name) {
        return instance.client().getSpinLock(name);
    }

    /** A waiter of a spin lock polls: the server does not know of it. */
    @Override
    protected boolean hasWaiter(String name, Worker worker) {
        return true;
    }
}
