package io.waterclock.sim.judge;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.header.Header;

/** The committed records of the topics by the id of their schedules, whether cleaned or not. */
final class Evidence {
  /** How long compaction leaves a record of the schedules topic alone. */
  static final long MIN_COMPACTION_LAG = 7 * 24 * 3_600_000L;

  private final Facts facts;
  private final Map<String, List<LogRecord>> written = new TreeMap<>();
  private final Map<String, List<Submitted>> commands = new HashMap<>();
  private final Map<String, List<Report>> reports = new HashMap<>();
  private final Map<String, List<Committed<Revision>>> revisions = new HashMap<>();
  private final Map<String, List<Committed<Fire>>> fires = new HashMap<>();
  private final Map<String, List<Committed<Missed>>> missed = new HashMap<>();
  private final Map<String, Integer> homes = new HashMap<>();
  private final Map<String, Optional<String>> statuses = new HashMap<>();
  private final Set<String> paused = new HashSet<>();

  /** A record and its value. */
  record Committed<T>(LogRecord record, T value) {}

  /** What a worker reports. */
  record Report(Submitted submitted, OutcomeState state) {}

  Evidence(Facts facts) {
    this.facts = facts;
    readStatuses();
    for (int p = 0; p < facts.partitions(); p++) {
      int home = p;
      for (LogRecord record : committed(facts.topics().fires(), p)) {
        Fire fire = RecordCodecs.fire().decode(record.value().orElseThrow());
        add(fires, fire.getScheduleId(), new Committed<>(record, fire));
      }
      for (LogRecord record : committed(facts.topics().missed(), p)) {
        Missed range = RecordCodecs.missed().decode(record.value().orElseThrow());
        add(missed, range.getScheduleId(), new Committed<>(record, range));
      }
      for (LogRecord record : committed(facts.topics().revisions(), p)) {
        Revision revision = RecordCodecs.revision().decode(record.value().orElseThrow());
        homes.put(revision.getScheduleId(), home);
        add(revisions, revision.getScheduleId(), new Committed<>(record, revision));
      }
      for (LogRecord record : committed(facts.topics().commands(), p)) {
        add(commands, record.keyText(), new Submitted(record, p));
      }
      for (LogRecord record : committed(facts.topics().outcomes(), p)) {
        if (isReport(record) && header(record, HeaderNames.STRAY).isEmpty()) {
          io.waterclock.schemas.avro.Outcome report =
              RecordCodecs.outcome().decode(record.value().orElseThrow());
          add(
              reports,
              report.getFireKey(),
              new Report(new Submitted(record, p), report.getState()));
        }
      }
    }
    Comparator<Submitted> inOrder =
        Comparator.comparingLong(Submitted::timestampMs)
            .thenComparingInt(Submitted::partition)
            .thenComparingLong(it -> it.record().offset());
    commands.values().forEach(all -> all.sort(inOrder));
    reports.values().forEach(all -> all.sort(Comparator.comparing(Report::submitted, inOrder)));
  }

  /** Whether a record of the outcomes topic is more than a record that wakes a task. */
  static boolean isReport(LogRecord record) {
    return record.value().orElseThrow()[0] != '{';
  }

  /** The partitions of the schedules topic. */
  void readHome(ToIntFunction<String> home) {
    for (int p = 0; p < facts.partitions(); p++) {
      for (LogRecord record : committed(facts.topics().schedules(), p)) {
        if (home.applyAsInt(record.keyText()) == p) {
          add(written, record.keyText(), record);
          homes.put(record.keyText(), p);
        }
      }
    }
  }

  List<LogRecord> committed(String topic, int partition) {
    return facts.broker().log(new Place(topic, partition)).journal().stream()
        .filter(LogRecord::isCommitted)
        .toList();
  }

  /** The record at a place, which is written as topic-partition@offset. */
  Optional<Submitted> find(String topic, String place) {
    int at = place.indexOf('@');
    int partition = Integer.parseInt(place.substring(topic.length() + 1, at));
    long offset = Long.parseLong(place.substring(at + 1));
    return committed(topic, partition).stream()
        .filter(record -> record.offset() == offset)
        .map(record -> new Submitted(record, partition))
        .findFirst();
  }

  private static <T> void add(Map<String, List<T>> to, String id, T what) {
    to.computeIfAbsent(id, any -> new ArrayList<>()).add(what);
  }

  Iterable<String> ids() {
    return written.keySet();
  }

  boolean hasStatus(String id) {
    return statuses.containsKey(id);
  }

  /** The revision that the status topic shows at the end; empty for a tombstone. */
  Optional<String> status(String id) {
    return statuses.getOrDefault(id, Optional.empty());
  }

  /** Whether the status topic shows it as paused at the end. */
  boolean isPaused(String id) {
    return paused.contains(id);
  }

  int home(String id) {
    return homes.getOrDefault(id, 0);
  }

  List<LogRecord> written(String id) {
    return written.getOrDefault(id, List.of());
  }

  /** Those of all partitions, in the order of their timestamps. */
  List<Submitted> commands(String id) {
    return commands.getOrDefault(id, List.of());
  }

  List<Committed<Revision>> revisions(String id) {
    return revisions.getOrDefault(id, List.of());
  }

  List<Committed<Fire>> fires(String id) {
    return fires.getOrDefault(id, List.of());
  }

  /** All fires, by the ids of their schedules. */
  Map<String, List<Committed<Fire>>> fires() {
    return fires;
  }

  /** The number of the definition that caused a fire. */
  static String payload(Fire fire) {
    return StandardCharsets.UTF_8.decode(fire.getSchedule().getPayload().duplicate()).toString();
  }

  List<Committed<Missed>> missed(String id) {
    return missed.getOrDefault(id, List.of());
  }

  /** What workers report of a fire, without the copies of strays at home. */
  List<Report> reports(String fireKey) {
    return reports.getOrDefault(fireKey, List.of());
  }

  /** The fires of the trigger, not those of commands. */
  List<Committed<Fire>> scheduled(String id) {
    return fires(id).stream()
        .filter(
            fire ->
                fire.value().getCause() == Cause.SCHEDULED
                    || fire.value().getCause() == Cause.CATCH_UP)
        .sorted(Comparator.comparing(fire -> fire.value().getOccurrence()))
        .toList();
  }

  static Optional<String> header(LogRecord record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }

  private void readStatuses() {
    for (int p = 0; p < facts.partitions(); p++) {
      for (LogRecord record : committed(facts.topics().status(), p)) {
        String id = record.keyText();
        Optional<ScheduleStatus> status = record.value().map(RecordCodecs.status()::decode);
        statuses.put(id, status.map(shown -> String.valueOf(shown.getRevision())));
        if (status.filter(shown -> shown.getState() == State.PAUSED).isPresent()) {
          paused.add(id);
        } else {
          paused.remove(id);
        }
      }
    }
  }
}
