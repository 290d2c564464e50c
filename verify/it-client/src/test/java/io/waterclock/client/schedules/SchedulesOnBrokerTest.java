package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.UnavailableException;
import io.waterclock.client.WaterclockException;
import io.waterclock.runtime.Waterclock;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every method, against a real scheduler. */
@Timeout(600)
final class SchedulesOnBrokerTest {
  private static final int MANY = 1_500;
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir static Path dir;
  static EmbeddedKafka kafka;
  static Waterclock scheduler;
  static Schedules schedules;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    scheduler =
        TestScheduler.start(
            kafka.bootstrapServers(),
            "waterclock",
            dir,
            Map.of("backfill.rate", "5", "watchdog.interval", "1s"));
    schedules = Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofSeconds(30)).build();
  }

  @AfterAll
  static void stop() {
    schedules.close();
    scheduler.close();
    kafka.close();
  }

  private static Answer.Accepted done(CompletableFuture<Answer> answer) {
    return answer.join().orThrow();
  }

  @Test
  void a_definition_is_accepted_changed_and_deleted() {
    Answer.Accepted first = done(schedules.put("life", ScheduleBuilder.every(HOUR)));
    assertThat(first.isChange()).isTrue();
    assertThat(first.next()).isPresent();
    Answer.Accepted same = done(schedules.put("life", ScheduleBuilder.every(HOUR)));
    assertThat(same)
        .isEqualTo(
            new Answer.Accepted(
                "life",
                first.revision(),
                first.next(),
                false,
                Optional.empty(),
                Optional.of(State.ACTIVE),
                List.of(),
                List.of()));
    Answer.Accepted edited = done(schedules.putJson("life", "{\"every\":\"2h\"}"));
    assertThat(edited.revision()).isPresent().isNotEqualTo(first.revision());
    assertThat(done(schedules.delete("life")).revision()).isEmpty();
    assertThat(schedules.delete("life").join()).isEqualTo(new Answer.NotFound("life"));
  }

  @Test
  void a_record_of_another_is_written_unchecked_and_its_answer_comes_as_the_scheduler_wrote_it() {
    io.waterclock.schemas.avro.Answer refused =
        schedules
            .ask(forwarded("{\"evry\":\"2h\",\"grace\":\"soon\"}".getBytes(StandardCharsets.UTF_8)))
            .join();
    assertThat(refused.getVerdict()).isEqualTo(Verdict.REJECTED);
    assertThat(refused.getProblems()).extracting(Problem::getField).contains("evry", "grace");
    io.waterclock.schemas.avro.Answer accepted =
        schedules.ask(forwarded("{\"every\":\"2h\"}".getBytes(StandardCharsets.UTF_8))).join();
    assertThat(accepted.getVerdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(accepted.getRevision()).isNotNull();
    assertThatThrownBy(() -> schedules.ask(forwarded(new byte[2_000_000])).join())
        .hasCauseInstanceOf(NotWrittenException.class);
  }

  /** Kafka calls back in the thread that does the I/O of the producer. */
  @Test
  void what_follows_the_write_of_a_calendar_may_wait_for_other_writes() {
    Instant next =
        schedules
            .putCalendar("followed", CalendarBuilder.of(LocalDate.of(2030, 1, 1)))
            .thenApply(
                written -> done(schedules.put("follows", ScheduleBuilder.every(HOUR))).next())
            .join()
            .orElseThrow();
    assertThat(next).isAfter(Instant.EPOCH);
  }

  private static ProducerRecord<byte[], byte[]> forwarded(byte[] value) {
    return new ProducerRecord<>(
        "waterclock.schedules", "forwarded".getBytes(StandardCharsets.UTF_8), value);
  }

  @Test
  @Tag("all")
  void an_answer_says_that_a_schedule_never_fires_again_and_rearm_makes_it() {
    Duration soon = Duration.ofSeconds(1);
    done(schedules.put("timer", ScheduleBuilder.after(soon)));
    await().atMost(BOUND).until(() -> schedules.fires("timer").join().size() == 1);
    Answer.Accepted again = done(schedules.put("timer", ScheduleBuilder.after(soon)));
    assertThat(again.next()).isEmpty();
    assertThat(again.neverFires()).isTrue();
    Answer.Accepted paused = done(schedules.put("still", ScheduleBuilder.every(HOUR).disabled()));
    assertThat(paused.next()).isEmpty();
    assertThat(paused.neverFires()).isFalse();
    assertThat(paused.state()).contains(State.PAUSED);

    ScheduleBuilder idle = ScheduleBuilder.after(HOUR).rearm();
    Instant first = done(schedules.put("timer", idle)).next().orElseThrow();
    Answer.Accepted second = done(schedules.put("timer", idle));
    assertThat(second.isChange()).isTrue();
    assertThat(second.next().orElseThrow()).isAfter(first);
    assertThat(second.neverFires()).isFalse();
  }

  @Test
  void all_errors_of_a_definition_are_reported_and_the_previous_one_stays_in_force() {
    Optional<String> revision = done(schedules.put("bad", ScheduleBuilder.every(HOUR))).revision();
    Answer answer =
        schedules.put("bad", ScheduleBuilder.cron("0 25 * * *").except("no-such-calendar")).join();
    assertThat(answer).isInstanceOf(Answer.Rejected.class);
    assertThat(answer.revision()).isEqualTo(revision);
    List<Problem> problems = ((Answer.Rejected) answer).problems();
    assertThat(problems).extracting(Problem::getField).containsExactly("cron", "except");
    assertThatThrownBy(answer::orThrow)
        .isInstanceOf(Answer.RefusedException.class)
        .hasMessage("bad was rejected: " + Problems.text(problems));
    assertThat(schedules.putJson("bad", "{\"evry\":\"5m\"}").join())
        .isInstanceOf(Answer.Rejected.class);
    assertThatThrownBy(() -> schedules.delete("not an id"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void commands_steer_a_schedule() {
    Answer.Accepted put = done(schedules.put("steered", ScheduleBuilder.every(HOUR)));
    ScheduleCommand pause = ScheduleCommand.pause("deploying 4.2", "ann");
    Answer.Accepted paused = done(schedules.command("steered", pause));
    assertThat(paused.next()).isEmpty();
    assertThat(schedules.next("steered").join()).isEmpty();
    await().atMost(BOUND).until(() -> known("steered").state(), Optional.of(State.PAUSED)::equals);
    assertThat(known("steered").status().orElseThrow().getPause().getAuthor()).isEqualTo("ann");
    assertThat(done(schedules.command("steered", pause.withId("again"))).isChange()).isFalse();
    Instant next = done(schedules.resume("steered")).next().orElseThrow();
    done(schedules.skip("steered", next));
    assertThat(schedules.next("steered").join()).contains(next.plus(HOUR));
    done(schedules.unskip("steered", next));
    assertThat(schedules.next("steered").join()).contains(next);
    ScheduleCommand expecting = ScheduleCommand.pause().expecting("another-0@1");
    Answer conflict = schedules.command("steered", expecting).join();
    assertThat(conflict).isInstanceOf(Answer.Conflict.class);
    assertThat(conflict.revision()).isEqualTo(put.revision());
    assertThatThrownBy(conflict::orThrow).hasMessageContaining("another-0@1");
    assertThat(schedules.next("steered").join()).contains(next);
    assertThat(schedules.pause("no-such-schedule").join()).isInstanceOf(Answer.NotFound.class);
  }

  @Test
  void a_command_that_is_sent_twice_is_done_once() {
    done(schedules.put("twice", ScheduleBuilder.every(HOUR)));
    ScheduleCommand trigger = ScheduleCommand.trigger().withId("event-7");
    done(schedules.command("twice", trigger));
    done(schedules.command("twice", trigger));
    done(
        schedules.command(
            "twice", ScheduleCommand.trigger("other".getBytes(StandardCharsets.UTF_8))));
    List<Fire> fires = awaitFires("twice", 2);
    assertThat(fires).extracting(Fire::getCause).containsOnly(Cause.TRIGGERED);
    ByteBuffer payload = fires.get(1).getSchedule().getPayload().duplicate();
    assertThat(StandardCharsets.UTF_8.decode(payload).toString()).isEqualTo("other");
  }

  @Test
  void fires_are_listed_or_handed_over_one_at_a_time_among_records_that_are_none()
      throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int partition = 0; partition < 3; partition++) {
        producer.send(new ProducerRecord<>("waterclock.fires", partition, null, "junk")).get();
        producer
            .send(new ProducerRecord<>("waterclock.fires", partition, "firing/1|x", null))
            .get();
      }
    }
    done(schedules.put("firing/1", ScheduleBuilder.after(Duration.ZERO)));
    for (int i = 0; i < 3; i++) {
      done(schedules.trigger("firing/1"));
      done(schedules.put("firing/" + 10 * i, ScheduleBuilder.after(Duration.ZERO)));
    }
    List<Fire> fires = awaitFires("firing/1", 4);
    assertThat(fires).extracting(Fire::getScheduleId).containsOnly("firing/1");
    assertThat(fires).isSortedAccordingTo((a, b) -> a.getFiredAt().compareTo(b.getFiredAt()));
    List<Fire> some = new ArrayList<>();
    schedules
        .fires(
            "firing/1",
            fire -> {
              some.add(fire);
              return some.size() < 2;
            })
        .join();
    assertThat(some).isEqualTo(fires.subList(0, 2));
  }

  @Test
  void schedules_can_be_read_and_put_again_with_a_change() {
    for (String id : List.of("seen/a", "seen/b", "unseen")) {
      done(schedules.put(id, ScheduleBuilder.every(HOUR).owner("acme").payloadJson("{}")));
    }
    done(schedules.delete("seen/b"));
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(schedules.list("seen/").join())
                    .extracting(KnownSchedule::id)
                    .containsExactly("seen/a"));
    assertThat(schedules.list().join()).extracting(KnownSchedule::id).contains("unseen");
    assertThat(schedules.get("seen/b").join()).isEmpty();
    Schedule definition = known("seen/a").schedule().orElseThrow();
    assertThat(definition.getOwner()).isEqualTo("acme");
    done(schedules.put("seen/a", ScheduleBuilder.from(definition).owner("other")));
    await()
        .atMost(BOUND)
        .until(() -> known("seen/a").schedule().orElseThrow().getOwner(), "other"::equals);
  }

  @Test
  void an_invoice_that_is_paid_means_one_call() {
    for (String step : List.of("first", "second", "last")) {
      done(
          schedules.put(
              "reminders/42/" + step, ScheduleBuilder.after(HOUR).label("invoice", "42")));
    }
    done(schedules.put("reminders/43/first", ScheduleBuilder.after(HOUR).label("invoice", "43")));
    BulkResult deleted = schedules.delete(Selector.all().label("invoice", "42")).join();
    assertThat(deleted.isAccepted()).isTrue();
    assertThat(deleted.answers())
        .containsOnlyKeys("reminders/42/first", "reminders/42/second", "reminders/42/last");
    assertThat(schedules.next("reminders/43/first").join()).isPresent();
    assertThatThrownBy(() -> schedules.delete(Selector.all()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("every schedule");
  }

  @Test
  @Tag("all")
  void a_calendar_from_code_excludes_its_dates_until_it_is_deleted() {
    LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(3);
    schedules.putCalendar("closed", CalendarBuilder.of(day).description("stocktaking")).join();
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                done(
                    schedules.put(
                        "open",
                        ScheduleBuilder.cron("0 9 * * *").timezone("UTC").except("closed"))));
    assertThat(schedules.next("open", 10).join())
        .extracting(at -> at.atZone(ZoneOffset.UTC).toLocalDate())
        .contains(day.minusDays(1), day.plusDays(1))
        .doesNotContain(day);
    schedules.deleteCalendar("closed").join();
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(schedules.next("open", 10).join())
                    .contains(day.atTime(9, 0).toInstant(ZoneOffset.UTC)));
  }

  @Test
  @Tag("all")
  void a_change_of_many_is_counted_repeated_without_effect_and_inverted_exactly() {
    for (int i = 0; i < 20; i++) {
      done(schedules.put("bulk/" + i, ScheduleBuilder.every(HOUR).label("team", "x")));
    }
    done(schedules.put("bulk/other", ScheduleBuilder.every(HOUR)));
    done(schedules.command("bulk/7", ScheduleCommand.pause("broken", "kim")));
    Selector team = Selector.all().label("team", "x").where("not id ~ '*/19'");
    Selection selected = schedules.select(team).join();
    assertThat(selected.ids()).hasSize(19).doesNotContain("bulk/other", "bulk/19");
    assertThat(selected.unknown()).isEmpty();

    ScheduleCommand pause =
        ScheduleCommand.pauseUnlessPaused("deploying [d-1]", "ann").withId("d-1");
    List<Answer> progress = new CopyOnWriteArrayList<>();
    BulkResult paused = selected.atMost(1_000).command(pause, progress::add).join();
    assertThat(paused.isAccepted()).isTrue();
    assertThat(paused.answers()).containsOnlyKeys(selected.ids()).hasSameSizeAs(progress);
    done(schedules.resume("bulk/8")); // a person needs it
    assertThat(schedules.command(team, pause).join().isAccepted()).as("a repetition").isTrue();
    assertThat(schedules.next("bulk/8").join()).as("not paused again").isPresent();
    done(schedules.command("bulk/8", ScheduleCommand.pause("again", "kim")));
    Map<String, Answer> resumed =
        schedules.command(team, ScheduleCommand.resumeOf("deploying [d-1]")).join().answers();
    resumed.forEach(
        (id, answer) ->
            assertThat(answer)
                .as(id)
                .isInstanceOf(
                    id.equals("bulk/7") || id.equals("bulk/8")
                        ? Answer.Conflict.class
                        : Answer.Accepted.class));
    Selector held = Selector.all().idPrefix("bulk/").state(State.PAUSED);
    await()
        .atMost(BOUND)
        .until(() -> schedules.select(held).join().ids(), List.of("bulk/7", "bulk/8")::equals);

    done(schedules.delete("bulk/3")); // between the count and the change
    BulkResult deleted = selected.delete().join();
    assertThat(deleted.answers())
        .hasSize(19)
        .containsEntry("bulk/3", new Answer.NotFound("bulk/3"));
    assertThat(deleted.isAccepted()).isFalse();
    assertThat(
            schedules.select(Selector.all().idPrefix("nothing/")).join().delete().join().answers())
        .isEmpty();
    assertThatThrownBy(() -> selected.atMost(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_next_occurrence_is_answered_each_time() {
    Answer.Accepted put = done(schedules.put("asked", ScheduleBuilder.every(HOUR)));
    assertThat(put.next()).isPresent();
    assertThat(schedules.next("asked").join()).isEqualTo(put.next());
    assertThat(schedules.next("asked").join()).isEqualTo(put.next());
    assertThat(schedules.fires("asked").join()).isEmpty();
    assertThatThrownBy(() -> schedules.next("never-put").join())
        .isInstanceOf(Answer.RefusedException.class)
        .hasMessageContaining("there is no schedule never-put");
  }

  @Test
  @Tag("all")
  void a_schedule_is_audited_by_a_pass_of_the_watchdog_that_began_after_it_was_put() {
    assertThat(schedules.checkedSince("never-audited").join()).isEmpty();
    done(schedules.put("audited", ScheduleBuilder.every(HOUR)));
    Instant put = schedules.get("audited").join().flatMap(KnownSchedule::knownSince).orElseThrow();
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(schedules.checkedSince("audited").join())
                    .hasValueSatisfying(since -> assertThat(since).isAfterOrEqualTo(put)));
  }

  @Test
  @Tag("all")
  void a_fire_is_by_an_earlier_definition_once_another_is_in_force() {
    done(schedules.put("edited", ScheduleBuilder.every(HOUR).payloadJson("{\"v\":1}")));
    done(schedules.trigger("edited"));
    await().atMost(BOUND).until(() -> !schedules.fires("edited").join().isEmpty());
    Fire fire = schedules.fires("edited").join().get(0);
    assertThat(schedules.get("edited").join().orElseThrow().isEarlierDefinition(fire)).isFalse();
    done(schedules.put("edited", ScheduleBuilder.every(HOUR).payloadJson("{\"v\":2}")));
    assertThat(schedules.get("edited").join().orElseThrow().isEarlierDefinition(fire)).isTrue();
    done(schedules.delete("edited"));
    assertThat(KnownSchedule.of("edited").isEarlierDefinition(fire)).isFalse();
  }

  @Test
  @Tag("all")
  void the_next_occurrences_do_not_contain_those_that_calendars_and_skips_exclude() {
    Instant first = done(schedules.put("many", ScheduleBuilder.every(HOUR))).next().orElseThrow();
    done(schedules.skip("many", first.plus(HOUR)));
    assertThat(schedules.next("many", 3).join())
        .containsExactly(first, first.plus(HOUR.multipliedBy(2)), first.plus(HOUR.multipliedBy(3)));
    assertThat(schedules.next("many", 1).join()).containsExactly(first);
    Instant in1000h = first.plus(HOUR.multipliedBy(1_000));
    assertThat(schedules.next("many", 2, in1000h).join())
        .containsExactly(in1000h.plus(HOUR), in1000h.plus(HOUR.multipliedBy(2)));
    assertThat(schedules.next("many", 1, Instant.EPOCH).join()).containsExactly(first);
    assertThat(schedules.next("many", 100).join())
        .hasSize(100)
        .isSorted()
        .endsWith(first.plus(HOUR.multipliedBy(100)));
    done(schedules.put("few", ScheduleBuilder.after(HOUR)));
    assertThat(schedules.next("few", 10).join()).hasSize(1);
    done(schedules.pause("few"));
    assertThat(schedules.next("few", 10).join()).isEmpty();
    for (int n : List.of(-1, 0, 101)) {
      assertThatThrownBy(() -> schedules.next("many", n).join())
          .isInstanceOf(Answer.RefusedException.class)
          .hasMessageContaining("next.count: is " + n + "; 1 to 100 are allowed");
    }
  }

  @Test
  void a_backfill_shows_its_progress_and_can_be_cancelled() {
    Instant past = Instant.now().minus(Duration.ofHours(2));
    writtenAt(past.minusSeconds(1), "filled", "{\"every\":\"1s\",\"anchor\":\"" + past + "\"}");
    awaitFires("filled", 1);
    String order =
        done(schedules.backfill("filled", past, past.plus(Duration.ofMinutes(10))))
            .commandId()
            .orElseThrow();
    await()
        .atMost(BOUND)
        .until(() -> schedules.backfillProgress("filled", order).join().isPresent());
    RunningBackfill running = schedules.backfillProgress("filled", order).join().orElseThrow();
    assertThat(running.getFired()).isBetween(0L, 600L);
    assertThat(running.getTo())
        .isBetween(past.plus(Duration.ofMinutes(9)), past.plus(Duration.ofMinutes(10)));
    await()
        .atMost(BOUND)
        .until(
            () ->
                schedules.fires("filled").join().stream()
                    .anyMatch(fire -> fire.getCause() == Cause.BACKFILL));
    done(schedules.cancelBackfill("filled", order));
    await().atMost(BOUND).until(() -> schedules.backfillProgress("filled", order).join().isEmpty());
    assertThat(schedules.cancelBackfill("filled", order).join())
        .isInstanceOf(Answer.Rejected.class);
    done(schedules.delete("filled"));
    assertThatThrownBy(() -> schedules.backfill("filled", past, past))
        .hasMessageContaining("to must be after from");
  }

  /** A definition that has been waiting in the topic for a while. */
  private static void writtenAt(Instant timestamp, String id, String json) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      Future<RecordMetadata> written =
          producer.send(
              new ProducerRecord<>(
                  "waterclock.schedules", null, timestamp.toEpochMilli(), id, json));
      await().atMost(BOUND).until(written::isDone);
    }
  }

  @Test
  @Tag("all")
  void reads_end_though_each_of_those_that_may_run_at_a_time_waits_for_another_one() {
    done(schedules.put("nested", ScheduleBuilder.after(Duration.ofSeconds(1))));
    await().atMost(BOUND).until(() -> schedules.fires("nested").join().size() == 1);
    CountDownLatch all = new CountDownLatch(32);
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      reads.add(
          schedules.fires(
              "nested",
              fire -> {
                all.countDown();
                try {
                  all.await();
                } catch (InterruptedException e) {
                  throw new InterruptException(e);
                }
                return schedules.get("nested").join().isPresent();
              }));
    }
    for (CompletableFuture<Void> read : reads) {
      await().atMost(BOUND).until(read::isDone);
      read.join();
    }
  }

  @Test
  @Tag("all")
  void thousands_at_once_are_answered_each_and_in_their_order() {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    try (Schedules many =
        Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofMinutes(4)).build()) {
      for (int i = 0; i < MANY; i++) {
        answers.add(many.put("many/" + i, ScheduleBuilder.every(HOUR)));
      }
      CompletableFuture<Answer> last = many.put("many/0", ScheduleBuilder.every("2h"));
      for (int i = 0; i < MANY; i++) {
        assertThat(done(answers.get(i)).scheduleId()).isEqualTo("many/" + i);
      }
      assertThat(done(last).isChange()).isTrue();
      assertThat(many.next("many/0").join()).isEqualTo(done(last).next());
    }
  }

  @Test
  @Tag("all")
  void an_absent_scheduler_is_reported_with_the_sent_record() {
    TestScheduler.start(kafka.bootstrapServers(), "away", dir, Map.of()).close();
    try (Schedules away =
        Schedules.builder(kafka.bootstrapServers())
            .prefix("away")
            .timeout(Duration.ofMillis(1_500))
            .build()) {
      assertThatFails(() -> away.put("a", ScheduleBuilder.every(HOUR)).join())
          .isInstanceOf(NoAnswerException.class)
          .hasMessageMatching(
              "The record for a was written to away\\.schedules-\\d@0, but no scheduler answered"
                  + " within 1.5 s; is one running with the prefix away\\? It will handle the"
                  + " record when it starts\\. It may be repeated: the same definition changes"
                  + " nothing\\.");
      assertThatFails(() -> away.command("a", ScheduleCommand.trigger().withId("c-1")).join())
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining("give the command the id c-1 again");
      assertThat(away.get("a").join().orElseThrow().state()).isEmpty();
    }
  }

  @Test
  @Tag("all")
  void a_request_that_was_not_written_is_reported_as_such() {
    try (Schedules nobody = Schedules.builder(kafka.bootstrapServers()).prefix("nobody").build();
        Schedules unreachable =
            Schedules.builder("127.0.0.1:" + Ports.free())
                .timeout(Duration.ofMillis(800))
                .build()) {
      assertThatFails(() -> nobody.put("a", ScheduleBuilder.every(HOUR)).join())
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining("there is no topic nobody.answers at")
          .hasMessageContaining("is nobody its prefix?");
      assertThatFails(() -> unreachable.put("a", ScheduleBuilder.every(HOUR)).join())
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining("no Kafka broker answered at 127.0.0.1:");
      assertThatFails(() -> unreachable.get("a").join())
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("no Kafka broker answered at 127.0.0.1:");
    }
    try (Schedules unresolvable = Schedules.connect("no-port")) {
      assertThatFails(() -> unresolvable.put("a", ScheduleBuilder.every(HOUR)).join())
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining("Invalid url in bootstrap.servers: no-port");
    }
    String registry = "http://127.0.0.1:" + Ports.free();
    try (Schedules unregistered =
        Schedules.builder(kafka.bootstrapServers())
            .format(WireFormat.AVRO_REGISTRY)
            .kafka(Map.of("schema.registry.url", registry))
            .timeout(Duration.ofSeconds(2))
            .build()) {
      assertThatFails(() -> unregistered.put("a", ScheduleBuilder.every(HOUR)).join())
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining("the schema registry does not answer: " + registry);
    }
    byte[] large = new byte[2_000_000];
    assertThatFails(
            () ->
                schedules
                    .put("large", ScheduleBuilder.every(HOUR).payload(large, "application/x"))
                    .join())
        .isInstanceOf(NotWrittenException.class)
        .hasMessageContaining("it is larger than the producer (max.request.size)");
    Schedules closed = Schedules.connect(kafka.bootstrapServers());
    CompletableFuture<Optional<KnownSchedule>> seen = closed.get("life");
    seen.join();
    closed.close();
    assertThatThrownBy(() -> closed.delete("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this Schedules is closed");
    assertThatThrownBy(() -> closed.get("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this Schedules is closed");
  }

  @Test
  @Tag("all")
  void every_format_is_understood_in_both_directions() throws Exception {
    try (TestRegistry registry = TestRegistry.start();
        Waterclock other =
            TestScheduler.start(
                kafka.bootstrapServers(),
                "registered",
                dir,
                Map.of("format", "avro-registry", "schema.registry.url", registry.url()))) {
      for (WireFormat format : WireFormat.values()) {
        try (Schedules formatted =
            Schedules.builder(kafka.bootstrapServers())
                .prefix("registered")
                .format(format)
                .kafka(Map.of("schema.registry.url", registry.url()))
                .timeout(Duration.ofSeconds(30))
                .build()) {
          String id = format.name();
          assertThat(done(formatted.put(id, ScheduleBuilder.every(HOUR))).isChange()).isTrue();
          done(formatted.trigger(id));
          await()
              .atMost(BOUND)
              .until(() -> formatted.fires(id).join().size(), Integer.valueOf(1)::equals);
          assertThat(formatted.get(id).join().orElseThrow().state()).contains(State.ACTIVE);
        }
      }
      assertThat(other.isReady()).isTrue();
      try (Schedules ignorant =
          Schedules.builder(kafka.bootstrapServers()).prefix("registered").build()) {
        assertThatFails(() -> ignorant.next("JSON").join())
            .isInstanceOf(NoAnswerException.class)
            .hasMessageContaining("the scheduler's answer cannot be read")
            .hasMessageContaining("schema.registry.url");
      }
    }
    assertThatThrownBy(
            () ->
                Schedules.builder(kafka.bootstrapServers())
                    .format(WireFormat.AVRO_REGISTRY)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set schema.registry.url");
  }

  private static KnownSchedule known(String id) {
    return schedules.get(id).join().orElseThrow();
  }

  private static List<Fire> awaitFires(String id, int count) {
    await().atMost(BOUND).until(() -> schedules.fires(id).join().size() >= count);
    return schedules.fires(id).join();
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable>
      assertThatFails(ThrowingCallable call) {
    return assertThatThrownBy(call).isInstanceOf(WaterclockException.class);
  }
}
