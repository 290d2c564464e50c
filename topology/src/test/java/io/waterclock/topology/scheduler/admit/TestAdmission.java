package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.IndexedMemoryStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.jspecify.annotations.Nullable;

/** The admission of one partition, with a registry and stores that may fail. */
final class TestAdmission {
  static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  static final String SCHEDULES = "waterclock.schedules";
  static final String COMMANDS = "waterclock.commands";

  /** Of a record in the Confluent wire format, whose schema id is 7. */
  static final Optional<byte[]> REGISTERED = Optional.of(new byte[] {0, 0, 0, 0, 7, 1, 2});

  static final SchemaSource.Lookup AWAY = new SchemaSource.Lookup.Unavailable("away");
  static final SchemaSource.Lookup UNKNOWN =
      new SchemaSource.Lookup.Refused(UndecodableException.Reason.UNKNOWN_SCHEMA, "unknown");

  /** The next answers of the registry; the last one repeats. */
  final List<SchemaSource.Lookup> lookups = new ArrayList<>(List.of(AWAY));

  /** The ids of the schedules whose definitions or deletes were admitted. */
  final List<ScheduleId> admitted = new ArrayList<>();

  /** What the log says about rejected records. */
  final List<String> logged = new ArrayList<>();

  /** The names of schemas of which no record can be written. */
  final Set<String> unwritable = new HashSet<>();

  final TaskContext task;
  final Admission admission;
  boolean storeFails;
  private final MockProcessorContext<byte[], Object> context = new MockProcessorContext<>();
  private long offset;

  TestAdmission(RecordDeaths deaths) {
    task =
        TestTask.with(
            new FailingStore(ProgressStore.NAME),
            new FailingStore(ScheduleStore.NAME),
            context,
            new Wire(
                Encoding.registered(this::idOf),
                id -> lookups.size() > 1 ? lookups.remove(0) : lookups.get(0)),
            deaths,
            new RejectionLog(() -> NOW, " more", logged::add));
    admission = new Admission(task, new FixedGate(true), at -> NOW, admitted::add);
    admission.reads(true);
  }

  static DeadLetterSender deadLetters(TaskContext task) {
    return new DeadLetterSender(
        task.settings().channels().topics(),
        task.encoder().records(),
        task.partition().counts(),
        task.application().incoming().rejections(),
        new AnswerSender(task.encoder().records()));
  }

  static HeldRecords heldRecords(TaskContext task) {
    return new HeldRecords(
        task.partition().stores().heldRecords(),
        Room.ofPartition(memory(task, "held")),
        task.settings().channels().wire().schemas(),
        task.settings().channels().topics().outcomes());
  }

  static ReorderBuffer buffer(TaskContext task, StraysInTransit inTransit) {
    return new ReorderBuffer(
        task.partition().stores().earlier(),
        memory(task, "reordered"),
        task.settings().channels().topics(),
        0,
        inTransit);
  }

  static WaitingCommands waiting(TaskContext task, Gate gate, Predicate<ScheduleId> isOnItsWay) {
    return new WaitingCommands(
        task.partition().stores().waitingCommands(),
        Room.ofPartition(memory(task, "commands")),
        gate,
        isOnItsWay,
        () -> Duration.ZERO,
        NOW);
  }

  static WaitingMemory.Share memory(TaskContext task, String place) {
    return task.application().incoming().waiting().join(0, place);
  }

  /** The admission of definitions alone. */
  static AdmitDefinition definitions(TaskContext task) {
    return new AdmitDefinition(
        task,
        new LastWrites(task.partition().stores().strays(), Optional::empty),
        new StraysInTransit(memory(task, "transit")),
        new AnswerSender(task.encoder().records()),
        deadLetters(task),
        () -> NOW);
  }

  void admit(String topic, String key, String json) {
    admit(topic, key, Optional.of(json.getBytes(UTF_8)));
  }

  /** Admits the next record: its offset is one more than that of the record before. */
  void admit(String topic, String key, Optional<byte[]> value, Header... headers) {
    offset++;
    admission.admit(
        new Inbound(
            Optional.of(key.getBytes(UTF_8)),
            value,
            new RecordHeaders(headers),
            NOW,
            topic,
            0,
            offset),
        NOW);
  }

  private int idOf(Schema schema) {
    if (unwritable.contains(schema.getName())) {
      throw new IllegalStateException("no id for " + schema.getName());
    }
    return 7;
  }

  boolean exists(String id) {
    return task.partition().load(ScheduleId.parse(id)).isPresent();
  }

  /** How many records were sent to a topic. */
  long sent(Sink sink) {
    return sentTo(sink).count();
  }

  private Stream<CapturedForward<? extends byte[], ? extends Object>> sentTo(Sink sink) {
    return context.forwarded().stream()
        .filter(sent -> sent.childName().equals(Optional.of(sink.node())));
  }

  /** The reasons of all dead letters. */
  List<String> deadLetters() {
    return sentTo(Sink.DLQ).map(sent -> sent.record().headers()).map(TestAdmission::error).toList();
  }

  /** How many headers each dead letter has. */
  List<Integer> headersOfDeadLetters() {
    return sentTo(Sink.DLQ).map(sent -> sent.record().headers().toArray().length).toList();
  }

  private static String error(Headers headers) {
    return new String(headers.lastHeader(HeaderNames.ERROR).value(), UTF_8);
  }

  private final class FailingStore extends IndexedMemoryStore {
    FailingStore(String name) {
      super(name);
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
      if (storeFails && value != null) {
        throw new IllegalStateException("the disk is full");
      }
      super.put(key, value);
    }
  }
}
