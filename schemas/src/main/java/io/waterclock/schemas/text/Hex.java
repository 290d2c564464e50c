package io.waterclock.schemas.text;

import java.util.HexFormat;

/** The first bytes of a record, for messages. */
public final class Hex {
  private static final int SHOWN = 16;
  private static final HexFormat FORMAT = HexFormat.ofDelimiter(" ");

  private Hex() {}

  public static String first(byte[] bytes) {
    return FORMAT.formatHex(bytes, 0, Math.min(SHOWN, bytes.length))
        + (bytes.length > SHOWN ? " ..." : "");
  }
}
