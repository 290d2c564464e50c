package io.waterclock.sim.judge;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.judge.Entry;
import io.waterclock.judge.History;
import io.waterclock.judge.RegistryLog;
import io.waterclock.judge.Terms;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.judge.limits.LimitHistory;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.Header;

/** The committed records of a world that has ended, whether cleaned or not. */
public record Journal(Broker broker, Topics topics, int partitions, String target) {
  /** Begins the ids of schedules with limits, which another judge judges. */
  public static final String LIMITED = "limited/";

  /** As the judge of limits reads them. */
  public LimitHistory limits() {
    return new LimitHistory(
        partitions,
        all(topics.waiting(), record -> true).toList(),
        broker.log(new Place(topics.limits(), 0)).journal().stream()
            .filter(LogRecord::isCommitted)
            .map(record -> entry(topics.limits(), 0, record))
            .map(Journal::text)
            .toList(),
        all(topics.fires(), Journal::isLimited)
            .map(entry -> decoded(entry, RecordCodecs.fire()))
            .toList(),
        all(topics.missed(), Journal::isLimited)
            .map(entry -> decoded(entry, RecordCodecs.missed()))
            .toList(),
        all(topics.outcomes(), record -> isLimited(record) && record.value().isPresent())
            .map(entry -> decoded(entry, RecordCodecs.outcome()))
            .toList(),
        all(topics.alerts(), Journal::isLimited)
            .map(entry -> decoded(entry, RecordCodecs.alert()))
            .toList(),
        Stream.of(topics.schedules(), topics.commands())
            .flatMap(topic -> all(topic, Journal::isLimited))
            .toList());
  }

  private static Entry<String> text(Entry<byte[]> entry) {
    return entry.with(entry.value().map(text -> new String(text, StandardCharsets.UTF_8)));
  }

  private static boolean isLimited(LogRecord record) {
    return record.keyText().startsWith(LIMITED);
  }

  /** As the judge reads them. */
  public History history() {
    return new History(
        partitions,
        texts(topics.schedules()),
        texts(topics.commands()),
        entries(topics.outcomes(), Journal::isReport)
            .map(entry -> decoded(entry, RecordCodecs.outcome()))
            .toList(),
        decoded(topics.fires(), RecordCodecs.fire()),
        decoded(topics.missed(), RecordCodecs.missed()),
        decoded(topics.alerts(), RecordCodecs.alert()),
        decoded(topics.revisions(), RecordCodecs.revision()),
        decoded(topics.status(), RecordCodecs.status()),
        entries(target, record -> true).map(entry -> entry.with(fire(entry))).toList(),
        entries(topics.dlq(), this::isOfFires).toList(),
        entries(topics.strays(), record -> true).toList(),
        Optional.empty(),
        RegistryLog.NONE,
        Set.of());
  }

  /** What is wrong with records that were to be delivered later. */
  public List<String> delayedFindings(DelayedRecords delayed, String topic, Terms terms) {
    List<String> dead =
        all(topics.dlq(), record -> isDelayed(record) && isOfFires(record))
            .map(entry -> RecordCodecs.fire().decode(entry.value().orElseThrow()))
            .map(
                fire -> new String(fire.getSchedule().getPayload().array(), StandardCharsets.UTF_8))
            .toList();
    return delayed.findings(all(topic, record -> true).toList(), dead, terms);
  }

  /** The judge knows only what clients define; the schedules of delayed records have such names. */
  private static boolean isDelayed(LogRecord record) {
    return record.keyText().startsWith("later/");
  }

  /** More than a record that wakes a task. */
  private static boolean isReport(LogRecord record) {
    return record.value().orElseThrow()[0] != '{';
  }

  private boolean isOfFires(LogRecord record) {
    Header origin = record.headers().lastHeader(HeaderNames.ORIGIN_TOPIC);
    return origin != null
        && new String(origin.value(), StandardCharsets.UTF_8).equals(topics.fires());
  }

  private Stream<Entry<byte[]>> entries(String topic, Function<LogRecord, Boolean> which) {
    return all(topic, record -> !isDelayed(record) && !isLimited(record) && which.apply(record));
  }

  private Stream<Entry<byte[]>> all(String topic, Function<LogRecord, Boolean> which) {
    return IntStream.range(0, partitions)
        .boxed()
        .flatMap(
            partition ->
                broker.log(new Place(topic, partition)).journal().stream()
                    .filter(record -> record.isCommitted() && which.apply(record))
                    .map(record -> entry(topic, partition, record)));
  }

  private static Entry<byte[]> entry(String topic, int partition, LogRecord record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return new Entry<>(
        topic,
        partition,
        record.offset(),
        record.keyText(),
        record.value(),
        headers,
        record.timestampMs(),
        record.appendedMs(),
        record.visibleMs());
  }

  private List<Entry<String>> texts(String topic) {
    return entries(topic, record -> true).map(Journal::text).toList();
  }

  private <T extends SpecificRecordBase> List<Entry<T>> decoded(
      String topic, RecordCodec<T> codec) {
    return entries(topic, record -> true).map(entry -> decoded(entry, codec)).toList();
  }

  private static <T extends SpecificRecordBase> Entry<T> decoded(
      Entry<byte[]> entry, RecordCodec<T> codec) {
    return entry.with(entry.value().map(codec::decode));
  }

  private static Optional<Fire> fire(Entry<byte[]> routed) {
    try {
      return routed.value().map(RecordCodecs.fire()::decode);
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  /**
   * What the product's own audit finds in the same topics. A fire that waits for a limit counts as
   * fired.
   */
  public List<String> auditFindings() {
    Audit audit = new Audit();
    Map<Integer, Instant> through = new HashMap<>();
    for (Entry<Watermark> entry : audited(topics.watermarks(), RecordCodecs.watermark())) {
      Watermark watermark = entry.value().orElseThrow();
      through.put(watermark.getPartition(), watermark.getDecidedThrough());
    }
    audited(topics.status(), RecordCodecs.status())
        .forEach(
            entry ->
                entry.value().ifPresentOrElse(audit::add, () -> audit.statusDeleted(entry.key())));
    Map<String, Fire> waiting = waiting();
    for (Entry<Fire> entry : audited(topics.fires(), RecordCodecs.fire())) {
      audit.add(entry.value().orElseThrow());
      waiting.remove(entry.key());
    }
    for (Entry<Missed> entry : audited(topics.missed(), RecordCodecs.missed())) {
      Missed range = entry.value().orElseThrow();
      audit.add(range);
      if (range.getCount() == 1) {
        waiting.remove(FireKey.of(ScheduleId.parse(entry.key()), range.getFirst()).text());
      }
    }
    waiting.values().forEach(audit::add);
    Map<String, Integer> homes = new HashMap<>();
    for (Entry<Revision> entry : audited(topics.revisions(), RecordCodecs.revision())) {
      audit.add(entry.value().orElseThrow());
      homes.put(entry.key(), entry.partition());
    }
    List<String> findings = new ArrayList<>();
    homes.forEach(
        (id, home) ->
            Optional.ofNullable(through.get(home))
                .map(decided -> audit.of(id, new Window(Instant.MIN, decided)))
                .ifPresent(
                    result ->
                        result.accounts().stream()
                            .map(Account::findings)
                            .flatMap(List::stream)
                            .map(Finding::toString)
                            .forEach(findings::add)));
    return findings;
  }

  private <T extends SpecificRecordBase> List<Entry<T>> audited(
      String topic, RecordCodec<T> codec) {
    return all(topic, record -> !isDelayed(record)).map(entry -> decoded(entry, codec)).toList();
  }

  /** The fires that have come to wait, by their keys. */
  private Map<String, Fire> waiting() {
    Map<String, Fire> waiting = new HashMap<>();
    all(topics.waiting(), record -> isLimited(record) && record.value().isPresent())
        .map(entry -> decoded(entry, RecordCodecs.fire()))
        .forEach(entry -> waiting.put(entry.key(), entry.value().orElseThrow()));
    return waiting;
  }
}
