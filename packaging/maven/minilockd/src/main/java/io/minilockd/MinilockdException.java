package io.minilockd;

/**
 * Something has gone wrong with a server: it does not start, has ended, or replies with an error.
 */
public class MinilockdException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what has happened
     */
    public MinilockdException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what has happened
     * @param cause why
     */
    public MinilockdException(String message, Throwable cause) {
        super(message, cause);
    }
}
