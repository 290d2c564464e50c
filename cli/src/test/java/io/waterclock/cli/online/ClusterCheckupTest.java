package io.waterclock.cli.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ClusterCheckupTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void what_is_looked_after_is_summed_up() {
    List<Sign> signs =
        new ClusterCheckup(2, Map.of(0, pulse(0, w -> {}), 1, pulse(1, w -> {})), NOW, "2025a")
            .signs();
    assertThat(signs)
        .containsExactly(
            Sign.good("partitions", "2 of 2 are looked after, by one."),
            Sign.good("schedules", "20 wait for their next occurrence, 0 catch up."),
            Sign.good(
                "outcomes",
                "14 fired, 6 missed and 0 definitions rejected since the owners took over."));
  }

  @Test
  void a_partition_without_a_watermark_is_told() {
    assertThat(checkup(Map.of()).signs())
        .contains(
            Sign.bad(
                "partition 0",
                "No scheduler has ever said how far it is decided: is one running?"));
  }

  @Test
  void silence_is_told_after_half_a_minute() {
    Pulse fresh = pulse(0, w -> {}, NOW.minusSeconds(30));
    assertThat(checkup(Map.of(0, fresh)).ofPartition(0)).noneMatch(Sign::wrong);
    Pulse old = pulse(0, w -> {}, NOW.minusSeconds(31));
    assertThat(checkup(Map.of(0, old)).ofPartition(0))
        .containsExactly(
            Sign.bad(
                "partition 0",
                "Nobody has said for 31 s how far it is decided: it has no owner, or its owner"
                    + " hangs. The last one was one."));
    assertThat(checkup(Map.of(0, old)).signs())
        .contains(Sign.good("partitions", "0 of 1 are looked after."));
  }

  @Test
  void backlog_faults_and_repairs_are_told() {
    Pulse pulse =
        pulse(
            0,
            watermark -> {
              watermark.setDecidedThrough(NOW.minusSeconds(3600)).setCatchingUp(3);
              watermark.setFaulted(2).setRepaired(1);
            });
    assertThat(checkup(Map.of(0, pulse)).ofPartition(0))
        .extracting(Sign::text)
        .containsExactly(
            "It is decided up to 2026-11-21T09:00:00Z, 1 h behind; 3 schedules catch up.",
            "2 schedules cannot be decided; waterclock list --state FAULTED shows why.",
            "The watchdog has repaired 1 queue entries: a defect of Waterclock, please report it.");
  }

  @Test
  void clocks_are_compared_with_the_brokers() {
    Pulse ahead = pulse(0, watermark -> watermark.setWrittenAt(NOW.plusSeconds(5)));
    assertThat(checkup(Map.of(0, ahead)).ofPartition(0))
        .extracting(Sign::text)
        .containsExactly(
            "The clock of its owner, one, is 5 s ahead of the broker's: fires come as much too"
                + " early.");
    Pulse later = pulse(0, w -> w.setWrittenAt(NOW.plusSeconds(60)), NOW.plusSeconds(60));
    assertThat(checkup(Map.of(0, later)).signs())
        .contains(
            Sign.bad(
                "this machine",
                "Its clock is 1 min behind the broker's; the ages told here are as much too"
                    + " small."));
  }

  @Test
  void differing_time_zone_data_is_told() {
    Map<Integer, Pulse> mixed =
        Map.of(0, pulse(0, w -> {}), 1, pulse(1, watermark -> watermark.setTzdb("2026b")));
    assertThat(new ClusterCheckup(2, mixed, NOW, "2025a").signs())
        .filteredOn(sign -> sign.about().equals("time zones"))
        .singleElement()
        .satisfies(sign -> assertThat(sign.text()).contains("2025a and 2026b"));
    assertThat(new ClusterCheckup(1, Map.of(0, pulse(0, w -> {})), NOW, "2024a").signs())
        .filteredOn(sign -> sign.about().equals("time zones"))
        .singleElement()
        .satisfies(sign -> assertThat(sign.text()).contains("2025a", "this machine 2024a"));
  }

  private static ClusterCheckup checkup(Map<Integer, Pulse> pulses) {
    return new ClusterCheckup(1, pulses, NOW, "2025a");
  }

  private static Pulse pulse(int partition, Consumer<Watermark.Builder> change) {
    return pulse(partition, change, NOW);
  }

  private static Pulse pulse(int partition, Consumer<Watermark.Builder> change, Instant stamp) {
    Watermark.Builder watermark =
        Watermark.newBuilder()
            .setPartition(partition)
            .setDecidedThrough(stamp)
            .setWrittenAt(stamp)
            .setInstance("one")
            .setTzdb("2025a")
            .setLive(10)
            .setCatchingUp(0)
            .setFired(7)
            .setMissed(3)
            .setWalked(0)
            .setRepaired(0)
            .setFaulted(0)
            .setRejected(0);
    change.accept(watermark);
    return new Pulse(watermark.build(), stamp);
  }
}
