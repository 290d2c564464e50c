package io.waterclock.console.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ViewJson;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Follows one occurrence from its definition to its fire to its outcome, by the positions of the
 * records. Reads the schedule's partition of four topics, from shortly before the occurrence on.
 */
public final class TrailWork implements Work {
  /** A fire is never written before its occurrence, up to the difference between clocks. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private static final int MOST = 200;

  /** Of what a worker has said, in characters. */
  private static final int LONGEST_PART = 1_000;

  private final AuditTopics.Source source;
  private final String id;
  private final Instant occurrence;
  private final String zone;
  private final boolean seesOutput;
  private final List<Step> steps = new ArrayList<>();
  private long read;

  /**
   * @param text in which the page shows instants in the person's zone
   * @param author who wrote the definition, if its record says it
   * @param note why
   */
  private record Step(
      Instant at,
      String kind,
      String place,
      String text,
      Optional<String> author,
      Optional<String> note) {
    static Step of(Instant at, String kind, String place, String text) {
      return new Step(at, kind, place, text, Optional.empty(), Optional.empty());
    }
  }

  /**
   * @param zone of the schedule, for people
   * @param seesOutput whether the person may see what runs put out
   */
  public TrailWork(
      AuditTopics.Source source, String id, Instant occurrence, String zone, boolean seesOutput) {
    this.source = source;
    this.id = id;
    this.occurrence = occurrence;
    this.zone = zone;
    this.seesOutput = seesOutput;
  }

  @Override
  public ObjectNode run(Progress progress) {
    Topics topics = source.topics();
    Instant from = occurrence.minus(SLACK);
    follow(topics.revisions(), Optional.empty(), progress, RecordCodecs.revision(), this::revision);
    follow(topics.fires(), Optional.of(from), progress, RecordCodecs.fire(), this::fire);
    follow(topics.missed(), Optional.of(from), progress, RecordCodecs.missed(), this::missed);
    follow(topics.outcomes(), Optional.of(from), progress, RecordCodecs.outcome(), this::outcome);
    steps.sort(Comparator.comparing(Step::at));
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", id)
            .put("occurrence", occurrence.toString())
            .put("zone", zone);
    tree.set("steps", ViewJson.list(steps));
    return tree;
  }

  private interface Taken<T> {
    void take(T value, ConsumerRecord<byte[], byte[]> record);
  }

  private <T extends SpecificRecordBase> void follow(
      String topic, Optional<Instant> from, Progress progress, RecordCodec<T> codec, Taken<T> to) {
    TopicReader reader = source.reader();
    List<TopicPartition> one =
        List.of(Partitions.home(id, topic, source.topics(), reader::partitions));
    byte[] beginning = id.getBytes(UTF_8);
    reader.from(
        from.map(at -> reader.offsetsAt(one, at)).orElseGet(() -> reader.beginnings(one)),
        record -> {
          if (progress.isCancelled()) {
            throw new CancellationException("Cancelled.");
          }
          progress.at(++read, 0);
          if (record.value() != null
              && Partitions.keyBegins(record, beginning)
              && steps.size() < MOST) {
            try {
              to.take(codec.decode(record.value(), source.schemas()), record);
            } catch (UndecodableException e) {
              steps.add(
                  Step.of(
                      Instant.ofEpochMilli(record.timestamp()),
                      "unreadable",
                      Partitions.position(record),
                      String.valueOf(e.getMessage())));
            }
          }
          return true;
        });
  }

  private void revision(Revision revision, ConsumerRecord<byte[], byte[]> record) {
    boolean isOwn =
        revision.getScheduleId().equals(id)
            && revision.getEndedBy() == null
            && revision.getOwnsAfter().isBefore(occurrence);
    if (isOwn) {
      steps.removeIf(step -> step.kind().equals("definition") || step.kind().equals("revision"));
      steps.add(
          new Step(
              revision.getEffectiveAt(),
              "definition",
              revision.getRevision(),
              revision.getAuthor() == null ? "written; its record names no author" : "written",
              Optional.ofNullable(revision.getAuthor()),
              Optional.ofNullable(revision.getNote())));
      steps.add(
          Step.of(
              revision.getAcceptedAt(),
              "revision",
              Partitions.position(record),
              "accepted; owns the occurrences after " + revision.getOwnsAfter()));
    }
  }

  private void fire(Fire fire, ConsumerRecord<byte[], byte[]> record) {
    if (fire.getScheduleId().equals(id) && fire.getOccurrence().equals(occurrence)) {
      steps.add(
          Step.of(
              fire.getFiredAt(),
              "fire",
              Partitions.position(record),
              "%s, due %s, of revision %s, fire id %s"
                  .formatted(
                      fire.getCause(), fire.getDue(), fire.getRevision(), fire.getFireId())));
    }
  }

  private void missed(Missed range, ConsumerRecord<byte[], byte[]> record) {
    if (range.getScheduleId().equals(id)
        && !range.getFirst().isAfter(occurrence)
        && !range.getLast().isBefore(occurrence)) {
      steps.add(
          Step.of(
              range.getDecidedAt(),
              "missed",
              Partitions.position(record),
              "%s, in the range from %s to %s of revision %s%s"
                  .formatted(
                      range.getReason(),
                      range.getFirst(),
                      range.getLast(),
                      range.getRevision(),
                      range.getCollapsedInto() == null
                          ? ""
                          : "; " + range.getCollapsedInto() + " fired for it")));
    }
  }

  private void outcome(Outcome outcome, ConsumerRecord<byte[], byte[]> record) {
    FireKey key;
    try {
      key = FireKey.parse(outcome.getFireKey());
    } catch (InvalidIdException e) {
      return; // the scheduler has refused it
    }
    if (key.schedule().value().equals(id) && key.occurrence().equals(occurrence)) {
      steps.add(
          Step.of(
              Instant.ofEpochMilli(record.timestamp()),
              "outcome",
              Partitions.position(record),
              text(outcome)));
    }
  }

  private String text(Outcome outcome) {
    return Stream.of(
            Optional.of(outcome.getState().name()),
            Optional.of("attempt " + outcome.getAttempt()),
            Optional.ofNullable(outcome.getWorker()).map(worker -> "by " + worker),
            Optional.ofNullable(outcome.getStartedAt()).map(at -> "started at " + at),
            Optional.ofNullable(outcome.getEndedAt()).map(at -> "ended at " + at),
            Optional.ofNullable(outcome.getReason()),
            Optional.ofNullable(outcome.getError()),
            Optional.ofNullable(outcome.getOutput())
                .filter(text -> seesOutput)
                .map(text -> "output: " + text))
        .flatMap(Optional::stream)
        .map(part -> SafeText.cut(part, LONGEST_PART))
        .collect(Collectors.joining(", "));
  }
}
