package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Records in a partition that is not that of their key. */
final class StraysTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "reports/daily";

  private SimulatedCluster cluster = new SimulatedCluster(PARTITIONS);
  private final int home = cluster.home(ID.getBytes(StandardCharsets.US_ASCII));
  private final int away = (home + 1) % PARTITIONS;
  private int produced;

  /** All tasks may decide; what they read acts at once. */
  StraysTest() {
    cluster.drain();
  }

  @Test
  void a_stray_is_accepted_at_home_and_answered_there() {
    put(away, "a");
    cluster.drain();
    assertThat(payload()).contains("a");
    Answer answer = cluster.answers().get(0);
    assertThat(answer.getVerdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(answer.getRevision()).startsWith("waterclock.schedules-" + home + "@");
    assertThat(cluster.answers()).hasSize(1);
  }

  @Test
  void a_stray_leaves_nothing_where_it_was_and_nothing_on_its_way() {
    put(away, "a");
    cluster.drain();
    assertThat(inPartition(away).value).isEmpty();
    assertThat(cluster.log(cluster.topics().strays(), home).latest().values())
        .allMatch(entry -> entry.value.isEmpty());
    assertThat(inPartition(home).value).isPresent();
  }

  @Test
  void a_stray_keeps_the_timestamp_that_its_producer_gave_it() {
    put(away, "a");
    Instant written = now();
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    assertThat(inPartition(home).timestampMs).isEqualTo(written.toEpochMilli());
  }

  @Test
  void a_stray_tombstone_deletes_the_definition_at_home() {
    put(home, "a");
    cluster.drain();
    delete(away);
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.DELETED);
  }

  @Test
  void a_tombstone_at_home_that_was_read_first_keeps_an_older_stray_from_coming_back() {
    put(away, "a");
    delete(home);
    readAll(home);
    commit(home);
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(verdicts()).containsExactly(Verdict.NOT_FOUND, Verdict.CONFLICT);
  }

  @Test
  void that_holds_across_restarts() {
    put(away, "a");
    put(home, "b");
    delete(home);
    readAll(home);
    commit(home);
    cluster.tasks().forEach(SimulatedTask::crash);
    cluster.drain();
    assertThat(payload()).isEmpty();
  }

  @Test
  void a_stray_from_an_outage_in_which_its_delete_may_have_been_compacted_does_not_come_home() {
    decideSomething();
    put(away, "a"); // and then a delete at home, which compaction removed
    cluster.advance(Duration.ofDays(8));
    put(away, "b");
    cluster.tasks().forEach(SimulatedTask::crash);
    cluster.drain();
    assertThat(payload()).as("a younger one is sure not to be deleted").contains("b");
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.ACCEPTED);
  }

  @Test
  void nor_does_one_for_a_schedule_that_is_known_or_that_is_found_after_a_restart() {
    put(home, "known");
    cluster.drain();
    cluster.advance(Duration.ofHours(1));
    Instant written = now();
    put(away, "a");
    cluster.advance(Duration.ofDays(8));
    cluster.tasks().forEach(SimulatedTask::crash);
    cluster.drain();
    assertThat(payload()).contains("known");
    cluster.advance(Duration.ofMinutes(1));
    cluster.drain();
    cluster.tasks().forEach(SimulatedTask::crash);
    other(away, written);
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.REJECTED);
  }

  @Test
  void a_stray_from_a_shorter_outage_comes_home() {
    decideSomething();
    put(away, "a");
    cluster.advance(Duration.ofDays(6));
    cluster.tasks().forEach(SimulatedTask::crash);
    cluster.drain();
    assertThat(payload()).contains("a");
  }

  /** So the home task stores its position. */
  private void decideSomething() {
    other(home, now());
    cluster.drain();
    cluster.advance(Duration.ofHours(1));
  }

  /** Puts another schedule of the same home. */
  private void other(int partition, Instant written) {
    String id =
        IntStream.range(0, 100)
            .mapToObj(i -> "other/" + i)
            .filter(it -> cluster.home(it.getBytes(StandardCharsets.US_ASCII)) == home)
            .findFirst()
            .orElseThrow();
    String topic = cluster.topics().schedules();
    cluster.produce(topic, partition, id, Optional.of("{\"every\":\"1h\"}"), written, "other");
  }

  @Test
  void an_older_stray_is_dropped_and_its_sender_told_what_stays_in_force() {
    put(away, "older");
    put(home, "newer");
    readAll(home);
    commit(home);
    cluster.drain();
    assertThat(payload()).contains("newer");
    Answer answer = cluster.answers().get(1);
    assertThat(answer.getVerdict()).isEqualTo(Verdict.CONFLICT);
    assertThat(answer.getProblems().get(0).getMessage())
        .isEqualTo(
            "was written at 2026-03-04T12:00:00.001Z, and the last write of this schedule at"
                + " 2026-03-04T12:00:00.002Z: that definition stays in force");
  }

  @Test
  void a_definition_that_is_said_again_is_newer_than_a_stray_in_between() {
    put(home, "a");
    cluster.drain();
    put(away, "b");
    put(home, "a");
    readAll(home);
    commit(home);
    cluster.drain();
    assertThat(payload()).contains("a");
  }

  @Test
  void a_record_that_comes_between_a_strays_coming_and_its_being_read_wins_if_it_is_newer() {
    put(away, "older");
    carryTo(home);
    put(home, "newer");
    cluster.tasks().get(home).read(cluster.topics().strays());
    cluster.drain();
    assertThat(payload()).contains("newer");
    assertThat(lastInTopic()).contains("newer");
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.CONFLICT);
  }

  @Test
  void so_does_a_tombstone() {
    put(home, "first");
    put(away, "older");
    carryTo(home);
    delete(home);
    cluster.tasks().get(home).read(cluster.topics().strays());
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(lastInTopic()).isEmpty();
  }

  @Test
  void an_edit_that_comes_while_the_topic_is_corrected_stays_its_last_word() {
    put(away, "older");
    carryTo(home);
    put(home, "newer");
    SimulatedTask task = cluster.tasks().get(home);
    task.read(cluster.topics().strays());
    task.commit();
    task.read(cluster.topics().schedules());
    put(home, "newest");
    task.read(cluster.topics().schedules());
    cluster.drain();
    assertThat(payload()).contains("newest");
    assertThat(lastInTopic()).contains("newest");
  }

  @Test
  void a_bad_stray_is_rejected_and_never_gets_into_the_partition_of_what_is_in_force() {
    put(home, "a");
    cluster.drain();
    produce(away, Optional.of("{\"every\":\"soon\"}"));
    cluster.drain();
    assertThat(payload()).contains("a");
    assertThat(lastInTopic()).contains("a");
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.REJECTED);
  }

  @Test
  void a_stray_that_is_too_large_to_be_moved_is_refused_with_the_reason() {
    produce(away, Optional.of(json("x".repeat(99_500))));
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(verdicts()).containsExactly(Verdict.REJECTED);
    assertThat(cluster.answers().get(0).getProblems().get(0).getMessage())
        .contains("in partition " + away)
        .contains("belongs to partition " + home)
        .contains("too large to be moved")
        .contains("murmur2");
  }

  @Test
  void what_somebody_else_writes_to_the_topic_of_strays_harms_nothing() {
    String strays = cluster.topics().strays();
    produce(strays, home, Optional.of("{}"));
    produce(strays, home, Optional.of("\u0001"));
    put(away, "a");
    cluster.drain();
    assertThat(payload()).contains("a");
    assertThat(verdicts()).containsExactly(Verdict.REJECTED, Verdict.REJECTED, Verdict.ACCEPTED);
  }

  @Test
  void a_one_time_schedule_that_strayed_fires_once_however_often_the_topics_are_read() {
    produce(away, Optional.of("{\"at\":\"now\"}"));
    cluster.drain();
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    assertThat(cluster.taskOf(ID).definition(ID)).isEmpty();
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    assertThat(cluster.fires()).extracting(Fire::getScheduleId).containsExactly(ID);
  }

  @Test
  void nor_does_one_fire_again_that_was_stamped_ahead_of_the_clock() {
    Instant ahead = Instant.ofEpochMilli(cluster.nowMs()).plusSeconds(90);
    Instant behind = ahead.minusSeconds(120);
    produceAt(ahead, "{\"at\":\"now\"}");
    cluster.drain();
    produceAt(behind, "{\"at\":\"now\",\"description\":\"replaced\"}");
    cluster.drain();
    produceAt(behind, "{\"in\":\"PT0S\",\"description\":\"again\"}");
    cluster.drain();
    int fired = cluster.fires().size();
    assertThat(fired).isPositive();
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    assertThat(cluster.fires()).hasSize(fired);
  }

  @Test
  void nor_does_it_fire_again_after_all_state_was_lost() {
    produce(away, Optional.of("{\"at\":\"now\"}"));
    cluster.drain();
    for (int i = 0; i < 2; i++) {
      cluster.advance(Duration.ofMinutes(5));
      cluster.drain();
    }
    cluster.tasks().forEach(SimulatedTask::loseState);
    readAll(away);
    commit(away);
    while (cluster.tasks().get(home).read(cluster.topics().strays())) {
      cluster.advance(Duration.ofMillis(1));
    }
    cluster.drain();
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    assertThat(cluster.fires()).extracting(Fire::getScheduleId).containsExactly(ID);
  }

  @Test
  void what_a_stray_on_its_way_deletes_does_not_fire_when_a_task_comes_back() {
    aStrayOnItsWayDeletes();
  }

  @Test
  void nor_where_the_clock_is_behind_that_of_the_brokers() {
    Duration behind = Duration.ofMinutes(2);
    cluster =
        new SimulatedCluster(
            PARTITIONS,
            time ->
                () -> new ClockGuard.Reading(time.instant().minus(behind), true, time.instant()));
    cluster.drain();
    cluster.advance(Duration.ofSeconds(1));
    cluster.drain();
    aStrayOnItsWayDeletes();
  }

  private void aStrayOnItsWayDeletes() {
    produce(home, Optional.of("{\"every\":\"1s\",\"catch_up\":\"replay\"}"));
    cluster.drain();
    delete(away);
    carryTo(home);
    cluster.advance(Duration.ofMinutes(5));
    SimulatedTask task = cluster.tasks().get(home);
    task.crash();
    readAll(home);
    for (int i = 0; i < 5; i++) {
      task.tick();
    }
    task.commit();
    cluster.drain();
    assertThat(cluster.fires()).isEmpty();
    assertThat(payload()).isEmpty();
  }

  @Test
  void a_stray_of_which_it_is_not_known_any_more_whether_it_was_deleted_is_refused() {
    put(away, "a");
    delete(home);
    cluster.advance(Duration.ofSeconds(1));
    readAll(home);
    commit(home);
    cluster.advance(Duration.ofDays(8));
    SimulatedTask task = cluster.tasks().get(home);
    task.tick();
    task.tick();
    task.commit();
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(verdicts()).containsExactly(Verdict.NOT_FOUND, Verdict.REJECTED);
    assertThat(cluster.answers().get(1).getProblems().get(0).getMessage())
        .contains("the scheduler no longer remembers whether its schedule was deleted");
  }

  @Test
  void what_was_taken_once_is_passed_over_when_everything_is_read_again_and_forgotten() {
    put(away, "a");
    cluster.drain();
    delete(away);
    cluster.drain();
    cluster.advance(Duration.ofDays(8));
    cluster.drain();
    int answered = cluster.answers().size();
    cluster.log(cluster.topics().schedules(), home).compact(Long.MAX_VALUE);
    cluster.log(cluster.topics().schedules(), home).compact(Long.MAX_VALUE);
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    assertThat(payload()).isEmpty();
    assertThat(cluster.answers()).hasSize(answered);
  }

  @Test
  void a_stray_that_is_older_than_a_completed_schedule_does_not_come_after_its_removal() {
    put(away, "older");
    produce(home, Optional.of("{\"at\":\"now\"}"));
    readAll(home);
    for (int i = 0; i < 3; i++) {
      cluster.advance(Duration.ofMinutes(5));
      cluster.tasks().get(home).tick();
    }
    commit(home);
    assertThat(lastInTopic()).isEmpty();
    cluster.drain();
    assertThat(payload()).isEmpty();
  }

  @Test
  void a_stray_that_is_written_after_a_completed_schedule_was_removed_is_taken() {
    produce(home, Optional.of("{\"at\":\"now\"}"));
    cluster.drain();
    put(away, "a");
    cluster.advance(Duration.ofMinutes(5));
    SimulatedTask task = cluster.tasks().get(home);
    task.tick();
    cluster.advance(Duration.ofMinutes(5));
    task.tick();
    task.commit();
    cluster.drain();
    assertThat(payload()).contains("a");
    assertThat(lastInTopic()).contains("a");
  }

  /** What only the topic says would be in force once the state is read from the topic. */
  @Test
  void a_definition_that_only_claims_to_be_the_schedulers_own_is_in_force() {
    put(home, "a");
    cluster.drain();
    forge(HeaderNames.ORIGIN, revision(), Optional.of(json("forged")), now());
    cluster.drain();
    assertThat(payload()).contains("forged");
    assertThat(lastInTopic()).isEqualTo(payload());
  }

  @Test
  void a_definition_that_claims_to_correct_what_is_replaced_is_corrected() {
    put(home, "a");
    cluster.drain();
    String replaced = revision();
    put(home, "b");
    cluster.drain();
    forge(HeaderNames.ORIGIN, replaced, Optional.of(json("forged")), now());
    cluster.drain();
    assertThat(payload()).contains("b");
    assertThat(lastInTopic()).contains("b");
  }

  /** Otherwise compaction leaves the earlier instant, and a lost state moves the timer back. */
  @Test
  void a_timer_that_moves_only_forward_is_the_last_record_of_its_topic_too() {
    String timer = "{\"at\":\"%s\",\"rearm\":true,\"payload\":\"%s\"}";
    Instant late = now().plus(Duration.ofHours(2));
    produce(home, Optional.of(timer.formatted(late, "late")));
    cluster.drain();
    produce(home, Optional.of(timer.formatted(late.minusSeconds(60), "early")));
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.UNCHANGED);
    assertThat(payload()).contains("late");
    assertThat(lastInTopic()).contains("late");
    cluster.tasks().forEach(SimulatedTask::loseState);
    cluster.drain();
    assertThat(payload()).contains("late");
  }

  /** Compaction would take the definition, and the schedule would fire unseen. */
  @Test
  void a_tombstone_at_home_that_claims_to_be_the_trace_of_a_stray_deletes() {
    put(home, "a");
    cluster.drain();
    forge(HeaderNames.MOVED, revision(), Optional.empty(), now());
    cluster.drain();
    assertThat(lastInTopic()).isEmpty();
    assertThat(payload()).isEmpty();
  }

  /** From the future, it would outlive every stray that is written since. */
  @Test
  void a_forged_removal_from_the_future_counts_as_now() {
    cluster.advance(Duration.ofDays(1));
    forge(
        HeaderNames.ORIGIN,
        "waterclock.schedules-0@0",
        Optional.empty(),
        now().plus(Duration.ofDays(300)));
    cluster.drain();
    cluster.advance(Duration.ofMinutes(1));
    put(away, "a");
    cluster.drain();
    assertThat(payload()).contains("a");
  }

  @Test
  void a_stray_command_is_executed_at_home_after_the_stray_that_it_is_meant_for() {
    put(away, "a");
    produce(
        cluster.topics().commands(), away, Optional.of("{\"command_id\":\"c-1\",\"pause\":{}}"));
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.EXECUTED);
  }

  @Test
  void a_stray_that_was_stamped_ahead_fires_under_one_id_also_when_all_state_is_lost() {
    cluster.produce(
        cluster.topics().schedules(),
        away,
        ID,
        Optional.of("{\"at\":\"now\"}"),
        now().plusSeconds(30),
        "ahead");
    cluster.drain();
    for (int i = 0; i < 3; i++) {
      cluster.advance(Duration.ofMinutes(5));
      cluster.drain();
    }
    assertThat(payload()).as("complete, and removed").isEmpty();
    assertThat(cluster.fires()).hasSize(1);
    cluster.tasks().forEach(SimulatedTask::loseState);
    for (int i = 0; i < 3; i++) {
      cluster.drain();
      cluster.advance(Duration.ofMinutes(5));
    }
    assertThat(cluster.fires().stream().map(Fire::getFireId).distinct()).hasSize(1);
  }

  @Test
  void a_command_waits_for_a_stray_that_another_task_has_yet_to_find() {
    put(away, "a");
    cluster.advance(Duration.ofSeconds(1));
    produce(
        cluster.topics().commands(), home, Optional.of("{\"command_id\":\"c-1\",\"pause\":{}}"));
    readAll(home);
    commit(home);
    cluster.advance(Duration.ofSeconds(1));
    readAll(home);
    assertThat(cluster.answers()).isEmpty();
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.EXECUTED);
  }

  @Test
  void nor_is_it_refused_after_a_restart_before_all_inputs_are_read() {
    put(away, "a");
    produce(
        cluster.topics().commands(), home, Optional.of("{\"command_id\":\"c-1\",\"pause\":{}}"));
    readAll(home);
    commit(home);
    cluster.tasks().forEach(SimulatedTask::crash);
    SimulatedTask task = cluster.tasks().get(home);
    task.waitForTransaction(true);
    task.tick();
    cluster.advance(Duration.ofSeconds(11));
    for (int i = 0; i < 5; i++) {
      task.tick();
      task.commit();
    }
    assertThat(cluster.answers()).isEmpty();
    readAll(away);
    commit(away);
    task.waitForTransaction(false);
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.ACCEPTED, Verdict.EXECUTED);
  }

  @Test
  void a_command_for_a_schedule_that_is_nowhere_is_refused_after_a_bounded_time() {
    String command = "{\"command_id\":\"c-%d\",\"pause\":{}}";
    produce(cluster.topics().commands(), home, Optional.of(command.formatted(1)));
    cluster.drain();
    assertThat(cluster.answers()).isEmpty();
    cluster.advance(Duration.ofSeconds(3));
    cluster.drain();
    assertThat(verdicts()).containsExactly(Verdict.NOT_FOUND);
    put(away, "a");
    delete(home);
    cluster.drain();
    int answered = cluster.answers().size();
    produce(cluster.topics().commands(), home, Optional.of(command.formatted(2)));
    cluster.drain();
    cluster.tasks().get(home).crash();
    cluster.advance(Duration.ofSeconds(9));
    cluster.drain();
    assertThat(cluster.answers()).as("strays have come before").hasSize(answered);
    cluster.advance(Duration.ofSeconds(11)); // from when all inputs are read
    cluster.drain();
    assertThat(verdicts()).hasSize(answered + 1).endsWith(Verdict.NOT_FOUND);
  }

  @Test
  void a_stray_outcome_is_taken_in_at_home_though_it_was_read_twice() {
    String definition =
        "{\"every\":\"1m\",\"overlap\":\"buffer_one\",\"timeout\":\"1h\",\"grace\":\"1h\"}";
    produce(cluster.topics().schedules(), home, Optional.of(definition));
    cluster.drain();
    cluster.advance(Duration.ofMinutes(3));
    cluster.drain();
    assertThat(cluster.fires()).hasSize(1);
    Fire fire = cluster.fires().get(0);
    String fireKey =
        FireKey.of(ScheduleId.parse(fire.getScheduleId()), fire.getOccurrence()).text();
    produce(
        cluster.topics().outcomes(),
        away,
        Optional.of("{\"fire_key\":\"" + fireKey + "\",\"state\":\"succeeded\"}"));
    cluster.drain();
    cluster.tasks().get(away).readAgain();
    cluster.drain();
    assertThat(cluster.fires()).hasSize(2);
    assertThat(cluster.counts(home).acceptedFrom(InputTopic.OUTCOMES)).isEqualTo(1);
    assertThat(cluster.counts(home).outcomesIgnored()).isZero();
  }

  @Test
  void a_stray_outcome_is_in_its_own_partition_afterwards_and_is_counted_once() {
    String outcomes = cluster.topics().outcomes();
    String fireKey = FireKey.of(ScheduleId.parse(ID), SimulatedCluster.START).text();
    produce(
        outcomes, away, Optional.of("{\"fire_key\":\"" + fireKey + "\",\"state\":\"succeeded\"}"));
    cluster.advance(Duration.ofMinutes(5));
    cluster.drain();
    SimulatedLog.Entry stray = cluster.log(outcomes, away).last(ID).orElseThrow();
    List<SimulatedLog.Entry> atHome = cluster.log(outcomes, home).committed();
    assertThat(atHome).hasSize(1);
    SimulatedLog.Entry copy = atHome.get(0);
    assertThat(copy.value.orElseThrow()).containsExactly(stray.value.orElseThrow());
    assertThat(copy.timestampMs).isEqualTo(stray.timestampMs);
    assertThat(copy.headers.lastHeader(HeaderNames.STRAY).value())
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo(outcomes + "-" + away + "@0");
    assertThat(cluster.counts(home).outcomes(OutcomeState.SUCCEEDED)).isEqualTo(1);
    assertThat(cluster.counts(home).outcomesIgnored()).as("no schedule asked").isEqualTo(1);
    assertThat(cluster.counts(away).outcomes(OutcomeState.SUCCEEDED)).isZero();
    cluster.tasks().forEach(SimulatedTask::readAgain);
    cluster.drain();
    assertThat(cluster.log(outcomes, home).committed()).hasSize(1);
    assertThat(cluster.counts(home).outcomes(OutcomeState.SUCCEEDED)).isZero();
  }

  @Test
  void a_bad_stray_outcome_is_refused_once_and_not_brought_home() {
    String outcomes = cluster.topics().outcomes();
    produce(outcomes, away, Optional.of("{\"state\":\"succeeded\"}"));
    cluster.drain();
    assertThat(cluster.log(outcomes, home).committed()).isEmpty();
    assertThat(verdicts()).containsExactly(Verdict.REJECTED);
    assertThat(cluster.counts(home).rejectedFrom(InputTopic.OUTCOMES)).isEqualTo(1);
  }

  private SimulatedLog.Entry inPartition(int partition) {
    return cluster.log(cluster.topics().schedules(), partition).last(ID).orElseThrow();
  }

  private void carryTo(int partition) {
    readAll(away);
    commit(away);
    assertThat(cluster.log(cluster.topics().strays(), partition).latest()).isNotEmpty();
  }

  private void readAll(int partition) {
    SimulatedTask task = cluster.tasks().get(partition);
    for (String topic : task.inputs()) {
      while (task.read(topic)) {
        task.tick();
      }
    }
  }

  private void commit(int partition) {
    cluster.tasks().get(partition).commit();
  }

  private void put(int partition, String payload) {
    produce(partition, Optional.of(json(payload)));
  }

  private static String json(String payload) {
    return "{\"at\":\"2099-01-01T00:00:00Z\",\"payload\":\"" + payload + "\"}";
  }

  private void delete(int partition) {
    produce(partition, Optional.empty());
  }

  private void produce(int partition, Optional<String> value) {
    produce(cluster.topics().schedules(), partition, value);
  }

  private void produce(String topic, int partition, Optional<String> value) {
    cluster.advance(Duration.ofMillis(1));
    cluster.produce(topic, partition, ID, value, now(), "r-" + produced++);
  }

  private Instant now() {
    return Instant.ofEpochMilli(cluster.nowMs());
  }

  private List<Verdict> verdicts() {
    return cluster.answers().stream().map(Answer::getVerdict).toList();
  }

  private Optional<String> payload() {
    return cluster.taskOf(ID).definition(ID).map(StrayTrace::payload);
  }

  private Optional<String> lastInTopic() {
    Optional<Schedule> last = StrayTrace.last(cluster, ID);
    return last.map(StrayTrace::payload);
  }

  /** The definition in force. */
  private String revision() {
    List<Answer> answers = cluster.answers();
    return answers.get(answers.size() - 1).getRevision();
  }

  /** With a header that only the scheduler has reason to write. */
  private void forge(String header, String text, Optional<String> value, Instant timestamp) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(header, text.getBytes(StandardCharsets.UTF_8));
    cluster
        .log(cluster.topics().schedules(), home)
        .append(
            ID.getBytes(StandardCharsets.US_ASCII),
            value.map(json -> json.getBytes(StandardCharsets.UTF_8)),
            headers,
            timestamp.toEpochMilli(),
            false);
  }

  /** Writes a definition to its home partition. */
  private void produceAt(Instant timestamp, String json) {
    cluster.produce(
        cluster.topics().schedules(), home, ID, Optional.of(json), timestamp, "at-" + timestamp);
  }
}
