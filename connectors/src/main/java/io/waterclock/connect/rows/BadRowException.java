package io.waterclock.connect.rows;

/** One error in a row, with a message for a person. */
final class BadRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadRowException(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
