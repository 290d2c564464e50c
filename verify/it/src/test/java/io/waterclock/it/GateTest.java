package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.runtime.Waterclock;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.task.SchedulerTopology;
import io.waterclock.topology.scheduler.task.TopologyParts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What was deleted or paused while no scheduler ran does not fire when one comes back. */
@Timeout(600)
final class GateTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String VICTIM = "victim";
  private static final String BYSTANDER = "bystander";
  private static final String EVERY_SECOND = "{\"every\":\"1s\",\"catch_up\":\"replay\"}";

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.EAGER_CLEANER);

  @Test
  @Tag("all")
  void when_transaction_markers_end_the_partition() {
    Tenant tenant = firedAndStopped("markers", 1);
    try (Producing schedules = Producing.inTransactions(tenant, tenant.topics().schedules())) {
      schedules.begin();
      schedules.fill(3_000);
      schedules.delete(VICTIM);
      schedules.commit();
      schedules.begin();
      schedules.put(VICTIM, EVERY_SECOND);
      schedules.abort();
    }
    assertNothingFiresThatEnded(tenant, MissedReason.DELETED);
  }

  @Test
  @Tag("all")
  void when_partitions_have_never_had_a_record() {
    Tenant tenant = firedAndStopped("empty", 3);
    try (Producing schedules = tenant.schedules()) {
      schedules.delete(VICTIM);
    }
    assertNothingFiresThatEnded(tenant, MissedReason.DELETED);
  }

  @Test
  @Tag("all")
  void when_a_partition_was_emptied_up_to_its_end() throws Exception {
    Tenant tenant = firedAndStopped("truncated", 1);
    try (Producing schedules = tenant.schedules();
        SchedulesTopic topic = new SchedulesTopic(tenant)) {
      schedules.fill(100);
      topic.truncate();
    }
    try (Waterclock scheduler = Waterclock.start(tenant.config(Map.of()))) {
      awaitFires(tenant, VICTIM, Instant.now());
      assertThat(scheduler.isReady()).isTrue();
    }
  }

  @Test
  @Tag("all")
  void when_compaction_has_left_gaps_at_the_end_of_the_partition() throws Exception {
    Tenant tenant = firedAndStopped("compacted", 1);
    try (Producing schedules = Producing.inTransactions(tenant, tenant.topics().schedules());
        SchedulesTopic topic = new SchedulesTopic(tenant)) {
      schedules.begin();
      schedules.delete(VICTIM);
      schedules.commit();
      topic.compactQuickly();
      for (int i = 0; i < 3; i++) {
        schedules.begin();
        schedules.fill(200);
        schedules.abort();
      }
      schedules.begin();
      schedules.put(VICTIM, EVERY_SECOND);
      schedules.abort();
      await().atMost(PATIENCE).until(() -> topic.count("fill/7") == 0);
      topic.restoreSettings();
    }
    assertNothingFiresThatEnded(tenant, MissedReason.DELETED);
  }

  /** The tombstone is acknowledged, and no read_committed reader sees it. */
  @Test
  void when_a_transaction_before_the_tombstone_is_open() {
    Tenant tenant = firedAndStopped("open", 1);
    try (Producing schedules = tenant.schedules()) {
      assertWaitsForTheEndOfATransaction(
          tenant, tenant.topics().schedules(), () -> schedules.delete(VICTIM));
    }
  }

  @Test
  @Tag("all")
  void when_a_transaction_before_its_pause_is_open() {
    Tenant tenant = firedAndStopped("open-commands", 1);
    try (Producing commands = tenant.commands()) {
      assertWaitsForTheEndOfATransaction(
          tenant,
          tenant.topics().commands(),
          () -> commands.put(VICTIM, "{\"command_id\":\"p-1\",\"pause\":{}}"));
    }
  }

  private static void assertWaitsForTheEndOfATransaction(
      Tenant tenant, String topic, Runnable writeBehindIt) {
    Instant restart = Instant.now();
    try (Producing open = Producing.inTransactions(tenant, topic)) {
      open.begin();
      open.put("other", "{}");
      writeBehindIt.run();
      try (Waterclock scheduler = Waterclock.start(tenant.config(Map.of()))) {
        await()
            .atMost(PATIENCE)
            .until(
                () -> String.join("\n", scheduler.health().ready().problems()),
                Pattern.compile(
                        "waits for the end of the transaction of producer \\d+ with"
                            + " transactional.id "
                            + tenant.prefix()
                            + "-writer, which last wrote at \\S+Z in "
                            + topic
                            + "-0")
                    .asPredicate());
        assertThat(fired(tenant, restart)).isEmpty();
        open.abort();
        await().atMost(PATIENCE).until(scheduler::isReady);
        awaitFires(tenant, BYSTANDER, restart);
      }
    }
    assertThat(fired(tenant, restart)).containsOnly(BYSTANDER);
  }

  @Test
  @Tag("all")
  void when_the_tombstone_is_in_a_partition_that_another_task_reads() {
    Tenant tenant = firedAndStopped("stray", 2);
    try (Producing schedules = tenant.schedules()) {
      int home = HomePartition.of(VICTIM.getBytes(StandardCharsets.UTF_8), 2);
      schedules.fill(3_000);
      schedules.delete(VICTIM, 1 - home);
    }
    assertNothingFiresThatEnded(tenant, MissedReason.DELETED);
  }

  @Test
  @Tag("all")
  void when_it_was_paused_instead_of_deleted() {
    Tenant tenant = firedAndStopped("paused", 1);
    try (Producing schedules = tenant.schedules()) {
      schedules.fill(3_000);
      schedules.put(VICTIM, "{\"every\":\"1s\",\"catch_up\":\"replay\",\"enabled\":false}");
    }
    assertNothingFiresThatEnded(tenant, MissedReason.PAUSED);
  }

  /** Reading 50,000 definitions takes longer than it takes to write them. */
  @Test
  @Tag("all")
  void when_the_tombstone_lies_behind_many_definitions_that_a_running_scheduler_has_yet_to_read() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "behind", dir);
    try (Waterclock scheduler = Waterclock.start(tenant.config(Map.of("partitions", "1")));
        Producing schedules = tenant.schedules()) {
      await().atMost(PATIENCE).until(scheduler::isReady);
      Duration ahead = Duration.ofSeconds(2);
      int attempt = 0;
      boolean wasDeletedInTime;
      do {
        ahead = ahead.multipliedBy(2);
        attempt++;
        Instant due = Instant.now().plus(ahead);
        schedules.put(VICTIM + attempt, "{\"at\":\"%s\"}".formatted(due));
        schedules.put(BYSTANDER + attempt, "{\"at\":\"%s\"}".formatted(due.plusMillis(1)));
        schedules.fill(50_000);
        schedules.delete(VICTIM + attempt);
        wasDeletedInTime = Instant.now().isBefore(due);
        awaitFires(tenant, BYSTANDER + attempt, Instant.EPOCH);
      } while (!wasDeletedInTime && ahead.compareTo(PATIENCE) < 0);
      assertThat(wasDeletedInTime).isTrue();
      try (TopicReader<Fire> fires = tenant.fires()) {
        assertThat(TopicReader.values(fires.toEnd()))
            .extracting(Fire::getScheduleId)
            .doesNotContain(VICTIM + attempt);
      }
    }
  }

  /** The counter-proof: the same story, with a scheduler whose gate is always open. */
  @Test
  @Tag("all")
  void without_a_gate_what_was_deleted_meanwhile_fires() {
    Tenant tenant = firedAndStopped("no-gate", 1);
    try (Producing schedules = tenant.schedules()) {
      schedules.fill(3_000);
      schedules.delete(VICTIM);
    }
    Instant restart = Instant.now();
    try (KafkaStreams streams = withoutGate(tenant)) {
      streams.start();
      awaitFires(tenant, VICTIM, restart);
    }
  }

  /** Two schedules have fired; then the only instance has ended, and two seconds have passed. */
  private static Tenant firedAndStopped(String prefix, int partitions) {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), prefix, dir);
    Map<String, String> more = Map.of("partitions", Integer.toString(partitions));
    try (Waterclock scheduler = Waterclock.start(tenant.config(more));
        Producing schedules = tenant.schedules()) {
      schedules.put(VICTIM, EVERY_SECOND);
      schedules.put(BYSTANDER, EVERY_SECOND);
      awaitFires(tenant, VICTIM, Instant.EPOCH);
      awaitFires(tenant, BYSTANDER, Instant.EPOCH);
      await().atMost(PATIENCE).until(scheduler::isReady);
    }
    Instant end = Instant.now().plusSeconds(2);
    await().until(() -> Instant.now().isAfter(end));
    return tenant;
  }

  private static void assertNothingFiresThatEnded(Tenant tenant, MissedReason reason) {
    Instant restart = Instant.now();
    try (Waterclock scheduler = Waterclock.start(tenant.config(Map.of()))) {
      await().atMost(PATIENCE).until(scheduler::isReady);
      awaitFires(tenant, BYSTANDER, restart);
      awaitMissed(tenant, VICTIM);
    }
    try (TopicReader<Fire> fires = tenant.fires();
        TopicReader<Missed> missed = tenant.missed()) {
      assertThat(TopicReader.values(fires.toEnd()))
          .filteredOn(fire -> fire.getScheduleId().equals(VICTIM))
          .allMatch(fire -> fire.getFiredAt().isBefore(restart));
      assertThat(TopicReader.values(missed.toEnd()))
          .filteredOn(range -> range.getScheduleId().equals(VICTIM))
          .isNotEmpty()
          .allMatch(range -> range.getReason() == reason)
          .anyMatch(range -> range.getCount() >= 1);
    }
  }

  /** The schedules that have fired since then. */
  private static Set<String> fired(Tenant tenant, Instant since) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      return TopicReader.values(fires.toEnd()).stream()
          .filter(fire -> fire.getFiredAt().isAfter(since))
          .map(Fire::getScheduleId)
          .collect(Collectors.toSet());
    }
  }

  private static void awaitFires(Tenant tenant, String id, Instant since) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  fires.values().stream()
                      .anyMatch(
                          fire ->
                              fire.getScheduleId().equals(id) && fire.getFiredAt().isAfter(since)));
    }
  }

  /** Two schedules may be of two tasks: the fire of one says nothing about the other. */
  private static void awaitMissed(Tenant tenant, String id) {
    try (TopicReader<Missed> missed = tenant.missed()) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> missed.values().stream().anyMatch(range -> range.getScheduleId().equals(id)));
    }
  }

  private static KafkaStreams withoutGate(Tenant tenant) {
    Settings settings =
        new Settings(
            new Settings.Channels(
                tenant.topics(),
                1,
                new TargetRules(
                    AllowList.none(),
                    OwnerLimits.none(),
                    tenant.topics(),
                    tenant.topics().prefix()),
                true,
                Wire.of(WireFormat.AVRO),
                ZoneOffset.UTC),
            new Settings.Limits(Duration.ofSeconds(1), 1 << 20),
            Settings.Pace.standard(),
            new Settings.Retention(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
            Settings.Alerting.OFF,
            Settings.Identity.of("no-gate"));
    ApplicationContext application =
        ApplicationContext.of(
            InstantSource.system(),
            ClockGuard.of(InstantSource.system(), () -> true),
            task -> new OpenGate(),
            partition -> CompletableFuture.completedFuture(Set.of()),
            TaskReports.none());
    Properties properties = new Properties();
    properties.putAll(tenant.config(Map.of()).kafka());
    properties.putAll(
        Map.of(
            "application.id",
            tenant.applicationId(),
            "bootstrap.servers",
            tenant.bootstrapServers(),
            "processing.guarantee",
            "exactly_once_v2",
            "poll.ms",
            "5"));
    return new KafkaStreams(
        SchedulerTopology.build(settings, application, TopologyParts.standard()), properties);
  }

  private static final class OpenGate implements Gate {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void processed(String topic, long offset) {}

    @Override
    public Mark mark() {
      return () -> true;
    }

    @Override
    public void idleFor(Duration time) {}

    @Override
    public Instant readThrough(Instant now) {
      return now;
    }

    @Override
    public boolean isBehind() {
      return false;
    }
  }
}
