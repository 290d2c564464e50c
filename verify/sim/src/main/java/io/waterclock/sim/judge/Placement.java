package io.waterclock.sim.judge;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.sim.broker.LogRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Whether records are where they belong: fires, strays and their origins. */
record Placement(
    Facts facts, Evidence evidence, ToIntFunction<String> home, List<String> findings) {
  private static final long SETTLED_MS = 60_000;
  private static final long REPORTS_KEPT_MS = Evidence.MIN_COMPACTION_LAG - 3_600_000;

  void judge() {
    for (int p = 0; p < facts.partitions(); p++) {
      fires(p);
      strays(p);
      reports(p);
      carriers(p);
    }
  }

  private void fires(int partition) {
    for (LogRecord record : evidence.committed(facts.topics().fires(), partition)) {
      String id = RecordCodecs.fire().decode(record.value().orElseThrow()).getScheduleId();
      if (home.applyAsInt(id) != partition) {
        findings.add(id + ": fired in partition " + partition);
      }
    }
  }

  private void strays(int partition) {
    Map<String, LogRecord> last = new HashMap<>();
    for (LogRecord record : evidence.committed(facts.topics().schedules(), partition)) {
      String id = record.keyText();
      if (home.applyAsInt(id) == partition) {
        continue;
      }
      last.put(id, record);
      boolean isOurs =
          Evidence.header(record, HeaderNames.MOVED).isPresent()
              || Evidence.header(record, HeaderNames.ORIGIN).isPresent();
      if (!isOurs && record.appendedMs() < facts.endMs() - SETTLED_MS) {
        cameHome(record, facts.topics().schedules() + "-" + partition + "@" + record.offset());
      }
    }
    last.forEach(
        (id, record) -> {
          if (record.value().isPresent() && record.appendedMs() < facts.endMs() - SETTLED_MS) {
            findings.add(
                id + ": the stray at " + partition + "@" + record.offset() + " is still there");
          }
        });
  }

  /** A report in another partition is copied to the partition of its schedule, once. */
  private void reports(int partition) {
    String topic = facts.topics().outcomes();
    for (LogRecord record : evidence.committed(topic, partition)) {
      int at = home.applyAsInt(record.keyText());
      if (at == partition || !Evidence.isReport(record)) {
        continue;
      }
      String place = topic + "-" + partition + "@" + record.offset();
      List<LogRecord> copies =
          evidence.committed(topic, at).stream()
              .filter(
                  it -> Evidence.header(it, HeaderNames.STRAY).filter(place::equals).isPresent())
              .toList();
      boolean isSurelyRead =
          record.appendedMs() < facts.endMs() - SETTLED_MS
              && facts
                  .reading()
                  .coversSome(
                      partition,
                      record.appendedMs(),
                      record.appendedMs() + REPORTS_KEPT_MS,
                      WayHome.COMMITTED_MS);
      if (copies.size() > 1 || (copies.isEmpty() && isSurelyRead)) {
        findings.add(
            record.keyText() + ": the report " + place + " came home " + copies.size() + " times");
      }
      if (copies.stream().anyMatch(it -> it.timestampMs() != record.timestampMs())) {
        findings.add(record.keyText() + ": the report " + place + " came home with another time");
      }
    }
  }

  /** What is on its way arrives, and is removed then. */
  private void carriers(int partition) {
    Map<String, LogRecord> last = new HashMap<>();
    evidence
        .committed(facts.topics().strays(), partition)
        .forEach(record -> last.put(record.keyText(), record));
    last.forEach(
        (place, record) -> {
          if (record.value().isPresent() && record.appendedMs() < facts.endMs() - SETTLED_MS) {
            findings.add("the stray " + place + " is still on its way");
          }
        });
  }

  private void cameHome(LogRecord stray, String place) {
    List<LogRecord> written = evidence.written(stray.keyText());
    List<LogRecord> moved =
        written.stream()
            .filter(
                record ->
                    Evidence.header(record, HeaderNames.STRAY).filter(place::equals).isPresent())
            .toList();
    if (moved.size() > 1) {
      findings.add(
          stray.keyText() + ": the stray " + place + " came home " + moved.size() + " times");
    }
    for (LogRecord record : moved) {
      long stamped =
          Evidence.header(record, HeaderNames.STAMPED)
              .map(Long::parseLong)
              .orElse(record.timestampMs());
      if (stamped != stray.timestampMs()) {
        findings.add(stray.keyText() + ": the stray " + place + " came home with another time");
      }
    }
    boolean isNewest =
        written.stream().allMatch(record -> record.timestampMs() < stray.timestampMs());
    boolean mayBeCompacted =
        !facts
            .reading()
            .coversSome(
                home.applyAsInt(stray.keyText()),
                stray.appendedMs(),
                stray.appendedMs() + Evidence.MIN_COMPACTION_LAG,
                SETTLED_MS);
    if (moved.isEmpty() && isNewest && stray.value().isPresent() && !mayBeCompacted) {
      findings.add(stray.keyText() + ": the stray " + place + " never came home");
    }
  }
}
