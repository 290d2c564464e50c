package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.LivePartition;
import io.waterclock.cli.live.LiveState;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterCheckupTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void the_state_of_all_partitions_is_summed_up() {
    List<Symptom> symptoms =
        new ClusterCheckup(
                2,
                Map.of(0, latest(0, w -> {}), 1, latest(1, w -> {})),
                LiveState.NONE,
                NOW,
                "2025a")
            .symptoms();
    assertThat(symptoms)
        .containsExactly(
            Symptom.good("partitions", "2 of 2 have an owner: one."),
            Symptom.good("schedules", "20 are due within minutes, 0 catch up."),
            Symptom.good(
                "fires",
                "14 fired, 6 missed and 0 definitions rejected since the owners took over."));
  }

  @Test
  void a_partition_without_a_watermark_is_reported() {
    assertThat(checkup(Map.of()).symptoms())
        .contains(
            Symptom.bad(
                "partition 0",
                "It has no watermark, so no scheduler has ever owned it: is one running?"));
  }

  @Test
  void an_old_watermark_is_reported_after_half_a_minute() {
    NewestWatermark fresh = latest(0, w -> {}, NOW.minusSeconds(30));
    assertThat(checkup(Map.of(0, fresh)).ofPartition(0)).noneMatch(Symptom::wrong);
    Map<Integer, NewestWatermark> watermarks =
        Map.of(0, latest(0, w -> {}, NOW.minusSeconds(31)), 1, latest(1, w -> {}));
    ClusterCheckup checkup = new ClusterCheckup(2, watermarks, LiveState.NONE, NOW, "2025a");
    assertThat(checkup.ofPartition(0))
        .containsExactly(
            Symptom.bad(
                "partition 0",
                "Its watermark is 31 s old: it has no owner, or its owner hangs. Its last owner was"
                    + " one."));
    assertThat(checkup.symptoms())
        .contains(Symptom.good("partitions", "1 of 2 have an owner: one."));
  }

  @Test
  void if_all_watermarks_are_old_this_machines_clock_may_be_wrong() {
    Map<Integer, NewestWatermark> watermarks = twoSilentFor(40, 44, "one");
    ClusterCheckup checkup = new ClusterCheckup(2, watermarks, LiveState.NONE, NOW, "2025a");
    assertThat(wrong(checkup.symptoms()))
        .containsExactly(
            "Its watermark is 40 s old: it has no owner, its owner hangs, or this machine's clock is"
                + " ahead. Its last owner was one.",
            "Its watermark is 44 s old: it has no owner, its owner hangs, or this machine's clock is"
                + " ahead. Its last owner was one.");
    assertThat(checkup.symptoms()).contains(Symptom.good("partitions", "0 of 2 have an owner."));
  }

  @Test
  void several_instances_seldom_stop_at_once() {
    Map<Integer, NewestWatermark> watermarks = twoSilentFor(40, 44, "two");
    ClusterCheckup checkup = new ClusterCheckup(2, watermarks, LiveState.NONE, NOW, "2025a");
    assertThat(checkup.symptoms())
        .filteredOn(Symptom::wrong)
        .containsExactly(
            Symptom.bad(
                "this machine",
                "Its clock is about 40 s ahead of the broker's, or all instances (one, two)"
                    + " stopped at once: no partition has a newer watermark."));
    assertThat(wrong(checkup.ofPartition(1))).singleElement().asString().contains("clock is ahead");
  }

  @Test
  void watermarks_of_different_ages_do_not_blame_this_machines_clock() {
    Map<Integer, NewestWatermark> watermarks = twoSilentFor(40, 70, "two");
    ClusterCheckup checkup = new ClusterCheckup(2, watermarks, LiveState.NONE, NOW, "2025a");
    assertThat(wrong(checkup.symptoms()))
        .hasSize(2)
        .allMatch(text -> text.contains("it has no owner, or its owner hangs."));
  }

  @Test
  void an_instance_that_answers_shows_by_how_much_this_machines_clock_is_ahead() {
    Instant brokers = NOW.minusSeconds(40);
    NewestWatermark latest = latest(0, w -> {}, brokers.minusSeconds(2));
    LiveState answers = live(partition("one", true, w -> w.setWrittenAt(brokers)));
    ClusterCheckup checkup = checkup(Map.of(0, latest), answers);
    Symptom clock =
        Symptom.bad(
            "this machine",
            "Its clock is about 40 s ahead of the broker's; the times that commands on this machine"
                + " show are as much wrong.");
    assertThat(checkup.ownClock()).contains(clock);
    assertThat(checkup.symptoms())
        .contains(Symptom.good("partitions", "1 of 1 have an owner: one."))
        .filteredOn(Symptom::wrong)
        .containsExactly(clock);
  }

  @Test
  void a_wrong_clock_of_an_instance_does_not_blame_this_machines_clock() {
    NewestWatermark latest =
        latest(0, w -> w.setWrittenAt(NOW.minusSeconds(42)), NOW.minusSeconds(2));
    LiveState answers = live(partition("one", true, w -> w.setWrittenAt(NOW.minusSeconds(40))));
    ClusterCheckup checkup = checkup(Map.of(0, latest), answers);
    assertThat(checkup.ownClock()).isEmpty();
    assertThat(wrong(checkup.symptoms()))
        .containsExactly(
            "The clock of its owner, one, is 40 s behind the broker's: fires are as much too late.");
  }

  /** Two watermarks, the second of the same or another instance. */
  private static Map<Integer, NewestWatermark> twoSilentFor(int seconds, int others, String other) {
    NewestWatermark one = latest(0, w -> {}, NOW.minusSeconds(seconds));
    return Map.of(0, one, 1, latest(1, w -> w.setInstance(other), NOW.minusSeconds(others)));
  }

  private static List<String> wrong(List<Symptom> symptoms) {
    return symptoms.stream().filter(Symptom::wrong).map(Symptom::text).toList();
  }

  @Test
  void backlog_faults_and_repairs_are_reported() {
    NewestWatermark latest =
        latest(
            0,
            watermark -> {
              watermark.setDecidedThrough(NOW.minusSeconds(3600)).setCatchingUp(3);
              watermark.setFaulted(2).setRepaired(1);
            });
    assertThat(checkup(Map.of(0, latest)).ofPartition(0))
        .extracting(Symptom::text)
        .containsExactly(
            "It is decided up to 2026-11-21T09:00:00Z, 1 h behind: 3 schedules catch up.",
            "The watchdog has repaired 1 queue entries: this is a defect of Waterclock, please report"
                + " it.");
    assertThat(checkup(Map.of(0, latest)).symptoms())
        .contains(
            Symptom.bad(
                "partition 0",
                "2 schedules are faulted; waterclock list --state FAULTED shows why."));
  }

  @Test
  void a_partition_that_waits_for_unread_input_is_reported() {
    Instant read = NOW.minusSeconds(100);
    NewestWatermark behind = latest(0, w -> w.setReadThrough(read).setDecidedThrough(read));
    assertThat(checkup(Map.of(0, behind)).ofPartition(0))
        .extracting(Symptom::text)
        .containsExactly(
            "It reads what was written at 2026-11-21T09:58:20Z, and decides nothing that is due"
                + " later.",
            "It is decided up to 2026-11-21T09:58:20Z, 1 min 40 s behind: it waits for unread"
                + " input.");
    NewestWatermark keepsUp = latest(0, w -> w.setReadThrough(NOW.minusSeconds(5)));
    assertThat(checkup(Map.of(0, keepsUp)).ofPartition(0)).isEmpty();
  }

  @Test
  void clocks_are_compared_with_the_brokers() {
    NewestWatermark ahead = latest(0, watermark -> watermark.setWrittenAt(NOW.plusSeconds(5)));
    assertThat(checkup(Map.of(0, ahead)).ofPartition(0))
        .extracting(Symptom::text)
        .containsExactly(
            "The clock of its owner, one, is 5 s ahead of the broker's: fires are as much too early.");
    NewestWatermark later =
        latest(0, w -> w.setWrittenAt(NOW.plusSeconds(60)), NOW.plusSeconds(60));
    assertThat(checkup(Map.of(0, later)).symptoms())
        .contains(
            Symptom.bad(
                "this machine",
                "Its clock is 1 min behind the broker's; the ages shown here are as much too"
                    + " small."));
  }

  @Test
  void differing_time_zone_data_is_reported() {
    Map<Integer, NewestWatermark> mixed =
        Map.of(0, latest(0, w -> {}), 1, latest(1, watermark -> watermark.setTzdb("2026b")));
    assertThat(new ClusterCheckup(2, mixed, LiveState.NONE, NOW, "2025a").symptoms())
        .filteredOn(symptom -> symptom.about().equals("time zones"))
        .singleElement()
        .satisfies(symptom -> assertThat(symptom.text()).contains("2025a and 2026b"));
    assertThat(
            new ClusterCheckup(1, Map.of(0, latest(0, w -> {})), LiveState.NONE, NOW, "2024a")
                .symptoms())
        .filteredOn(symptom -> symptom.about().equals("time zones"))
        .singleElement()
        .satisfies(symptom -> assertThat(symptom.text()).contains("2025a", "this machine 2024a"));
  }

  @Test
  void the_answer_of_an_instance_replaces_its_latest_watermark() {
    LiveState live =
        live(partition("one", true, w -> w.setLive(12).setCatchingUp(3).setFaulted(2)));
    List<Symptom> symptoms =
        checkup(Map.of(0, latest(0, w -> w.setAddress("h:1"))), live).symptoms();
    assertThat(symptoms)
        .contains(
            Symptom.good("instances", "one at h:1 answers."),
            Symptom.good("schedules", "12 are due within minutes, 3 catch up."),
            Symptom.good(
                "backlog", "1 due, 0 triggered by commands, 3 in catch-up, 0 in backfills."),
            Symptom.bad(
                "partition 0",
                "2 schedules are faulted; waterclock list --state FAULTED shows why."));
  }

  @Test
  void an_instance_that_does_not_answer_is_reported_and_is_not_wrong() {
    NewestWatermark latest = latest(0, watermark -> watermark.setAddress("h:1"));
    assertThat(checkup(Map.of(0, latest)).symptoms())
        .contains(
            Symptom.good(
                "instances",
                "one at h:1 does not answer: the findings about its partitions come from the topics."))
        .noneMatch(Symptom::wrong);
  }

  @Test
  void an_instance_that_still_reads_its_input_is_reported() {
    LiveState live = live(partition("two", false, w -> {}));
    Symptom reads =
        Symptom.bad(
            "partition 0",
            "two at h:1 has not read its input to the end yet; it waits for the end of a"
                + " transaction; until then it fires nothing.");
    assertThat(checkup(Map.of(), live).ofPartition(0)).containsExactly(reads);
    assertThat(checkup(Map.of(0, latest(0, w -> {})), live).ofPartition(0)).containsExactly(reads);
  }

  @Test
  void a_partition_with_two_owners_is_reported() {
    LiveState live = live(partition("one", true, w -> {}), partition("two", true, w -> {}));
    assertThat(checkup(Map.of(0, latest(0, w -> {})), live).ofPartition(0))
        .containsExactly(
            Symptom.bad(
                "partition 0", "Several instances claim to own it: one at h:1, two at h:1."));
  }

  @Test
  void an_owner_that_answers_but_writes_no_watermark_is_reported() {
    NewestWatermark old = latest(0, w -> {}, NOW.minusSeconds(31));
    assertThat(checkup(Map.of(0, old), live(partition("one", true, w -> {}))).ofPartition(0))
        .extracting(Symptom::text)
        .containsExactly(
            "one at h:1 owns it, but its watermark is 31 s old: the owner decides nothing, or cannot"
                + " commit. Its /ready gives the reason.");
  }

  private static LiveState live(LivePartition... partitions) {
    return new LiveState(
        Stream.of(partitions).map(LivePartition::owner).distinct().toList(), List.of(partitions));
  }

  private static LivePartition partition(
      String instance, boolean gateOpen, Consumer<Watermark.Builder> change) {
    return new LivePartition(
        new Instance(instance, "h:1"),
        gateOpen,
        gateOpen ? Optional.empty() : Optional.of("waits for the end of a transaction"),
        Map.of("live", 1L, "catch_up", 3L),
        latest(0, change).watermark());
  }

  private static ClusterCheckup checkup(Map<Integer, NewestWatermark> watermarks, LiveState live) {
    return new ClusterCheckup(1, watermarks, live, NOW, "2025a");
  }

  private static ClusterCheckup checkup(Map<Integer, NewestWatermark> watermarks) {
    return new ClusterCheckup(1, watermarks, LiveState.NONE, NOW, "2025a");
  }

  private static NewestWatermark latest(int partition, Consumer<Watermark.Builder> change) {
    return latest(partition, change, NOW);
  }

  private static NewestWatermark latest(
      int partition, Consumer<Watermark.Builder> change, Instant stamp) {
    Watermark.Builder watermark =
        Watermarks.idle(partition, "one", stamp).setLive(10).setFired(7).setMissed(3);
    change.accept(watermark);
    return new NewestWatermark(watermark.build(), stamp);
  }
}
