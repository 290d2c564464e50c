package io.waterclock.console.access;

import java.util.List;

/** A file of access rules or tokens is wrong; the message lists all problems, one a line. */
public final class InvalidAccessException extends RuntimeException {
  InvalidAccessException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
