package io.waterclock.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} while commands are being executed, each of which was written twice. */
@Timeout(600)
@Tag("all")
final class CommandsOnBrokerTest {
  private static final int KILLS = 2;
  private static final int TRIGGERS = 10;
  private static final int BACKFILLED = 150;
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00Z");
  private static final String EVERY_SECOND =
      "{\"every\":\"1s\",\"anchor\":\"%s\",\"catch_up\":\"replay\"}".formatted(ANCHOR);
  private static final String FOR_LONG = "{\"every\":\"1s\",\"anchor\":\"%s\"}".formatted(ANCHOR);
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

  @TempDir Path dir;

  @Test
  void each_command_is_executed_exactly_once_whatever_is_killed_and_however_often_it_is_written() {
    System.out.println("waterclock.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "commands", dir);
      Map<String, String> settings =
          tenant.settings("one", Map.of("partitions", "1", "backfill.rate", "50"));
      try (Producing schedules = tenant.schedules();
          Producing commands = tenant.commands()) {
        for (int kill = 0; kill < KILLS; kill++) {
          killWhileExecuting(settings, tenant, schedules, commands, kill, random);
        }
        // the topic of commands is read to its end long before that of definitions
        schedules.fill(2_000);
        schedules.put("late", "{\"at\":\"2099-01-01T00:00:00Z\"}");
        send(commands, "late", "late", "\"trigger\":{}", "late");
        send(commands, "never", "never", "\"trigger\":{}", "never");
        finish(settings, tenant);
      }
      assertTriggered(tenant);
      assertBackfilled(tenant);
      assertPausedAndResumed(tenant);
      assertAnswered(tenant);
    }
  }

  /** Kills an instance in the middle of a backfill, soon after it was given its commands. */
  private static void killWhileExecuting(
      Map<String, String> settings,
      Tenant tenant,
      Producing schedules,
      Producing commands,
      int kill,
      SplittableRandom random) {
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
        TopicReader<byte[]> fires =
            TopicReader.uncommitted(tenant.bootstrapServers(), tenant.topics().fires())) {
      schedules.put("fired", FOR_LONG, ANCHOR.minusSeconds(1)); // the same again changes nothing
      schedules.put("paused", EVERY_SECOND);
      for (int i = 0; i < TRIGGERS; i++) {
        twice(commands, "fired", trigger(kill, i), "\"trigger\":{\"payload\":" + i + "}");
      }
      twice(commands, "paused", pause(kill), "\"pause\":{\"author\":\"" + pause(kill) + "\"}");
      twice(commands, "paused", "resume-" + kill, "\"resume\":{}");
      twice(
          commands,
          "fired",
          "backfill-" + kill,
          "\"backfill\":{\"from\":\"%s\",\"to\":\"%s\"}"
              .formatted(backfillFrom(kill), backfillFrom(kill + 1)));
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .atMost(Duration.ofMinutes(4))
          .until(() -> fires.poll().stream().anyMatch(fire -> isOf(fire, kill)));
      fires.readFor(Duration.ofMillis(random.nextLong(500)));
      scheduler.kill();
      assertThat(fires.toEnd().stream().filter(fire -> isOf(fire, kill)).count())
          .as("the backfill was under way")
          .isBetween(1L, BACKFILLED - 1L);
    }
  }

  private static void finish(Map<String, String> settings, Tenant tenant) {
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
        TopicReader<ScheduleStatus> status = tenant.status();
        TopicReader<Answer> answers = tenant.answers()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> answers.poll().stream().anyMatch(a -> a.key().equals(Optional.of("never"))));
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () ->
                  status.values().stream()
                      .filter(s -> s.getScheduleId().equals("fired"))
                      .reduce((a, b) -> b)
                      .filter(last -> last.getBackfills().isEmpty())
                      .isPresent());
      assertThat(scheduler.terminate()).isZero();
    }
  }

  private static void assertTriggered(Tenant tenant) {
    List<String> triggered =
        keys(tenant, Cause.TRIGGERED).stream().map(key -> key.commandId().orElseThrow()).toList();
    Stream<String> ordered =
        IntStream.range(0, KILLS)
            .boxed()
            .flatMap(kill -> IntStream.range(0, TRIGGERS).mapToObj(i -> trigger(kill, i)));
    assertThat(triggered)
        .containsExactlyElementsOf(Stream.concat(ordered, Stream.of("late")).toList());
  }

  private static void assertBackfilled(Tenant tenant) {
    assertThat(keys(tenant, Cause.BACKFILL))
        .extracting(FireKey::occurrence)
        .containsExactlyElementsOf(grid(backfillFrom(0), backfillFrom(KILLS).minusSeconds(1)));
  }

  /** Once each; and what the pauses held is accounted for as if nothing had been killed. */
  private static void assertPausedAndResumed(Tenant tenant) {
    List<ScheduleStatus> received =
        all(tenant.status()).stream().filter(s -> s.getScheduleId().equals("paused")).toList();
    assertThat(received.stream().filter(s -> s.getState() == State.PAUSED))
        .extracting(s -> s.getPause().getAuthor())
        .containsExactlyElementsOf(
            IntStream.range(0, KILLS).mapToObj(CommandsOnBrokerTest::pause).toList());
    assertThat(received.stream().filter(s -> s.getState() == State.ACTIVE)).hasSize(1 + KILLS);
    List<Instant> accounted = new ArrayList<>();
    for (Fire fire : all(tenant.fires())) {
      if (fire.getScheduleId().equals("paused")) {
        accounted.add(fire.getOccurrence());
      }
    }
    for (Missed missed : all(tenant.missed())) {
      if (missed.getScheduleId().equals("paused")) {
        accounted.addAll(grid(missed.getFirst(), missed.getLast()));
      }
    }
    accounted.sort(Instant::compareTo);
    assertThat(accounted).isEqualTo(grid(accounted.get(0), accounted.get(accounted.size() - 1)));
  }

  /** Each record once, the second of a pair as the first. */
  private static void assertAnswered(Tenant tenant) {
    try (TopicReader<Answer> answers = tenant.answers()) {
      List<Answer> received = TopicReader.values(answers.toEnd());
      assertThat(received).extracting(Answer::getCorrelationId).doesNotHaveDuplicates();
      assertThat(received).hasSize(KILLS * 2 * (TRIGGERS + 3) + 2);
      assertThat(received)
          .allMatch(
              answer ->
                  answer.getVerdict()
                      == (answer.getCorrelationId().equals("never")
                          ? Verdict.NOT_FOUND
                          : Verdict.EXECUTED));
    }
  }

  private static void twice(Producing commands, String schedule, String id, String action) {
    send(commands, schedule, id, action, id + "/1");
    send(commands, schedule, id, action, id + "/2");
  }

  private static void send(
      Producing commands, String schedule, String id, String action, String correlationId) {
    commands.send(
        Optional.of(schedule.getBytes(UTF_8)),
        Optional.of("{\"command_id\":\"%s\",%s}".formatted(id, action).getBytes(UTF_8)),
        Map.of(HeaderNames.CORRELATION_ID, correlationId, HeaderNames.ANSWER_PARTITION, "0"));
  }

  private static String trigger(int kill, int i) {
    return "trigger-" + kill + "-" + i;
  }

  private static String pause(int kill) {
    return "pause-" + kill;
  }

  /** The ranges follow each other, long ago. */
  private static Instant backfillFrom(int kill) {
    return ANCHOR.plusSeconds((long) kill * BACKFILLED);
  }

  private static boolean isOf(TopicReader.Entry<byte[]> fire, int kill) {
    Instant occurrence = FireKey.parse(fire.key().orElseThrow()).occurrence();
    return !occurrence.isBefore(backfillFrom(kill)) && occurrence.isBefore(backfillFrom(kill + 1));
  }

  /** Inclusive. */
  private static List<Instant> grid(Instant first, Instant last) {
    return Stream.iterate(first, at -> !at.isAfter(last), at -> at.plusSeconds(1)).toList();
  }

  private static List<FireKey> keys(Tenant tenant, Cause cause) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      return fires.toEnd().stream()
          .filter(entry -> entry.value().orElseThrow().getCause() == cause)
          .map(entry -> FireKey.parse(entry.key().orElseThrow()))
          .toList();
    }
  }

  private static <T> List<T> all(TopicReader<T> reader) {
    try (reader) {
      return TopicReader.values(reader.toEnd());
    }
  }
}
