package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The memory of a removed schedule: its removal, and the occurrences that it has decided. */
final class EarlierLivesTest {
  private static final String ID = "reports/daily";
  private static final String MINUTELY =
      "{\"every\":\"1m\",\"anchor\":\"2026-03-04T12:00:00Z\",\"catch_up\":\"replay\"}";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SimulatedCluster cluster = new SimulatedCluster(1);
  private int produced;

  @Test
  void a_definition_that_is_older_than_the_delete_before_it_fires_nothing_again() {
    put(ID, MINUTELY, now());
    pass(5);
    delete(ID);
    put(ID, MINUTELY, now().minusSeconds(150));
    pass(2);
    assertThat(occurrences(ID)).hasSize(7).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void so_it_is_after_a_restart() {
    put(ID, MINUTELY, now());
    pass(5);
    delete(ID);
    task().crash();
    put(ID, MINUTELY, now().minusSeconds(150));
    pass(2);
    assertThat(occurrences(ID)).hasSize(7).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void so_it_is_after_the_removal_of_a_completed_schedule() {
    String twice = MINUTELY.replace("}", ",\"max_occurrences\":2}");
    Instant first = now();
    put(ID, twice, first);
    pass(10);
    assertThat(task().definition(ID)).as("removed after its retention").isEmpty();
    put(ID, twice, first);
    pass(3);
    assertThat(occurrences(ID)).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void what_is_forgotten_bounds_what_is_not_known_and_older_than_all_of_it() {
    put(ID, MINUTELY, now());
    Instant first = now();
    pass(5);
    delete(ID);
    Instant deleted = now();
    forget();
    put(ID, MINUTELY.replace("replay", "skip"), first);
    put("other", MINUTELY, first);
    cluster.drain();
    assertThat(occurrences(ID)).hasSizeGreaterThanOrEqualTo(5).doesNotHaveDuplicates();
    assertThat(cluster.committed().missed())
        .extracting(Missed::getFirst)
        .containsOnly(deleted.plus(MINUTE));
    assertThat(occurrences("other")).isNotEmpty().allMatch(at -> at.isAfter(deleted));
  }

  @Test
  void an_id_that_was_never_seen_fires_from_its_timestamp_on_though_others_are_forgotten() {
    put(ID, MINUTELY, now());
    pass(5);
    delete(ID);
    forget();
    put("new", MINUTELY, now().minus(Duration.ofMinutes(3)));
    cluster.drain();
    assertThat(occurrences("new")).hasSize(3);
  }

  @Test
  void a_single_instant_of_a_new_id_fires_however_old_its_definition_is() {
    put(ID, MINUTELY, now());
    Instant first = now();
    pass(5);
    delete(ID);
    forget();
    put("new", "{\"at\":\"2026-03-04T12:01:00Z\"}", first);
    cluster.drain();
    assertThat(occurrences("new")).containsExactly(Instant.parse("2026-03-04T12:01:00Z"));
  }

  @Test
  void what_is_gone_and_forgotten_does_not_live_again_when_the_topic_is_read_again() {
    put(ID, MINUTELY, now());
    pass(5);
    delete(ID);
    forget();
    int answered = cluster.answers().size();
    task().readAgain();
    cluster.drain();
    pass(2);
    assertThat(occurrences(ID)).hasSize(5);
    assertThat(cluster.committed().missed()).isEmpty();
    assertThat(cluster.answers()).hasSize(answered);
    assertThat(task().definition(ID)).isEmpty();
  }

  @Test
  void a_definition_that_was_rejected_stays_so_when_the_topic_is_read_again() {
    put(ID, "{\"every\":\"soon\"}", now());
    put("other", MINUTELY, now());
    pass(1);
    task().readAgain();
    pass(1);
    assertThat(cluster.answers())
        .extracting(Answer::getVerdict)
        .containsExactly(Verdict.REJECTED, Verdict.ACCEPTED);
  }

  @Test
  void a_topic_whose_last_records_were_lost_takes_others_in_their_place() {
    put(ID, MINUTELY, now());
    pass(1);
    cluster.log(cluster.topics().schedules(), 0).lose();
    task().readAgain();
    pass(1);
    put("other", MINUTELY, now());
    pass(3);
    assertThat(occurrences("other")).hasSize(3);
  }

  @Test
  void when_all_state_is_lost_the_topic_counts_from_its_start() {
    put(ID, MINUTELY, now());
    pass(2);
    task().loseState();
    pass(1);
    assertThat(task().definition(ID)).isPresent();
  }

  private void put(String id, String json, Instant timestamp) {
    produce(id, Optional.of(json), timestamp);
    cluster.drain();
  }

  private void delete(String id) {
    produce(id, Optional.empty(), now());
    cluster.drain();
  }

  private void produce(String id, Optional<String> json, Instant timestamp) {
    cluster.produce(cluster.topics().schedules(), 0, id, json, timestamp, "r-" + produced++);
  }

  /** As long as it takes until nothing that was removed is remembered. */
  private void forget() {
    for (int i = 0; i < 3; i++) {
      cluster.advance(Duration.ofDays(4));
      cluster.drain();
    }
  }

  private void pass(int minutes) {
    for (int i = 0; i < minutes; i++) {
      cluster.advance(MINUTE);
      cluster.drain();
    }
  }

  private SimulatedTask task() {
    return cluster.taskOf(ID);
  }

  private List<Instant> occurrences(String id) {
    return cluster.fires().stream()
        .filter(fire -> fire.getScheduleId().equals(id))
        .map(Fire::getOccurrence)
        .toList();
  }

  private Instant now() {
    return Instant.ofEpochMilli(cluster.nowMs());
  }
}
