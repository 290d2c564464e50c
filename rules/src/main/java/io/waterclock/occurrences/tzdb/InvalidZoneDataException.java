package io.waterclock.occurrences.tzdb;

/** Time-zone data cannot be used. The message says why, and what would be right. */
public final class InvalidZoneDataException extends IllegalArgumentException {
  InvalidZoneDataException(String message) {
    super(message);
  }
}
