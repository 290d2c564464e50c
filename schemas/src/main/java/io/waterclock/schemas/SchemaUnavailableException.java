package io.waterclock.schemas;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The schema with which a record was written cannot be had now. The record may be all right: try
 * again later.
 */
public final class SchemaUnavailableException extends RetriableException {
  private static final long serialVersionUID = 1L;

  SchemaUnavailableException(int id, String why) {
    super("schema " + Integer.toUnsignedString(id) + " cannot be had now: " + why);
  }
}
