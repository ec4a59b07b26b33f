package orders;

import io.minilockd.Minilockd;
import java.io.IOException;

/** Starts two servers and another program, prints the ids of the servers, and waits for the end of its input. */
public final class Waits {
    private Waits() {}

    public static void main(String[] args) throws IOException {
        Minilockd first = Minilockd.start();
        Process other = new ProcessBuilder("sleep", "60").start();
        Minilockd second = Minilockd.start();
        System.out.println(first.pid());
        System.out.println(second.pid());
        System.in.read();
        other.destroy();
    }
}
