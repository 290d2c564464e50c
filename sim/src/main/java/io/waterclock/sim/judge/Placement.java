package io.waterclock.sim.judge;

import io.waterclock.schemas.Headers;
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

  void judge() {
    for (int p = 0; p < facts.partitions(); p++) {
      fires(p);
      strays(p);
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
          Evidence.header(record, Headers.MOVED).isPresent()
              || Evidence.header(record, Headers.ORIGIN).isPresent();
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

  private void cameHome(LogRecord stray, String place) {
    List<LogRecord> written = evidence.written(stray.keyText());
    List<LogRecord> moved =
        written.stream()
            .filter(
                record -> Evidence.header(record, Headers.STRAY).filter(place::equals).isPresent())
            .toList();
    if (moved.size() > 1) {
      findings.add(
          stray.keyText() + ": the stray " + place + " came home " + moved.size() + " times");
    }
    for (LogRecord record : moved) {
      long stamped =
          Evidence.header(record, Headers.STAMPED)
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
