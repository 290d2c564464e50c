package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The executed commands of a partition.
 *
 * <p>Keys: the schedule id, a zero byte and the command id for an executed command; a byte of one
 * for the instant up to which commands are forgotten. Ids begin with a letter or a digit and
 * contain no zero byte. {@link HeldRecordStore} has the keys that begin with a zero byte.
 *
 * <p>An entry takes about 20 bytes and both ids. The store holds one for each command of the
 * retention time.
 */
public final class CommandStore {
  public static final String NAME = "commands";

  private static final byte VERSION = 1;
  private static final Bytes FORGOTTEN = Bytes.wrap(new byte[] {1});
  private static final Bytes FIRST_EXECUTED = Bytes.wrap(new byte[] {2});
  private static final Bytes LAST = Bytes.wrap(new byte[] {-1});
  private static final List<Verdict> VERDICTS =
      List.of(
          Verdict.EXECUTED,
          Verdict.UNCHANGED,
          Verdict.REJECTED,
          Verdict.CONFLICT,
          Verdict.NOT_FOUND);

  private final KeyValueStore<Bytes, byte[]> store;

  public CommandStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  public record Row(Bytes key, ExecutedCommand command) {}

  /** The result of a command; empty when it was not executed, or is forgotten. */
  public Optional<ExecutedCommand> get(ScheduleId id, String commandId) {
    return Optional.ofNullable(store.get(key(id, commandId))).map(CommandStore::decode);
  }

  public void put(ScheduleId id, String commandId, ExecutedCommand command) {
    store.put(key(id, commandId), encode(command));
  }

  public void delete(Row row) {
    store.put(row.key(), null);
  }

  /** Up to {@code limit} executed commands, strictly after the key if given. One pass. */
  public List<Row> rowsAfter(Optional<Bytes> after, int limit) {
    List<Row> rows = new ArrayList<>();
    Bytes from = after.map(key -> AscendingReads.successor(key.get())).orElse(FIRST_EXECUTED);
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, LAST)) {
      while (rows.size() < limit && range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        rows.add(new Row(next.key, decode(next.value)));
      }
    }
    return rows;
  }

  /**
   * Inclusive: a command from before this instant may have been executed and forgotten; a later one
   * is in the store if it was executed.
   */
  public Instant forgottenThrough() {
    byte[] value = store.get(FORGOTTEN);
    return value == null ? Instant.MIN : StateBytes.instant(StateBytes.open(value, VERSION));
  }

  public void put(Instant forgottenThrough) {
    store.put(
        FORGOTTEN,
        ByteBuffer.allocate(9).put(VERSION).putLong(forgottenThrough.toEpochMilli()).array());
  }

  private static byte[] encode(ExecutedCommand command) {
    return ByteBuffer.allocate(2 + Integer.BYTES + 2 * Long.BYTES)
        .put(VERSION)
        .put((byte) VERDICTS.indexOf(command.verdict()))
        .putInt(command.fingerprint())
        .putLong(command.writtenAt().toEpochMilli())
        .putLong(command.executedAt().toEpochMilli())
        .array();
  }

  private static ExecutedCommand decode(byte[] bytes) {
    ByteBuffer in = StateBytes.open(bytes, VERSION);
    return new ExecutedCommand(
        VERDICTS.get(in.get()), in.getInt(), StateBytes.instant(in), StateBytes.instant(in));
  }

  private static Bytes key(ScheduleId id, String commandId) {
    byte[] command = commandId.getBytes(StandardCharsets.UTF_8);
    byte[] key = Arrays.copyOf(id.utf8(), id.utf8().length + 1 + command.length);
    System.arraycopy(command, 0, key, key.length - command.length, command.length);
    return Bytes.wrap(key);
  }
}
