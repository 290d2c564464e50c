package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance comes back to its old state directory, when the changelogs do not tell any more what
 * was deleted while others had its partitions.
 */
@Timeout(600)
final class OldStateTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String VICTIM = "victim";
  private static final String BYSTANDER = "bystander";
  private static final String FILLER = "filler";
  private static final String EVERY_SECOND = "{\"every\":\"1s\",\"catch_up\":\"replay\"}";

  private static final String GIVEN_UP = "this standby has received nothing since";
  private static final List<String> STREAMS_LOG = SchedulerProcess.STREAMS_LOG;

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.EAGER_CLEANER);

  @Test
  @Tag("all")
  void what_was_deleted_meanwhile_stays_deleted() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "old", dir);
    assertThat(firesOfTheDeleted(tenant, "1s")).isEmpty();
    assertThat(fires(tenant, BYSTANDER)).extracting(Fire::getFireId).doesNotHaveDuplicates();
  }

  /** The counter-proof: the same story, with an instance that trusts state of any age. */
  @Test
  @Tag("all")
  void a_state_that_is_taken_for_young_brings_it_back_to_life() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "young", dir);
    assertThat(firesOfTheDeleted(tenant, "1h")).isNotEmpty();
  }

  @Test
  void a_start_that_fails_leaves_the_state_to_the_next_one_of_its_process() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "again", dir);
    WaterclockConfig config =
        WaterclockConfig.parse(tenant.settings("a", Map.of("partitions", "1")));
    try (Waterclock scheduler = Waterclock.start(config)) {
      await().atMost(PATIENCE).until(scheduler::isReady);
    }
    Path noFolder = stores(tenant);
    Utils.delete(noFolder.toFile());
    Files.createFile(noFolder);
    assertThatThrownBy(() -> Waterclock.start(config)).isInstanceOf(UncheckedIOException.class);
    Files.delete(noFolder);
    try (Waterclock scheduler = Waterclock.start(config)) {
      await().atMost(PATIENCE).until(scheduler::isReady);
    }
  }

  @Test
  void a_second_instance_on_a_state_directory_is_refused_with_what_to_do() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "two", dir);
    Map<String, String> settings = tenant.settings("a", Map.of("partitions", "1"));
    WaterclockConfig config = WaterclockConfig.parse(settings);
    try (Waterclock first = Waterclock.start(config)) {
      assertThatThrownBy(() -> Waterclock.start(config))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "another instance uses the state directory %s: give this one a state.dir of its own,"
                  + " or stop the other one",
              settings.get("state.dir"));
      await().atMost(PATIENCE).until(first::isReady);
      await().atMost(PATIENCE).until(() -> producersInTheBackground(tenant) == 1);
    }
  }

  /** Each instance has one. */
  private static long producersInTheBackground(Tenant tenant) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("kafka-producer"))
        .filter(name -> name.endsWith(tenant.applicationId() + "-background"))
        .count();
  }

  /** Else the scheduler would forget each schedule: it does not read definitions again. */
  @Test
  void changelogs_that_were_made_anew_stop_the_start() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "anew", dir);
    WaterclockConfig config = tenant.config(Map.of("partitions", "1"));
    try (Waterclock scheduler = Waterclock.start(config);
        TopicReader<Watermark> watermarks = tenant.watermarks()) {
      await().atMost(PATIENCE).until(scheduler::isReady);
      await().atMost(PATIENCE).until(() -> !watermarks.values().isEmpty());
    }
    for (String changelog :
        List.of(
            StateCopy.progress(tenant.applicationId()),
            StateCopy.definitions(tenant.applicationId()))) {
      try (Admin admin = tenant.admin()) {
        admin.deleteTopics(List.of(changelog)).all().get();
        NewTopic anew = new NewTopic(changelog, 1, (short) 1);
        await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .until(() -> admin.createTopics(List.of(anew)).all().get() == null);
        TopicPartition empty = new TopicPartition(changelog, 0);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> endOf(admin, empty) == 0);
      }
    }
    assertThatThrownBy(() -> Waterclock.start(config))
        .isInstanceOf(TopicException.class)
        .hasMessageContaining("anew-scheduler-progress-changelog-0 is empty, it was made anew")
        .hasMessageContaining("waterclock reset");
  }

  private static long endOf(Admin admin, TopicPartition partition) throws Exception {
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()))
        .partitionResult(partition)
        .get()
        .offset();
  }

  @Test
  @Tag("all")
  void a_start_that_waited_for_its_registry_does_not_use_state_from_before_a_reset()
      throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "waited", dir);
    Map<String, String> settings = Map.of("partitions", "1");
    try (Waterclock first = start(tenant, "a", settings)) {
      define(tenant);
      await().atMost(PATIENCE).until(first::isReady);
    }
    try (LateRegistry registry = new LateRegistry();
        Waterclock waiting = start(tenant, "a", registry.with(settings));
        Producing schedules = tenant.schedules()) {
      forgetAll(tenant);
      List<String> known = IntStream.range(0, 9).mapToObj(i -> "new/" + i).toList();
      try (Waterclock second = start(tenant, "b", settings)) {
        known.forEach(id -> schedules.put(id, EVERY_SECOND));
        await().atMost(PATIENCE).until(second::isReady);
        awaitFires(tenant, "new/8", Instant.EPOCH);
      }
      Instant back = Instant.now();
      registry.answer();
      await().atMost(PATIENCE).until(waiting::isReady);
      await().atMost(PATIENCE).until(() -> firedSince(tenant, back).containsAll(known));
      assertThat(firedSince(tenant, back)).containsExactlyInAnyOrderElementsOf(known);
    }
  }

  /** As a reset does that imports nothing. */
  private static void forgetAll(Tenant tenant) throws Exception {
    List<String> changelogs = StateCopy.changelogs(tenant.applicationId());
    TopicPartition input = new TopicPartition(tenant.topics().schedules(), 0);
    try (Admin admin = tenant.admin();
        Producing watermarks =
            new Producing(tenant.bootstrapServers(), tenant.topics().watermarks())) {
      admin.deleteTopics(changelogs).all().get();
      await()
          .atMost(PATIENCE)
          .until(() -> admin.listTopics().names().get().stream().noneMatch(changelogs::contains));
      long end =
          admin
              .listOffsets(Map.of(input, OffsetSpec.latest()))
              .partitionResult(input)
              .get()
              .offset();
      admin
          .alterConsumerGroupOffsets(
              tenant.applicationId(), Map.of(input, new OffsetAndMetadata(end)))
          .all()
          .get();
      watermarks.delete(input.toString()); // their key
    }
  }

  /** The schedules with an occurrence after an instant, whatever format their fires have. */
  private static Set<String> firedSince(Tenant tenant, Instant since) {
    try (TopicReader<byte[]> fires =
        new TopicReader<>(tenant.bootstrapServers(), tenant.topics().fires(), bytes -> bytes)) {
      return fires.toEnd().stream()
          .flatMap(entry -> entry.key().stream())
          .map(FireKey::parse)
          .filter(key -> key.occurrence().isAfter(since))
          .map(key -> key.schedule().value())
          .collect(Collectors.toSet());
    }
  }

  /** A schema registry that gives each schema the same id, once it answers. */
  private static final class LateRegistry implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private volatile boolean answers;

    LateRegistry() throws IOException {
      server.createContext("/", this::answer);
      server.start();
    }

    Map<String, String> with(Map<String, String> settings) {
      Map<String, String> all = new TreeMap<>(settings);
      all.put("format", "avro-registry");
      all.put("schema.registry.url", "http://127.0.0.1:" + server.getAddress().getPort());
      return all;
    }

    void answer() {
      answers = true;
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        byte[] body = "{\"id\":1}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answers ? 200 : 503, body.length);
        exchange.getResponseBody().write(body);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @Test
  @Tag("all")
  void an_instance_that_comes_back_in_time_goes_on_with_what_it_has() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "soon", dir);
    Map<String, String> settings = Map.of("partitions", "1");
    try (SchedulerProcess first = SchedulerProcess.start(tenant.settings("a", settings))) {
      first.awaitReady();
      define(tenant);
      assertThat(first.terminate()).isZero();
    }
    try (SchedulerProcess second =
        SchedulerProcess.start(tenant.settings("a", settings), STREAMS_LOG)) {
      second.awaitReady();
      assertThat(second.log())
          .noneMatch(line -> line.contains("it is restored from nothing"))
          .anyMatch(line -> line.matches(".* initialized from checkpoint with offset \\d+ .*"));
      assertThat(second.terminate()).isZero();
    }
  }

  /** Else this one would take its definitions to be those of the other. */
  @Test
  @Tag("all")
  void state_that_was_copied_from_another_application_is_not_used() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "copied", dir);
    Tenant other = new Tenant(kafka.bootstrapServers(), "other", dir);
    Map<String, String> settings = tenant.settings("a", Map.of("partitions", "1"));
    killWithOne(tenant, VICTIM);
    killWithOne(other, BYSTANDER);
    Utils.delete(stores(tenant).toFile());
    Files.move(stores(other), stores(tenant));
    Instant back = Instant.now();
    try (SchedulerProcess again = SchedulerProcess.start(settings).awaitReady()) {
      awaitFires(tenant, VICTIM, back);
      assertThat(again.log())
          .filteredOn(line -> line.contains("on disk is deleted and restored from its changelog"))
          .hasSize(3);
    }
  }

  private static void killWithOne(Tenant tenant, String schedule) {
    Map<String, String> settings = tenant.settings("a", Map.of("partitions", "1"));
    try (SchedulerProcess first = SchedulerProcess.start(settings);
        Producing schedules = tenant.schedules()) {
      first.awaitReady();
      schedules.put(schedule, EVERY_SECOND);
      awaitFires(tenant, schedule, Instant.EPOCH);
      first.kill();
    }
  }

  @Test
  @Tag("all")
  void a_standby_that_was_stopped_for_too_long_is_restored_from_nothing() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "standby", dir);
    Map<String, String> settings =
        Map.of(
            "partitions", "1",
            "num.standby.replicas", "1",
            "state.max.age", "3s",
            "main.consumer.session.timeout.ms", "30000");
    try (SchedulerProcess a = SchedulerProcess.start(tenant.settings("a", settings), STREAMS_LOG)) {
      a.awaitReady();
      define(tenant);
      try (SchedulerProcess b =
          SchedulerProcess.start(tenant.settings("b", settings), STREAMS_LOG)) {
        b.awaitReady();
        await().atMost(PATIENCE).until(() -> isStandby(a) || isStandby(b));
        SchedulerProcess standby = isStandby(a) ? a : b;
        SchedulerProcess active = standby == a ? b : a;
        await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofSeconds(10)) // in which it reads the changelogs
            .until(() -> isGivenUp(standby) || isGivenUpAfterStall(standby));
        standby.awaitReady();
        active.kill();
        awaitFires(tenant, VICTIM, Instant.now());
        assertThat(standby.log().stream().dropWhile(line -> !line.contains(GIVEN_UP)))
            .anyMatch(line -> line.contains("initialized from checkpoint with offset null"))
            .noneMatch(line -> line.matches(".* initialized from checkpoint with offset \\d+ .*"));
        assertThat(standby.terminate()).isZero();
      }
    }
  }

  /** Whether the latest assignment gave the process a standby: Kafka Streams chooses which does. */
  private static boolean isStandby(SchedulerProcess process) {
    List<String> lines =
        process.log().stream().filter(line -> line.contains(" standby tasks: [")).toList();
    return lines.stream()
        .skip(Math.max(0, lines.size() - 2)) // the new ones and those that exist
        .anyMatch(line -> line.contains("[0_0]"));
  }

  private static boolean isGivenUpAfterStall(SchedulerProcess standby) {
    Instant goesOnAt = Instant.now().plusSeconds(5);
    standby.stall();
    await().atMost(PATIENCE).until(() -> Instant.now().isAfter(goesOnAt));
    standby.goOn();
    return isGivenUp(standby);
  }

  private static boolean isGivenUp(SchedulerProcess standby) {
    return standby.log().stream().anyMatch(line -> line.contains(GIVEN_UP));
  }

  @Test
  @Tag("all")
  void changelogs_that_forget_tombstones_too_soon_shorten_the_age_of_state() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "short", dir);
    WaterclockConfig config = tenant.config(Map.of("partitions", "1"));
    try (Waterclock scheduler = Waterclock.start(config)) {
      define(tenant);
      await().atMost(PATIENCE).until(scheduler::isReady);
    }
    assertThat(TopicSetup.run(tenant.client(), config).stateMaxAge())
        .isEqualTo(config.stateMaxAge());
    String changelog = StateCopy.definitions(tenant.applicationId());
    try (SchedulesTopic topic = new SchedulesTopic(tenant, changelog)) {
      topic.keepTombstones("4000");
    }
    assertThat(TopicSetup.run(tenant.client(), config).stateMaxAge())
        .isEqualTo(Duration.ofSeconds(2));
  }

  /**
   * One instance ends; another one deletes; the changelogs forget; the first one comes back.
   *
   * @return what the deleted schedule has fired since
   */
  private static List<Fire> firesOfTheDeleted(Tenant tenant, String maxAge) throws Exception {
    Map<String, String> settings = Map.of("partitions", "1", "state.max.age", maxAge);
    try (Waterclock first = start(tenant, "a", settings)) {
      define(tenant);
      await().atMost(PATIENCE).until(first::isReady);
    }
    Instant deleted;
    try (Waterclock second = start(tenant, "b", settings)) {
      await().atMost(PATIENCE).until(second::isReady);
      deleted = deleteAndForget(tenant);
    }
    Instant back = Instant.now();
    try (Waterclock again = start(tenant, "a", settings)) {
      await().atMost(PATIENCE).until(again::isReady);
      awaitFires(tenant, BYSTANDER, back.plusSeconds(3));
    }
    return fires(tenant, VICTIM).stream().filter(fire -> fire.getDue().isAfter(deleted)).toList();
  }

  private static Instant deleteAndForget(Tenant tenant) throws Exception {
    try (Producing schedules = tenant.schedules();
        SchedulesTopic definitions =
            new SchedulesTopic(tenant, StateCopy.definitions(tenant.applicationId()));
        SchedulesTopic progress =
            new SchedulesTopic(tenant, StateCopy.progress(tenant.applicationId()));
        TopicReader<Revision> revisions = tenant.revisions()) {
      schedules.delete(VICTIM);
      await()
          .atMost(PATIENCE)
          .until(() -> revisions.values().stream().anyMatch(OldStateTest::isEndOfVictim));
      Instant deleted = Instant.now();
      definitions.forgetTombstonesQuickly();
      progress.forgetTombstonesQuickly();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                schedules.put(FILLER, EVERY_SECOND); // the last segment is never cleaned
                schedules.delete(FILLER);
                return definitions.count(VICTIM) == 0;
              });
      definitions.keepTombstones("86400000");
      progress.keepTombstones("86400000");
      return deleted;
    }
  }

  private static boolean isEndOfVictim(Revision revision) {
    return revision.getScheduleId().equals(VICTIM) && revision.getEndedAt() != null;
  }

  private static Path stores(Tenant tenant) {
    String stateDir = tenant.settings("a", Map.of()).get("state.dir");
    return Path.of(stateDir, tenant.applicationId(), "stores");
  }

  private static Waterclock start(Tenant tenant, String instance, Map<String, String> settings) {
    return Waterclock.start(WaterclockConfig.parse(tenant.settings(instance, settings)));
  }

  private static void define(Tenant tenant) {
    try (Producing schedules = tenant.schedules()) {
      schedules.put(VICTIM, EVERY_SECOND);
      schedules.put(BYSTANDER, EVERY_SECOND);
    }
    awaitFires(tenant, VICTIM, Instant.EPOCH);
    awaitFires(tenant, BYSTANDER, Instant.EPOCH);
  }

  private static List<Fire> fires(Tenant tenant, String id) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      return TopicReader.values(fires.toEnd()).stream()
          .filter(fire -> fire.getScheduleId().equals(id))
          .toList();
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
                          fire -> fire.getScheduleId().equals(id) && fire.getDue().isAfter(since)));
    }
  }
}
