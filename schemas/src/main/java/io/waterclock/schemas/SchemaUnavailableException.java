package io.waterclock.schemas;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The schema that wrote a record is not available now. The record may be valid: try again later.
 */
public final class SchemaUnavailableException extends RetriableException {
  SchemaUnavailableException(int id, String why) {
    super("schema " + Integer.toUnsignedString(id) + " cannot be had now: " + why);
  }
}
