package io.minilockd;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Encodes commands and decodes replies of RESP3, Redis' protocol. */
final class Resp {
    private static final byte[] END = {'\r', '\n'};

    private Resp() {}

    /**
     * Encodes a command as an array of bulk strings. A byte array is sent as it is, other arguments
     * as their text.
     */
    static byte[] encode(List<?> command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        header(out, '*', command.size());
        for (Object argument : command) {
            byte[] bytes = argument instanceof byte[] raw ? raw : utf8(String.valueOf(argument));
            header(out, '$', bytes.length);
            out.writeBytes(bytes);
            out.writeBytes(END);
        }
        return out.toByteArray();
    }

    /** Encodes a command that is a line of text. The server splits it, and knows quotes. */
    static byte[] encodeLine(String line) {
        return utf8(line + "\r\n");
    }

    private static void header(ByteArrayOutputStream out, char type, int length) {
        out.writeBytes(utf8(type + Integer.toString(length)));
        out.writeBytes(END);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a reply: a String, Long, Double, Boolean, BigInteger, List, Set, Map or null. An error
     * is a RedisErrorException, which is returned and not thrown, since arrays may hold some.
     * Messages that are no replies and attributes are skipped.
     */
    static Object read(InputStream in) throws IOException {
        while (true) {
            int type = in.read();
            String line = readLine(in, type);
            switch (type) {
                case '>' -> readList(in, line);
                case '|' -> readMap(in, line);
                default -> {
                    return readValue(in, type, line);
                }
            }
        }
    }

    private static Object readValue(InputStream in, int type, String line) throws IOException {
        return switch (type) {
            case '+' -> line;
            case '-' -> new RedisErrorException(line);
            case ':' -> Long.valueOf(line);
            case '$' -> readBulk(in, line);
            case '*' -> readList(in, line);
            case '%' -> readMap(in, line);
            case '~' -> readSet(in, line);
            case '_' -> null;
            case '#' -> line.equals("t");
            case ',' -> readDouble(line);
            case '(' -> new BigInteger(line);
            case '!' -> new RedisErrorException(readBulk(in, line));
            case '=' -> readBulk(in, line).substring("txt:".length());
            default -> throw new IOException("not a reply of RESP3: " + (char) type + line);
        };
    }

    private static String readLine(InputStream in, int type) throws IOException {
        if (type < 0) {
            throw new EOFException("the server has closed the connection");
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server has closed the connection within a reply");
            }
            line.write(c);
        }
        in.read();
        return line.toString(StandardCharsets.UTF_8);
    }

    private static String readBulk(InputStream in, String line) throws IOException {
        int length = Integer.parseInt(line);
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.readNBytes(END.length).length < END.length) {
            throw new EOFException("the server has closed the connection within a reply");
        }
        return text(bytes);
    }

    private static List<Object> readList(InputStream in, String line) throws IOException {
        int length = Integer.parseInt(line);
        if (length < 0) {
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(read(in));
        }
        return list;
    }

    private static Set<Object> readSet(InputStream in, String line) throws IOException {
        return new LinkedHashSet<>(readList(in, line));
    }

    private static Map<Object, Object> readMap(InputStream in, String line) throws IOException {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = Integer.parseInt(line); i > 0; i--) {
            Object key = read(in);
            map.put(key, read(in));
        }
        return map;
    }

    private static Double readDouble(String line) {
        return switch (line) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan", "-nan" -> Double.NaN;
            default -> Double.valueOf(line);
        };
    }
}
