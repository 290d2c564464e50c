package io.waterclock.topology.scheduler.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * The same records, once with a scheduler and a schema registry that are always up, and once with
 * one that is down for a while: the same fires. All times are in seconds after the start.
 */
final class UpOrDownTest {
  private static final String ID = "a";
  private static final Downtime NONE = new Downtime(0, 0);

  /** Inclusive and exclusive. */
  private record Downtime(double from, double to) {
    boolean has(double at) {
      return at >= from && at < to;
    }
  }

  private record Sent(double at, Input.Topic topic, int partitionsFromHome, byte[] value) {}

  private final List<Sent> history = new ArrayList<>();
  private boolean isRegistryUp = true;

  /** While the scheduler decides, and reads nothing. */
  private Downtime behind = NONE;

  private final SchemaSource registry =
      id ->
          isRegistryUp
              ? new SchemaSource.Lookup.Known(Schedule.getClassSchema())
              : new SchemaSource.Lookup.Unavailable("away");

  /** The pause wins over the occurrence that the outage has left undecided. */
  @Test
  void a_pause_of_what_a_resume_had_enabled_and_was_over_holds_nothing() {
    define(1, "{'at':'" + at(20) + "','enabled':false,'catch_up':'replay'}");
    command(3, "'resume':{}");
    command(45, "'pause':{}");
    define(50, every("v1", ""));

    assertThat(fires(NONE, NONE, 95)).containsExactly("20 ", "60 v1", "70 v1", "80 v1", "90 v1");
    assertThat(fires(new Downtime(12, 55), NONE, 95))
        .containsExactly("60 v1", "70 v1", "80 v1", "90 v1");
  }

  @Test
  void a_backfill_after_a_pause_of_what_was_over_does_not_make_it_hold() {
    define(1, every("v0", ",'end_at':'" + at(25) + "'"));
    command(45, "'pause':{}");
    command(47, "'backfill':{'from':'" + at(0) + "','to':'" + at(15) + "'}");
    define(50, every("v1", ""));

    assertThat(fires(NONE, NONE, 95)).contains("60 v1", "70 v1", "80 v1", "90 v1");
    assertThat(fires(new Downtime(12, 55), NONE, 95)).contains("60 v1", "70 v1", "80 v1", "90 v1");
  }

  @Test
  void a_pause_that_came_while_a_run_would_have_gone_on_holds_what_is_defined_later() {
    define(1, "{'at':'" + at(20) + "','overlap':'skip','timeout':'60s','catch_up':'replay'}");
    command(45, "'pause':{}");
    define(50, every("v1", ""));

    assertThat(fires(NONE, NONE, 95)).containsExactly("20 ");
    assertThat(fires(new Downtime(12, 55), NONE, 95)).isEmpty();
  }

  /** The run of the first occurrence holds that of the second back until 70. */
  @Test
  void a_pause_that_came_while_a_run_that_was_held_back_would_have_gone_on_holds_as_well() {
    String held = ",'overlap':'buffer_one','timeout':'60s','end_at':'" + at(25) + "'";
    define(5, every("v0", held));
    command(100, "'pause':{}");
    define(105, every("v1", ""));

    assertThat(fires(NONE, NONE, 145)).containsExactly("10 v0", "20 v0");
    assertThat(fires(new Downtime(7, 115), NONE, 145)).isEmpty();
  }

  @Test
  void a_failure_of_an_earlier_life_does_not_pause_the_next() {
    String in = "{'in':'10s','catch_up':'replay','pause_after_failures':1}";
    define(1.5, in);
    define(90.5, in);
    String key = FireKey.of(ScheduleId.parse(ID), at(11.5)).text();
    add(97, Input.Topic.OUTCOMES, "{'fire_key':'" + key + "','state':'failed'}");

    assertThat(fires(new Downtime(50, 95), NONE, 130)).isEqualTo(fires(NONE, NONE, 130)).hasSize(2);
  }

  @Test
  void a_stray_that_waits_for_its_schema_acts_before_the_definition_behind_it() {
    defineElsewhere(1, every("v0", ""));
    define(45, every("v1", ""));

    assertThat(fires(NONE, new Downtime(0, 50), 75))
        .isEqualTo(fires(NONE, NONE, 75))
        .containsExactly("10 v0", "20 v0", "30 v0", "40 v0", "50 v1", "60 v1", "70 v1");
  }

  @Test
  void a_stray_that_waits_for_its_schema_acts_before_the_commands_behind_it() {
    define(1, "{'at':'" + at(500) + "','payload':'old'}");
    defineElsewhere(12, every("v0", ""));
    command(14, "'skip':{'occurrence':'" + at(40) + "'}");
    command(15, "'trigger':{}");

    assertThat(fires(NONE, new Downtime(0, 16), 65))
        .isEqualTo(fires(NONE, NONE, 65))
        .containsExactly("15 v0", "20 v0", "30 v0", "50 v0", "60 v0");
  }

  @Test
  void a_schedule_is_not_removed_before_a_definition_is_read_that_came_in_time() {
    String in = "{'in':'10s','catch_up':'replay'}";
    define(1.5, in);
    define(40, in);
    assertThat(fires(NONE, NONE, 150)).containsExactly("11 ");
    behind = new Downtime(30, 100);
    assertThat(fires(NONE, NONE, 150)).containsExactly("11 ");
  }

  /** As after a transaction that commits at 20: the second record is known to be unread. */
  @Test
  void an_unread_delete_holds_back_what_is_due_before_the_position() {
    SimulatedCluster cluster = new SimulatedCluster(1);
    SimulatedTask task = cluster.tasks().get(0);
    String schedules = cluster.topics().schedules();
    cluster.advance(Duration.ofSeconds(20));
    for (int i = 0; i < 3; i++) {
      cluster.drain();
    }
    String definition = new String(json(every("v0", "")), UTF_8);
    cluster.produce(schedules, 0, ID, Optional.of(definition), at(8), "put");
    cluster.produce(schedules, 0, ID, Optional.empty(), at(9), "delete");
    task.read(schedules);
    cluster.readThrough(at(9));
    task.tick();
    task.commit();
    cluster.readThrough(Instant.MAX);
    for (int i = 0; i < 3; i++) {
      cluster.drain();
    }

    assertThat(cluster.fires()).isEmpty();
  }

  /** Occurrences and payloads, without backfills, in the order of the occurrences. */
  private List<String> fires(Downtime ofScheduler, Downtime ofRegistry, double end) {
    SimulatedCluster cluster =
        new SimulatedCluster(
            3, time -> ClockGuard.of(time, () -> true), new Wire(Encoding.AVRO, registry));
    history.sort(Comparator.comparingDouble(Sent::at));
    List<Sent> rest = new ArrayList<>(history);
    for (double now = 0; now <= end; now += 0.5) {
      cluster.advance(Duration.between(cluster.now(), at(now)));
      while (!rest.isEmpty() && rest.get(0).at() <= now) {
        write(rest.remove(0), cluster);
      }
      isRegistryUp = !ofRegistry.has(now);
      if (now == ofScheduler.to() && now > 0) {
        cluster.tasks().forEach(SimulatedTask::crash);
      }
      if (behind.has(now)) {
        decideWithoutReading(cluster);
      } else if (!ofScheduler.has(now)) {
        cluster.readThrough(Instant.MAX);
        cluster.drain();
      }
    }
    return cluster.fires().stream()
        .filter(fire -> !fire.getCause().name().equals("BACKFILL"))
        .sorted(Comparator.comparing(fire -> fire.getOccurrence()))
        .map(
            fire ->
                Duration.between(SimulatedCluster.START, fire.getOccurrence()).toSeconds()
                    + " "
                    + StrayTrace.payload(fire.getSchedule()))
        .toList();
  }

  private static void decideWithoutReading(SimulatedCluster cluster) {
    cluster.readThrough(
        cluster.tasks().stream()
            .flatMap(task -> task.inputs().stream().flatMap(topic -> task.unread(topic).stream()))
            .min(Comparator.naturalOrder())
            .orElse(cluster.now()));
    for (SimulatedTask task : cluster.tasks()) {
      task.tick();
      task.commit();
    }
  }

  private static void write(Sent sent, SimulatedCluster cluster) {
    int partition = (cluster.home(ID.getBytes(UTF_8)) + sent.partitionsFromHome()) % 3;
    cluster
        .log(sent.topic().in(cluster.topics()), partition)
        .append(
            ID.getBytes(UTF_8),
            Optional.of(sent.value()),
            new RecordHeaders(),
            at(sent.at()).toEpochMilli(),
            false);
  }

  private static String every(String payload, String more) {
    return "{'every':'10s','anchor':'%s','catch_up':'replay','payload':'%s'%s}"
        .formatted(SimulatedCluster.START, payload, more);
  }

  private void define(double at, String json) {
    add(at, Input.Topic.SCHEDULES, json);
  }

  /** In another partition, in the format of a registry. */
  private void defineElsewhere(double at, String json) {
    Schedule schedule = RecordCodecs.schedule().decode(json(json));
    byte[] single = RecordCodecs.schedule().encode(schedule, WireFormat.AVRO);
    byte[] body = Arrays.copyOfRange(single, 10, single.length);
    byte[] value = new byte[5 + body.length];
    value[4] = 7; // the id of the schema
    System.arraycopy(body, 0, value, 5, body.length);
    history.add(new Sent(at, Input.Topic.SCHEDULES, 1, value));
  }

  private void command(double at, String what) {
    add(at, Input.Topic.COMMANDS, "{'command_id':'c-" + at + "'," + what + "}");
  }

  private void add(double at, Input.Topic topic, String json) {
    history.add(new Sent(at, topic, 0, json(json)));
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  private static Instant at(double seconds) {
    return SimulatedCluster.START.plusMillis((long) (seconds * 1_000));
  }
}
