package io.waterclock.schemas;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Hex;
import io.waterclock.schemas.text.Problems;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Bytes that cannot be decoded as the expected record. The message is for people and describes the
 * bytes.
 */
public final class UndecodableException extends SerializationException {
  /** What kind of fault. */
  public enum Reason {
    /** There are no bytes. */
    EMPTY,
    /** The first bytes belong to no known format. */
    UNKNOWN_FORMAT,
    /** Confluent wire format, and there is no registry to ask. */
    NO_REGISTRY,
    /** Confluent wire format, with a schema that the registry does not know. */
    UNKNOWN_SCHEMA,
    /**
     * Single-object Avro with a schema, or JSON with fields or names, that this version does not
     * know, and without any other fault: a newer version may have written it.
     */
    NEWER_VERSION,
    /** Avro, written with a schema that cannot be resolved to ours. */
    INCOMPATIBLE_SCHEMA,
    /** The format is known, but the content breaks it. */
    MALFORMED
  }

  private final Reason reason;
  private final transient List<Problem> problems;

  private UndecodableException(Reason reason, String message, List<Problem> problems) {
    super(message);
    this.reason = reason;
    this.problems = List.copyOf(problems);
  }

  static UndecodableException of(Reason reason, String record, String what, byte[] bytes) {
    return new UndecodableException(
        reason,
        record
            + " cannot be read: "
            + what
            + (bytes.length == 0 ? "" : " (" + bytes.length + " bytes: " + Hex.first(bytes) + ")"),
        List.of());
  }

  static UndecodableException of(Reason reason, String record, List<Problem> problems) {
    return new UndecodableException(
        reason, record + " cannot be read: " + Problems.text(problems), problems);
  }

  /** What kind of fault. */
  public Reason reason() {
    return reason;
  }

  /**
   * True if the reader lacks a registry, or is older than the writer: if the scheduler has written
   * the record, those behind it cannot be read either.
   */
  public boolean isBeyondReader() {
    return reason == Reason.NO_REGISTRY || reason == Reason.NEWER_VERSION;
  }

  /** For JSON: all problems. Empty for other formats, and after Java serialization. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }
}
