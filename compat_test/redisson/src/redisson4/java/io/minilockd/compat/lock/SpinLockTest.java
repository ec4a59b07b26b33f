package io.minilockd.compat.lock;

import io.minilockd.compat.support.Party;
import org.redisson.api.RLock;

class SpinLockTest extends SoloLockContract {
    @Override
    protected RLock lock(Party party, String name) {
        return party.client().getSpinLock(name);
    }

    /** A spinning waiter only asks again and again, which the server cannot tell from a newcomer. */
    @Override
    protected boolean hasWaiter(String name) {
        return true;
    }
}
