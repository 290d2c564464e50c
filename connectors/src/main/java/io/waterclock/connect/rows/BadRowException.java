package io.waterclock.connect.rows;

/** One thing that is wrong with a row, for people. */
final class BadRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadRowException(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
