package io.waterclock.connect.rows;

/** One error in a row, with a message for a person. */
final class BadRowException extends RuntimeException {
  BadRowException(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
