package io.minilockd;

/**
 * The server has replied with an error. The message is Redis' text, such as {@code "ERR syntax
 * error"}.
 */
public class RedisErrorException extends MinilockdException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the text of the reply
     */
    public RedisErrorException(String message) {
        super(message);
    }

    /**
     * Returns the first word of the message, by which errors are told apart, such as {@code
     * "WRONGTYPE"}.
     *
     * @return the code
     */
    public String code() {
        return getMessage().split(" ", 2)[0];
    }
}
