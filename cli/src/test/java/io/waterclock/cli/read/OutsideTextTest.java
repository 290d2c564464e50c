package io.waterclock.cli.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.text.Problems;
import io.waterclock.testkit.SchedulerHarness;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Writes definitions with line ends, escape sequences and marks that reverse letters, in each
 * string field of the schema in turn. A scheduler reads them, and every command shows them.
 */
@Timeout(900)
class OutsideTextTest {
  private static final String FORGED = "FORGED line";
  private static final String HOSTILE =
      "x\u001b[2J\u001b]0;y\u0007\r\n" + FORGED + "\u009b31m\u202eetxt\u2066\u0085\u2028end";

  @RegisterExtension static final Broker broker = new Broker();

  private final Map<String, byte[]> definitions = new LinkedHashMap<>();
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

  @Test
  @Tag("all")
  void text_from_outside_forges_no_line_and_controls_no_terminal() throws Exception {
    Topics topics = broker.topics("hostile");
    PrintStream before = System.err;
    System.setErr(new PrintStream(logged, true, UTF_8));
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(CliRun.NOW)) {
      define();
      feed(scheduler);
      judge(scheduler);
      copy(scheduler, topics);
    } finally {
      System.setErr(before);
    }
    assertThat(logged.toString(UTF_8)).as("rejections are logged").contains("Rejected");
    mustBeSafe("the log", logged.toString(UTF_8));

    List<String> shown = new ArrayList<>(List.of("list", "fires", "audit", "doctor"));
    for (String id : List.of("description", "labels", "payload", "all", "paused")) {
      assertThat(definitions).containsKey(id);
      shown.add("get " + id);
      shown.add("history " + id);
      shown.add("doctor " + id);
    }
    shown.add("calendar list");
    shown.add("calendar get days");
    for (String command : shown) {
      mustBeSafe(topics, command.split(" "));
    }
    for (String command : List.of("list", "fires", "audit", "get all", "history all")) {
      CliRun run = mustBeSafe(topics, (command + " --json").split(" "));
      for (String line : run.lines()) {
        new ObjectMapper().readTree(line);
      }
    }
    assertThat(broker.run(topics, "get", "all", "--json").out())
        .as("JSON means what was written")
        .satisfies(
            json ->
                assertThat(new ObjectMapper().readTree(json).findValue("description").asText())
                    .isEqualTo(HOSTILE));
    for (String[] wrong :
        new String[][] {
          {"get", "a" + HOSTILE},
          {"put", "a", "--every", HOSTILE},
          {"put", HOSTILE, "--every", "1h"},
          {"next", "--cron", HOSTILE},
          {"next", "--every", "1h", "--timezone", HOSTILE},
          {HOSTILE}
        }) {
      CliRun run = mustBeSafe(topics, wrong);
      assertThat(run.exitCode()).as("%s: %s", List.of(wrong), run.out()).isNotZero();
    }
  }

  /** One definition for each string of the schema, and one for each way to break the text. */
  private void define() {
    Schema schema = Schedule.getClassSchema();
    for (Schema.Field field : schema.getFields()) {
      Schedule schedule = hourly();
      if (poison(schedule, field)) {
        definitions.put(field.name(), RecordCodecs.schedule().encode(schedule, WireFormat.AVRO));
      }
    }
    Schedule cron = hourly();
    cron.setTrigger(CronTrigger.newBuilder().setExpression(HOSTILE).build());
    definitions.put("cron", RecordCodecs.schedule().encode(cron, WireFormat.AVRO));
    Schedule rrule = hourly();
    rrule.setTrigger(RRuleTrigger.newBuilder().setRule(HOSTILE).build());
    definitions.put("rrule", RecordCodecs.schedule().encode(rrule, WireFormat.AVRO));
    Schedule all = hourly();
    all.setDescription(HOSTILE);
    all.setLabels(new TreeMap<>(Map.of("a", HOSTILE, HOSTILE, "b")));
    all.setPayload(ByteBuffer.wrap(HOSTILE.getBytes(UTF_8)));
    definitions.put("all", RecordCodecs.schedule().encode(all, WireFormat.AVRO));
    definitions.put("paused", RecordCodecs.schedule().encode(hourly(), WireFormat.AVRO));
    definitions.put("unknown", "{\"every\":\"1h\",\"%s\":1}".formatted(json()).getBytes(UTF_8));
    definitions.put(
        "enum", "{\"every\":\"1h\",\"catch_up\":\"%s\"}".formatted(json()).getBytes(UTF_8));
    definitions.put("broken", ("{\"every\":\"1h\"," + HOSTILE).getBytes(UTF_8));
    definitions.put("raw", HOSTILE.getBytes(UTF_8));
    definitions.put(HOSTILE, "{\"every\":\"1h\"}".getBytes(UTF_8));
    assertThat(definitions)
        .containsKeys("timezone", "target", "headers", "owner", "queue", "except", "type");
  }

  private static String json() {
    String quoted = new ObjectMapper().valueToTree(HOSTILE).toString();
    return quoted.substring(1, quoted.length() - 1);
  }

  private static Schedule hourly() {
    return Schedule.newBuilder()
        .setTrigger(EveryTrigger.newBuilder().setN(1).setUnit(Unit.HOUR).build())
        .build();
  }

  /** Fills all strings below a field; false where there are none. */
  private static boolean poison(SpecificRecord record, Schema.Field field) {
    boolean found = false;
    for (Schema schema :
        field.schema().isUnion() ? field.schema().getTypes() : List.of(field.schema())) {
      Object hostile = hostile(schema);
      if (hostile != null) {
        record.put(field.pos(), hostile);
        found = true;
      }
    }
    return found;
  }

  private static @Nullable Object hostile(Schema schema) {
    return switch (schema.getType()) {
      case STRING -> HOSTILE;
      case BYTES -> ByteBuffer.wrap(HOSTILE.getBytes(UTF_8));
      case MAP -> hostile(schema.getValueType()) == null ? null : hostileMap(schema);
      case ARRAY ->
          hostile(schema.getElementType()) == null
              ? null
              : List.of(hostile(schema.getElementType()));
      case RECORD -> schema.getName().endsWith("Trigger") ? null : hostileRecord(schema);
      default -> null;
    };
  }

  private static Map<String, Object> hostileMap(Schema schema) {
    return new TreeMap<>(
        Map.of(HOSTILE, hostile(schema.getValueType()), "a", hostile(schema.getValueType())));
  }

  private static @Nullable Object hostileRecord(Schema schema) {
    SpecificRecord nested =
        (SpecificRecord) SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
    boolean found = false;
    for (Schema.Field field : schema.getFields()) {
      if (field.hasDefaultValue()) {
        nested.put(field.pos(), SpecificData.get().getDefaultValue(field));
      }
      found |= poison(nested, field);
    }
    return found ? nested : null;
  }

  private void feed(SchedulerHarness scheduler) {
    Calendar calendar =
        RecordCodecs.calendar()
            .decode(
                "{\"dates\":[\"2026-12-24\"],\"description\":\"%s\"}"
                    .formatted(json())
                    .getBytes(UTF_8));
    scheduler.putCalendar("days", calendar);
    scheduler.sendCalendar(HOSTILE, "{\"dates\":[]}".getBytes(UTF_8));
    scheduler.sendCalendar("broken", HOSTILE.getBytes(UTF_8));
    definitions.forEach(
        (id, value) -> scheduler.send(id, value, scheduler.now(), asking("c" + id.hashCode())));
    scheduler.command(
        "paused",
        Command.newBuilder()
            .setCommandId(HOSTILE)
            .setAction(PauseCommand.newBuilder().setNote(HOSTILE).setAuthor(HOSTILE).build())
            .build());
    scheduler.command("all", "{\"%s\":{}}".formatted(json()));
    scheduler.command(HOSTILE, "{\"pause\":{}}");
    scheduler.report("all", "{\"fire_key\":\"%s\",\"state\":\"FAILED\"}".formatted(json()));
    scheduler.advance(Duration.ofHours(3));
  }

  private static RecordHeaders asking(String correlation) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(HeaderNames.CORRELATION_ID, correlation.getBytes(UTF_8));
    headers.add(HeaderNames.ANSWER_PARTITION, "0".getBytes(UTF_8));
    return headers;
  }

  /** Checks the messages of the scheduler. */
  private static void judge(SchedulerHarness scheduler) {
    assertThat(scheduler.answers()).isNotEmpty();
    for (Answer answer : scheduler.answers()) {
      answer
          .getProblems()
          .forEach(
              problem -> {
                mustBeSafe("a field", problem.getField());
                mustBeSafe("a message", problem.getMessage());
                mustBeSafe("an example", String.valueOf(problem.getExample()));
              });
      mustBeSafe("an answer", Problems.text(answer.getProblems()));
    }
    List<TestRecord<byte[], byte[]>> dead = scheduler.records(scheduler.topics().dlq());
    assertThat(dead).hasSizeGreaterThan(3);
    for (TestRecord<byte[], byte[]> record : dead) {
      mustBeSafe(
          "a dead letter",
          new String(record.headers().lastHeader(HeaderNames.ERROR).value(), UTF_8));
    }
  }

  private void copy(SchedulerHarness scheduler, Topics topics) throws Exception {
    for (Map.Entry<String, byte[]> definition : definitions.entrySet()) {
      broker.write(topics.schedules(), definition.getKey(), definition.getValue());
    }
    Calendar calendar =
        RecordCodecs.calendar()
            .decode("{\"dates\":[],\"description\":\"%s\"}".formatted(json()).getBytes(UTF_8));
    broker.write(
        topics.calendars(), "days", RecordCodecs.calendar().encode(calendar, WireFormat.AVRO));
    Topics from = scheduler.topics();
    Map<String, String> copies =
        Map.of(
            from.status(), topics.status(),
            from.revisions(), topics.revisions(),
            from.fires(), topics.fires(),
            from.missed(), topics.missed(),
            from.watermarks(), topics.watermarks(),
            from.dlq(), topics.dlq());
    for (Map.Entry<String, String> copy : copies.entrySet()) {
      for (TestRecord<byte[], byte[]> record : scheduler.records(copy.getKey())) {
        String id = copy.getKey().equals(from.fires()) ? subject(record) : keyOf(record);
        broker.write(
            new ProducerRecord<>(
                copy.getValue(), null, id.getBytes(UTF_8), record.value(), record.headers()));
      }
    }
  }

  private static String keyOf(TestRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), UTF_8);
  }

  private static String subject(TestRecord<byte[], byte[]> record) {
    return RecordCodecs.fire().decode(record.value()).getScheduleId();
  }

  private static CliRun mustBeSafe(Topics topics, String... command) {
    boolean needsTopics = !command[0].equals("next") && !command[0].equals(HOSTILE);
    CliRun run = needsTopics ? broker.run(topics, command) : CliRun.of(command);
    String name = String.join(" ", command);
    mustBeSafe(name, run.out());
    mustBeSafe(name, run.err());
    assertThat(run.out() + run.err()).as(name).isNotEmpty().doesNotContain("\tat io.waterclock");
    return run;
  }

  private static void mustBeSafe(String what, String text) {
    text.codePoints()
        .forEach(
            codePoint -> {
              boolean isLayout = codePoint == '\n' || codePoint == '\t';
              boolean isUnsafe =
                  Character.isISOControl(codePoint)
                      || Character.getType(codePoint) == Character.FORMAT
                      || Character.getType(codePoint) == Character.LINE_SEPARATOR;
              assertThat(isUnsafe && !isLayout)
                  .as("%s shows U+%04X: %s", what, codePoint, text)
                  .isFalse();
            });
    assertThat(text.lines()).as(what).noneMatch(line -> line.strip().startsWith(FORGED));
  }
}
