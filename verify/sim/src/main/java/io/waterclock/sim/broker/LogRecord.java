package io.waterclock.sim.broker;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/** A record or a control marker at its place in a partition. Its bytes must not be changed. */
public final class LogRecord {
  private enum State {
    COMMITTED,
    OPEN,
    ABORTED,
    MARKER
  }

  private final long offset;
  private final Message message;
  private final long appendedMs;
  private State state;
  private long visibleMs = Long.MAX_VALUE;
  private long horizonMs = Long.MAX_VALUE;

  private LogRecord(long offset, Message message, long appendedMs, State state) {
    this.offset = offset;
    this.message = message;
    this.appendedMs = appendedMs;
    this.state = state;
  }

  static LogRecord of(long offset, Message message, long appendedMs, boolean isTransactional) {
    return new LogRecord(
        offset, message, appendedMs, isTransactional ? State.OPEN : State.COMMITTED);
  }

  static LogRecord marker(long offset, long nowMs) {
    return new LogRecord(
        offset, Message.of(new byte[0], Optional.empty(), nowMs), nowMs, State.MARKER);
  }

  /** The same record with another timestamp. */
  public LogRecord at(long otherTimestampMs) {
    return with(new Message(key(), message.value(), headers(), otherTimestampMs));
  }

  /** The same record with another value. */
  public LogRecord with(byte[] otherValue) {
    return with(new Message(key(), otherValue, headers(), timestampMs()));
  }

  /** The same record with other headers. */
  public LogRecord with(Headers otherHeaders) {
    return with(new Message(key(), message.value(), otherHeaders, timestampMs()));
  }

  private LogRecord with(Message changed) {
    LogRecord other = new LogRecord(offset, changed, appendedMs, state);
    other.visibleMs = visibleMs;
    return other;
  }

  public long offset() {
    return offset;
  }

  public byte[] key() {
    return message.key();
  }

  public String keyText() {
    return new String(key(), StandardCharsets.UTF_8);
  }

  /** Empty for a tombstone. */
  public Optional<byte[]> value() {
    return Optional.ofNullable(message.value());
  }

  public Headers headers() {
    return message.headers();
  }

  /** As its producer set it. */
  public long timestampMs() {
    return message.timestampMs();
  }

  /** When the brokers appended it, by their own clock. */
  public long appendedMs() {
    return appendedMs;
  }

  /** From when on read_committed shows it; the end of time while an open transaction hides it. */
  public long visibleMs() {
    return visibleMs;
  }

  void shown(long nowMs) {
    visibleMs = nowMs;
  }

  public boolean isCommitted() {
    return state == State.COMMITTED;
  }

  void end(boolean isCommitted) {
    state = isCommitted ? State.COMMITTED : State.ABORTED;
  }

  /** The first compaction that sees a tombstone keeps it, and sets when its time is over. */
  boolean isKeptTombstone(long nowMs, long retentionMs) {
    if (horizonMs == Long.MAX_VALUE) {
      horizonMs = nowMs + retentionMs;
      return true;
    }
    return nowMs < horizonMs;
  }
}
