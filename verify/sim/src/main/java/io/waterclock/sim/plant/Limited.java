package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.judge.Journal;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Fires that wait start once, within their limits, as soon as there is room. */
final class Limited {
  private Limited() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a fire that waited starts twice", sent(3, limited(Sink.FIRES), twice()));
    all.put("a fire that waited does not start", sent(EACH, limited(Sink.FIRES), nothing()));
    all.put("a withdrawn fire is not missed", sent(EACH, limited(Sink.MISSED), nothing()));
    all.put("a limit lets more run than it says", limits("max_running", 9));
    all.put("a limit lets more start in a second than it says", limits("per_second", 90));
    all.put("a pause of a limit is not read", unread("limits", record -> has(record, "paused")));
    all.put("the end of a run is not read", unread("waiting", note("ended")));
    all.put("a withdrawal is not read", unread("waiting", note("withdrawn")));
    all.put("that a fire has started is not read", unread("outcomes", note("begun")));
    all.put("a fire that starts counts as withdrawn", startsAsWithdrawn());
    all.put(
        "an alert about a fire that waited is written twice",
        sent(EACH, limited(Sink.ALERTS), twice()));
    all.put("what runs is forgotten at a restart", unrestored('r'));
    all.put("what waits is forgotten at a restart", unrestored('w'));
    return all;
  }

  private static Predicate<Fault.Sent> limited(Sink sink) {
    return to(sink)
        .and(
            sent ->
                new String(sent.message().key(), StandardCharsets.UTF_8)
                    .startsWith(Journal.LIMITED));
  }

  private static Predicate<LogRecord> note(String beginning) {
    return record ->
        Optional.ofNullable(record.headers().lastHeader(HeaderNames.WAITING))
            .filter(
                header -> new String(header.value(), StandardCharsets.UTF_8).startsWith(beginning))
            .isPresent();
  }

  private static boolean has(LogRecord record, String text) {
    return record
        .value()
        .filter(value -> new String(value, StandardCharsets.UTF_8).contains(text))
        .isPresent();
  }

  private static Supplier<Fault> unread(String topic, Predicate<LogRecord> which) {
    return read(
        EACH,
        (place, record) -> place.topic().endsWith("." + topic) && which.test(record),
        record -> Optional.empty());
  }

  private static Supplier<Fault> limits(String field, int instead) {
    return read(
        EACH,
        (place, record) -> place.topic().endsWith(".limits") && has(record, field),
        record ->
            Optional.of(
                record.with(
                    ("{\"" + field + "\":" + instead + "}").getBytes(StandardCharsets.UTF_8))));
  }

  private static Supplier<Fault> startsAsWithdrawn() {
    return read(
        EACH,
        (place, record) -> place.topic().endsWith(".outcomes") && note("begun").test(record),
        record -> {
          RecordHeaders headers = new RecordHeaders(record.headers());
          headers.remove(HeaderNames.WAITING);
          headers.add(HeaderNames.WAITING, "withdrawn PAUSED".getBytes(StandardCharsets.UTF_8));
          return Optional.of(record.with(headers));
        });
  }

  private static Supplier<Fault> unrestored(char kind) {
    return () ->
        new Tampering() {
          @Override
          public boolean restores(String store, LogRecord record) {
            return !store.equals(LimiterTopology.STORE) || record.key()[0] != kind;
          }
        };
  }
}
