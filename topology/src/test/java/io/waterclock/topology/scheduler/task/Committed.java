package io.waterclock.topology.scheduler.task;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The output of the scheduler about schedules and their occurrences, in committed transactions. */
final class Committed {
  private final ToIntFunction<byte[]> homes;
  private final Audit audit = new Audit();
  private final Map<Integer, Watermark> watermarks = new HashMap<>();
  private int watermarksWritten;
  private final List<Fire> fires = new ArrayList<>();
  private final List<Missed> missed = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final Map<String, ScheduleStatus> statuses = new TreeMap<>();

  /**
   * A record in its transaction. Never compared.
   *
   * @param value empty for a tombstone
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Written(Sink sink, byte[] key, Optional<byte[]> value) {
    String toText() {
      return sink + Arrays.toString(key) + value.map(Arrays::toString).orElse("");
    }
  }

  /**
   * @param homes the partition of a key
   */
  Committed(ToIntFunction<byte[]> homes) {
    this.homes = homes;
  }

  void add(Written written) {
    if (written.value().isEmpty()) {
      if (written.sink() == Sink.STATUS) {
        String id = new String(written.key(), StandardCharsets.UTF_8);
        audit.statusDeleted(id);
        statuses.remove(id);
      }
      return;
    }
    byte[] value = written.value().get();
    switch (written.sink()) {
      case FIRES -> {
        Fire fire = RecordCodecs.fire().decode(value);
        fires.add(fire);
        audit.add(fire);
      }
      case MISSED -> {
        Missed range = RecordCodecs.missed().decode(value);
        missed.add(range);
        audit.add(range);
      }
      case REVISIONS -> audit.add(RecordCodecs.revision().decode(value));
      case STATUS -> {
        ScheduleStatus status = RecordCodecs.status().decode(value);
        audit.add(status);
        statuses.put(status.getScheduleId(), status);
      }
      case ANSWERS -> answers.add(RecordCodecs.answer().decode(value));
      case WATERMARKS -> {
        Watermark watermark = RecordCodecs.watermark().decode(value);
        watermarks.put(watermark.getPartition(), watermark);
        watermarksWritten++;
      }
      case DLQ, SCHEDULES, OUTCOMES, STRAYS, ORIGINS -> {
        // of no occurrence
      }
    }
  }

  List<Fire> fires() {
    return List.copyOf(fires);
  }

  List<Missed> missed() {
    return List.copyOf(missed);
  }

  List<Answer> answers() {
    return List.copyOf(answers);
  }

  /** The latest status of each schedule that has one. */
  Map<String, ScheduleStatus> statuses() {
    return Map.copyOf(statuses);
  }

  /** How many watermarks all partitions have written. */
  int watermarksWritten() {
    return watermarksWritten;
  }

  /** The latest watermark of a partition. */
  Optional<Watermark> watermark(int partition) {
    return Optional.ofNullable(watermarks.get(partition));
  }

  /** What contradicts the account of a schedule, up to its partition's watermark. */
  List<Finding> findings(String id) {
    return accounts(id).stream().flatMap(account -> account.findings().stream()).toList();
  }

  /** The account of each revision of a schedule; none before the first watermark. */
  List<Account> accounts(String id) {
    int home = homes.applyAsInt(id.getBytes(StandardCharsets.UTF_8));
    return Optional.ofNullable(watermarks.get(home))
        .map(
            watermark ->
                audit.of(id, new Window(Instant.MIN, watermark.getDecidedThrough())).accounts())
        .orElse(List.of());
  }
}
