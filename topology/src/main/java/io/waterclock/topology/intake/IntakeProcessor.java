package io.waterclock.topology.intake;

import io.waterclock.definition.Calendars;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.DefinitionReader;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Turns each record of the topic later into a schedule that fires it once, or into the tombstone of
 * one; or sends it to the dead-letter topic with the reasons, and answers if an answer is asked
 * for. A schedule that it writes passes the checks that the scheduler makes when it reads it; the
 * scheduler answers then. Keeps no state, so after an aborted transaction the intake only reads the
 * records again.
 *
 * <p>The schedule has the timestamp of its record, and the header of a stray: of two records with
 * one id, from different partitions, the one that was written later counts.
 */
final class IntakeProcessor implements Processor<byte[], byte[], byte[], Object> {
  static final String TO_SCHEDULES = "to-schedules";
  static final String TO_ANSWERS = "to-answers";
  static final String TO_DLQ = "to-dlq";

  /** Which header each field of the schedule comes from. */
  private static final Map<String, String> HEADER_OF =
      Map.of(
          "trigger", HeaderNames.AT,
          "at", HeaderNames.AT,
          "target.topic", HeaderNames.TARGET,
          "target.record.partition", HeaderNames.PARTITION,
          "payload", "");

  private final CountReports<IntakeCounts> reports;
  private final OutgoingRecords records;
  private final DefinitionReader reader;
  private final LaterIds ids;
  private final RejectionLog rejections;
  private final int maxBytes;
  private @Nullable ProcessorContext<byte[], Object> context;
  private IntakeCounts counts = new IntakeCounts();

  IntakeProcessor(
      Settings settings,
      TargetTopics targets,
      CountReports<IntakeCounts> reports,
      RejectionLog rejections) {
    this.reports = reports;
    this.records = new OutgoingRecords(settings.channels(), settings.limits(), Optional.empty());
    this.reader =
        new DefinitionReader(
            settings, records.limit(), () -> Calendars.NONE, targets, Effort.unlimited());
    this.ids = new LaterIds(settings.channels().partitions());
    this.rejections = rejections;
    this.maxBytes = settings.limits().maxFireBytes();
  }

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    this.context = context;
    this.counts = new IntakeCounts();
    reports.assigned(context.taskId(), counts);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    rejections.logCount();
    Inbound inbound = Inbound.of(record, running().recordMetadata().orElseThrow());
    Optional<Problem> headers = HeaderBounds.problem(inbound.headers());
    if (headers.isPresent()) {
      refuse(inbound, Optional.empty(), List.of(headers.get()));
      return;
    }
    LaterRequest request = LaterRequest.of(inbound, ids);
    if (request instanceof LaterRequest.Deliver deliver) {
      byte[] value = RecordCodecs.schedule().encode(deliver.schedule(), Encoding.AVRO);
      define(deliver.id(), Optional.of(value), inbound, LaterOutcome.DELAYED);
    } else if (request instanceof LaterRequest.Cancel cancel) {
      define(cancel.id(), Optional.empty(), inbound, LaterOutcome.CANCELLED);
    } else if (request instanceof LaterRequest.Invalid invalid) {
      refuse(inbound, invalid.id(), invalid.problems());
    }
  }

  /**
   * Writes a definition, or a tombstone.
   *
   * @param value empty for a tombstone
   */
  private void define(
      ScheduleId id, Optional<byte[]> value, Inbound inbound, LaterOutcome outcome) {
    Inbound definition =
        new Inbound(
            Optional.of(id.utf8()),
            value,
            headers(inbound),
            inbound.timestamp(),
            inbound.topic(),
            inbound.partition(),
            inbound.offset());
    DefinitionReader.Reading reading = reader.read(definition);
    if (reading instanceof DefinitionReader.Reading.Rejected rejected) {
      refuse(inbound, Optional.of(id), rejected.problems().stream().map(this::ofHeader).toList());
      return;
    }
    if (reading instanceof DefinitionReader.Reading.Dead dead) {
      refuse(inbound, Optional.of(id), List.of(dead.problem()));
      return;
    }
    byte[] written = value.orElse(null);
    if (RecordSize.of(id.utf8(), written, definition.headers()) > maxBytes) {
      refuse(
          inbound,
          Optional.of(id),
          List.of(Problems.of("", "its schedule would have more than " + maxBytes + " bytes")));
      return;
    }
    forward(
        new Record<>(id.utf8(), written, inbound.timestamp().toEpochMilli(), definition.headers()),
        TO_SCHEDULES);
    counts.count(outcome);
  }

  private static RecordHeaders headers(Inbound inbound) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.STRAY, utf8(inbound.revision()));
    AnswerAddress.of(inbound.headers())
        .ifPresent(
            address -> {
              headers.add(HeaderNames.CORRELATION_ID, utf8(address.correlationId()));
              headers.add(
                  HeaderNames.ANSWER_PARTITION, utf8(Integer.toString(address.partition())));
            });
    return headers;
  }

  private Problem ofHeader(Problem problem) {
    String field = HEADER_OF.getOrDefault(problem.getField(), problem.getField());
    return Problems.of(field, problem.getMessage(), problem.getExample());
  }

  private void refuse(Inbound inbound, Optional<ScheduleId> id, List<Problem> all) {
    List<Problem> problems = BoundedText.problems(all);
    String error = Problems.text(problems);
    Instant now = Instant.ofEpochMilli(running().currentSystemTimeMs());
    forward(records.dead(inbound, error, now).record(), TO_DLQ);
    counts.count(LaterOutcome.REFUSED);
    rejections.rejected("Dead letter at " + inbound.revision(), error);
    AnswerAddress.of(inbound.headers())
        .ifPresent(
            address -> {
              Answer answer =
                  Answer.newBuilder()
                      .setCorrelationId(address.correlationId())
                      .setScheduleId(id.map(ScheduleId::value).orElse(""))
                      .setVerdict(Verdict.REJECTED)
                      .setProblems(problems)
                      .build();
              forward(
                  records.answer(answer, address.partition(), inbound.isJson(), now).record(),
                  TO_ANSWERS);
            });
  }

  private void forward(Record<byte[], ?> record, String sink) {
    running().forward(record.withValue((Object) record.value()), sink);
  }

  @Override
  public void close() {
    if (context != null) {
      reports.revoked(context.taskId());
      context = null;
    }
  }

  private ProcessorContext<byte[], Object> running() {
    if (context == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return context;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
