package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disasters: each refused start names the command that repairs the state. */
@Timeout(600)
final class DisasterTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final List<String> EVERY_SECOND =
      IntStream.range(0, 12).mapToObj(i -> "job/" + i).toList();
  private static final String TICKING = "{\"every\":\"1s\",\"catch_up\":\"replay\"}";

  private static final String[] CONTENT = {"\"NDI=\"", "\"bGFuZw==\"", "\"eW91ciBjYXJ0\""};
  private static final String DELAYED =
      "{\"at\":\"2099-01-01T00:00:00Z\",\"payload_base64\":\"eW91ciBjYXJ0\",\"target\":{\"topic\":"
          + "\"mails\",\"record\":{\"key_base64\":\"NDI=\",\"headers\":[{\"name\":\"lang\","
          + "\"value_base64\":\"bGFuZw==\"}]}}}";

  @TempDir static Path dir;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void startBroker() {
    kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"),
            0,
            Map.of(
                "group.min.session.timeout.ms", "500",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200"));
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @Test
  @Tag("all")
  void more_partitions_end_an_instance_and_the_command_that_it_names_loses_and_doubles_nothing()
      throws Exception {
    Topics topics = new Topics("more");
    try (Waterclock scheduler = startWithTwoPartitions(topics)) {
      defineAndWait(scheduler, topics);
      ok(topics, "pause", "job/3", "--note", "deploying", "--author", "kim");
      try (Admin admin = admin()) {
        admin.createPartitions(Map.of(topics.schedules(), NewPartitions.increaseTo(5))).all().get();
      }
      assertThat(scheduler.await().orElseThrow()).hasMessageContaining("waterclock reset");
    }
    // producers use the new number of partitions meanwhile
    write(topics, "job/4", "{\"every\":\"2s\",\"catch_up\":\"replay\"}");
    write(topics, "late", TICKING);
    write(topics, "job/5", null);

    String refusal = refusal(topics);
    assertThat(refusal)
        .contains("has 5 partitions, but the state of its schedules was made when it had 2");
    follow(refusal, topics, "more.jsonl");

    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
      awaitFired(topics, alive("job/3", "job/5", "late"));
      assertThat(note(topics, "job/3")).isEqualTo("deploying");
      assertThat(status(topics)).doesNotContainKey("job/5");
      assertThat(lastFired(topics, "job/3")).isBefore(lastFired(topics, "job/2"));
      ok(topics, "resume", "job/3");
      awaitFired(topics, Set.of("job/3"));
    }
    assertAccounted(topics);
    refuseNothing(topics);
  }

  @Test
  @Tag("all")
  void what_waits_for_a_limit_is_given_up_with_a_number_of_partitions_on_request_alone()
      throws Exception {
    Topics topics = new Topics("limits");
    Map<String, String> settings = new TreeMap<>(settings(topics));
    settings.put("partitions", "2");
    settings.put("limits", "true");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      ready(scheduler);
      ok(topics, "limits", "put", "etl", "--max-running", "1");
      ok(topics, "limits", "pause", "etl");
      write(topics, "job/1", "{\"in\":\"0s\",\"limit\":\"etl\"}");
      await()
          .atMost(BOUND)
          .until(() -> scheduler.metrics().scrape().contains("waterclock_limit_waiting 1"));
    }
    CliRun exported = cli(topics, "export", "--output", file("limits-1.jsonl"));
    assertThat(exported.exitCode()).isEqualTo(1);
    assertThat(exported.err()).contains("1 fires wait for limits, and are not in the export");
    try (Admin admin = admin()) {
      admin.createPartitions(Map.of(topics.schedules(), NewPartitions.increaseTo(5))).all().get();
    }
    String[] reset = {"reset", "--yes", "--backup", file("limits-2.jsonl")};
    assertThat(cli(topics, reset).err()).contains("1 fires wait for limits", "--discard-waiting");
    ok(topics, "reset", "--yes", "--discard-waiting", "--backup", file("limits-2.jsonl"));
    settings.remove("partitions");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      ready(scheduler);
      ok(topics, "limits", "resume", "etl");
      write(topics, "job/2", "{\"in\":\"0s\",\"limit\":\"etl\"}");
      await().atMost(BOUND).until(() -> lastFired(topics, "job/2").isBefore(Instant.now()));
      assertThat(lastFired(topics, "job/1")).as("given up").isEqualTo(Instant.MAX);
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(cli(topics, "audit").out()).contains("1 waiting", "may never start"));
    }
  }

  @Test
  @Tag("all")
  void a_topic_that_is_gone_or_was_made_anew_stops_the_start_and_is_filled_again()
      throws Exception {
    Topics topics = new Topics("anew");
    try (Waterclock scheduler = startWithTwoPartitions(topics)) {
      defineAndWait(scheduler, topics);
    }
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topics.schedules())).all().get();
      await().until(() -> !admin.listTopics().names().get().contains(topics.schedules()));
      assertThat(refusal(topics)).contains("is gone, but the state of its schedules is there");
      NewTopic anew =
          new NewTopic(topics.schedules(), 2, (short) 1)
              .configs(
                  Map.of(
                      "cleanup.policy", "compact",
                      "compression.type", "uncompressed",
                      "message.timestamp.type", "CreateTime",
                      "message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE),
                      "min.compaction.lag.ms", "604800000",
                      "delete.retention.ms", "604800000"));
      admin.createTopics(List.of(anew)).all().get();
      await().until(() -> admin.listTopics().names().get().contains(topics.schedules()));
    }
    write(topics, "late", TICKING);
    String refusal = refusal(topics);
    assertThat(refusal).contains("it was made anew, or mirrored from another cluster");
    follow(refusal, topics, "anew.jsonl");
    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
      awaitFired(topics, alive("late"));
    }
    assertAccounted(topics);
  }

  @Test
  @Tag("all")
  void a_state_that_is_lost_is_made_again_from_what_the_topics_tell() throws Exception {
    Topics topics = new Topics("lost");
    Map<String, String> settings = new TreeMap<>(settings(topics));
    settings.put("partitions", "2");
    settings.put("targets.allow", "mails");
    try (Admin admin = admin();
        Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      admin.createTopics(List.of(new NewTopic("mails", 1, (short) 1))).all().get();
      defineAndWait(scheduler, topics);
      ok(topics, "pause", "job/3", "--note", "deploying");
      write(topics, "delayed", DELAYED);
      await().atMost(BOUND).until(() -> status(topics).containsKey("delayed"));
      assertThat(ok(topics, "get", "delayed", "--json").out()).contains(CONTENT);
      assertThat(
              cli(topics, "revert", "delayed", "--to", status(topics).get("delayed").getRevision())
                  .err())
          .contains("does not keep its content");
    }
    try (Admin admin = admin()) {
      Set<String> state =
          admin.listTopics().names().get().stream()
              .filter(name -> name.startsWith("lost-scheduler-"))
              .collect(Collectors.toSet());
      assertThat(state).hasSize(3);
      admin.deleteTopics(state).all().get();
      await().until(() -> admin.listTopics().names().get().stream().noneMatch(state::contains));
    }
    String refusal = refusal(topics);
    assertThat(refusal).contains("the state of the schedules is gone").contains("--from-topics");
    assertThat(cli(topics, "reset", "--yes", "--backup", file("no.jsonl")).err())
        .contains("--from-topics");
    Files.delete(Path.of(file("no.jsonl")));
    follow(refusal, topics, "lost.jsonl");
    assertThat(Files.readString(Path.of(file("lost.jsonl")))).contains(CONTENT);
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      ready(scheduler);
      awaitFired(topics, alive("job/3"));
      assertThat(note(topics, "job/3")).isEqualTo("deploying");
    }
    assertAccounted(topics);
  }

  @Test
  @Tag("all")
  void what_moves_to_another_prefix_fires_each_occurrence_once_here_or_there() throws Exception {
    Topics here = new Topics("here");
    Topics there = new Topics("there");
    exportAfterSomeFires(here, "move.jsonl");
    try (Waterclock scheduler = startWithTwoPartitions(there)) {
      ready(scheduler);
      CliRun moved = ok(there, "import", file("move.jsonl"));
      assertThat(moved.out()).contains("imported 12 schedules");
      awaitFired(there, alive());
      assertThat(cli(there, "import", file("move.jsonl")).err())
          .contains("because these exist", "--on-existing skip");
      assertThat(ok(there, "import", "--on-existing", "skip", file("move.jsonl")).out())
          .contains("imported 0 schedules (0 replaced, 12 skipped)");
    }
    assertEachFiredOnce(here, there);
    assertAccounted(there);
  }

  @Test
  @Tag("all")
  void an_import_that_was_rejected_and_is_repeated_catches_up_since_the_export() throws Exception {
    Topics here = new Topics("from");
    Topics there = new Topics("to");
    exportAfterSomeFires(here, "again.jsonl");
    Map<String, String> allowsNone = new TreeMap<>(settings(there));
    allowsNone.remove("import.allow");
    allowsNone.put("partitions", "2");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(allowsNone))) {
      ready(scheduler);
    }
    String[] replace = {"import", "--on-existing", "replace", file("again.jsonl")};
    ok(there, replace);
    CliRun unread = cli(there, replace);
    assertThat(unread.exitCode()).isEqualTo(1);
    assertThat(unread.err()).contains("Nothing was imported", "does not show yet", "job/0, job/1");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(allowsNone))) {
      ready(scheduler);
      await()
          .atMost(BOUND)
          .until(
              () ->
                  status(there).values().stream()
                      .filter(status -> status.getState() == State.REJECTED)
                      .count(),
              count -> count == EVERY_SECOND.size());
    }
    try (Waterclock scheduler = start(there)) {
      ready(scheduler);
      assertThat(ok(there, replace).out()).contains("imported 12 schedules (12 replaced");
      awaitFired(there, alive());
    }
    assertEachFiredOnce(here, there);
    assertAccounted(there);
  }

  @Test
  void nothing_is_reset_under_a_running_scheduler_and_an_export_says_that_it_runs()
      throws Exception {
    Topics topics = new Topics("busy");
    try (Waterclock scheduler = startWithTwoPartitions(topics)) {
      ready(scheduler);
      CliRun reset = cli(topics, "reset", "--yes", "--backup", file("busy.jsonl"));
      assertThat(reset.exitCode()).isEqualTo(1);
      assertThat(reset.err()).contains("Nothing was reset", "busy-scheduler", "127.0.0.1");
      CliRun export = ok(topics, "export");
      assertThat(export.err()).contains("the scheduler is running");
      assertThat(export.lines().get(0)).contains("\"running\":true");
    }
  }

  @Test
  void what_waits_for_the_schema_registry_is_neither_exported_without_a_word_nor_reset()
      throws Exception {
    Topics topics = new Topics("waits");
    Map<String, String> settings = new TreeMap<>(settings(topics));
    settings.put("partitions", "1");
    settings.put("schema.registry.url", "http://127.0.0.1:1");
    try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
      ready(scheduler);
      writeBytes(topics, "job/1", new byte[] {0, 0, 0, 0, 7, 1});
      await()
          .atMost(BOUND)
          .until(
              () -> scheduler.metrics().scrape(),
              text -> text.contains("waterclock_held_records{partition=\"0\"} 1.0"));
    }
    for (CliRun refused :
        List.of(
            cli(topics, "export", "--output", file("waits-1.jsonl")),
            cli(topics, "reset", "--yes", "--backup", file("waits-2.jsonl")))) {
      assertThat(refused.exitCode()).as(refused.out()).isEqualTo(1);
      assertThat(refused.err()).contains("1 records of partition 0 wait for the schema registry");
    }
    try (Admin admin = admin()) {
      assertThat(admin.listTopics().names().get())
          .containsAll(StateCopy.changelogs("waits-scheduler"));
    }
  }

  @Test
  @Tag("all")
  void a_rejected_record_is_not_taken_for_a_definition_in_force_that_the_topics_have_lost()
      throws Exception {
    Topics topics = new Topics("unknown");
    try (Waterclock scheduler = startWithTwoPartitions(topics)) {
      defineAndWait(scheduler, topics);
      write(topics, "job/1", "{\"every\":\"5s\",\"except\":[\"nowhere\"]}");
      writeBytes(topics, "job/2", withoutInstant());
      await()
          .atMost(BOUND)
          .until(
              () ->
                  Stream.of("job/1", "job/2")
                      .allMatch(id -> status(topics).get(id).getRejectedRevision() != null));
    }
    forgetRevisions(topics);

    CliRun export = cli(topics, "export", "--from-topics", "--output", file("unknown.jsonl"));
    assertThat(export.exitCode()).as(export.err()).isEqualTo(1);
    assertThat(export.err())
        .contains("job/1 is missing: its definition in force is unknown", "job/2 is missing")
        .contains("exported 10 schedules", "Write a valid definition")
        .doesNotContain("Exception");
    assertThat(ExportFile.check(Path.of(file("unknown.jsonl")), Set.of()).ids())
        .isEqualTo(alive("job/1", "job/2"));

    String[] reset = {"reset", "--from-topics", "--yes", "--backup", file("unknown-2.jsonl")};
    CliRun refused = cli(topics, reset);
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
    assertThat(refused.err())
        .contains("Nothing was reset", "of 2 schedules", "  job/1: ", "  job/2: ")
        .contains("Write a valid definition")
        .doesNotContain("Exception");
    assertThat(Path.of(file("unknown-2.jsonl"))).doesNotExist();
    try (Admin admin = admin()) {
      assertThat(admin.listTopics().names().get())
          .containsAll(StateCopy.changelogs("unknown-scheduler"));
    }

    write(topics, "job/1", TICKING);
    write(topics, "job/2", null);
    assertThat(ok(topics, reset).err())
        .contains("1 schedules from their newest records", ": job/1");
    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
      awaitFired(topics, alive("job/2"));
    }
    assertThat(fires(topics)).extracting(Fire::getFireId).doesNotHaveDuplicates();
  }

  /** As the topic does after 30 days. */
  private static void forgetRevisions(Topics topics) throws Exception {
    try (Admin admin = admin()) {
      admin
          .deleteRecords(
              Cluster.at(kafka.bootstrapServers(), topics).partitions(topics.revisions()).stream()
                  .collect(
                      Collectors.toMap(
                          partition -> partition, partition -> RecordsToDelete.beforeOffset(-1))))
          .all()
          .get();
    }
  }

  private static byte[] withoutInstant() {
    Schedule empty = Schedule.newBuilder().setTrigger(new OnceTrigger(null, null)).build();
    return RecordCodecs.schedule().encode(empty, WireFormat.AVRO);
  }

  private static Waterclock startWithTwoPartitions(Topics topics) {
    Map<String, String> settings = new TreeMap<>(settings(topics));
    settings.put("partitions", "2");
    return Waterclock.start(WaterclockConfig.parse(settings));
  }

  /** Payloads may be confidential. */
  @Test
  @Tag("all")
  void an_export_is_readable_by_its_owner_alone() throws Exception {
    Topics topics = new Topics("modes");
    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
    }
    ok(topics, "export", "--output", file("modes.jsonl"));
    assertThat(Files.getPosixFilePermissions(Path.of(file("modes.jsonl"))))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void an_export_that_is_not_written_whole_is_a_failure() {
    Topics topics = new Topics("full");
    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
    }
    CliRun run = CliRun.onFullDisk("", onTopics(topics, "export"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("not written whole").doesNotContain("exported");
  }

  private static void ready(Waterclock scheduler) {
    await().atMost(BOUND).until(scheduler::isReady);
  }

  private void exportAfterSomeFires(Topics topics, String name) throws Exception {
    try (Waterclock scheduler = startWithTwoPartitions(topics)) {
      defineAndWait(scheduler, topics);
    }
    ok(topics, "export", "--output", file(name));
  }

  private static void defineAndWait(Waterclock scheduler, Topics topics) throws Exception {
    ready(scheduler);
    for (String id : EVERY_SECOND) {
      write(topics, id, TICKING);
    }
    awaitFired(topics, alive());
  }

  private static Set<String> alive(String... changes) {
    Set<String> ids = new TreeSet<>(EVERY_SECOND);
    for (String id : changes) {
      if (!ids.remove(id)) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** Waits until each has fired an occurrence that is not older than this call. */
  private static void awaitFired(Topics topics, Set<String> ids) throws Exception {
    Instant since = Instant.now();
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(
                        fires(topics).stream()
                            .filter(fire -> fire.getOccurrence().isAfter(since))
                            .map(Fire::getScheduleId)
                            .collect(Collectors.toSet()))
                    .containsAll(ids));
  }

  private static Instant lastFired(Topics topics, String id) {
    return fires(topics).stream()
        .filter(fire -> fire.getScheduleId().equals(id))
        .map(Fire::getOccurrence)
        .max(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private static Map<String, List<Instant>> occurrences(Topics topics) {
    return fires(topics).stream()
        .collect(
            Collectors.groupingBy(
                Fire::getScheduleId,
                Collectors.mapping(Fire::getOccurrence, Collectors.toCollection(ArrayList::new))));
  }

  /** Each occurrence from the first one on, by one of the two. */
  private static void assertEachFiredOnce(Topics first, Topics second) {
    Map<String, List<Instant>> fired = occurrences(first);
    occurrences(second)
        .forEach((id, more) -> fired.computeIfAbsent(id, key -> new ArrayList<>()).addAll(more));
    assertThat(fired).hasSize(EVERY_SECOND.size());
    fired.forEach(
        (id, all) ->
            assertThat(all)
                .as(id)
                .isEqualTo(
                    Stream.iterate(all.get(0), at -> at.plusSeconds(1))
                        .limit(all.size())
                        .toList()));
  }

  private static void assertAccounted(Topics topics) {
    CliRun audit = cli(topics, "audit");
    assertThat(audit.exitCode()).as(audit.out() + audit.err()).isZero();
    assertThat(audit.out()).endsWith("nothing is missing or double\n");
    assertThat(fires(topics)).extracting(Fire::getFireId).doesNotHaveDuplicates();
  }

  private static void refuseNothing(Topics topics) {
    try (Waterclock scheduler = start(topics)) {
      ready(scheduler);
    }
  }

  /** The message of a start that fails. */
  private static String refusal(Topics topics) {
    TopicException refused =
        catchThrowableOfType(TopicException.class, () -> start(topics).close());
    assertThat(refused).isNotNull();
    return String.valueOf(refused.getMessage());
  }

  /** Runs the command that a refusal names, and then again with --yes. */
  private static void follow(String refusal, Topics topics, String backup) {
    String command = refusal.substring(refusal.indexOf("run waterclock ") + 15);
    List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
    words.addAll(List.of("--backup", file(backup)));
    CliRun asked =
        await() // an instance that has failed is a member until its session ends
            .atMost(BOUND)
            .until(() -> CliRun.of(words.toArray(String[]::new)), run -> run.exitCode() == 0);
    assertThat(asked.out()).contains("--yes carries out").contains(topics.schedules());
    assertThat(Path.of(file(backup))).doesNotExist();
    words.add("--yes");
    CliRun done = CliRun.of(words.toArray(String[]::new));
    assertThat(done.exitCode()).as(done.out() + done.err()).isZero();
    assertThat(Path.of(file(backup))).exists();
  }

  private static Waterclock start(Topics topics) {
    return Waterclock.start(WaterclockConfig.parse(settings(topics)));
  }

  private static Map<String, String> settings(Topics topics) {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "prefix", topics.prefix(),
        "state.dir", dir.resolve(topics.prefix()).toString(),
        "health.port", "off",
        "import.allow", "*",
        "watermark.interval", "500ms",
        "main.consumer.session.timeout.ms", "1500",
        "main.consumer.heartbeat.interval.ms", "300",
        "main.consumer.metadata.max.age.ms", "3000",
        "producer.transaction.timeout.ms", "2000");
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private static String file(String name) {
    return dir.resolve(name).toString();
  }

  private static CliRun cli(Topics topics, String... args) {
    return CliRun.today(onTopics(topics, args));
  }

  private static String[] onTopics(Topics topics, String... args) {
    return Stream.concat(
            Stream.of(args),
            Stream.of("--bootstrap-server", kafka.bootstrapServers(), "--prefix", topics.prefix()))
        .toArray(String[]::new);
  }

  private static CliRun ok(Topics topics, String... args) {
    CliRun run = cli(topics, args);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run;
  }

  private static void write(Topics topics, String id, @Nullable String json) {
    writeBytes(topics, id, json == null ? null : bytes(json));
  }

  private static void writeBytes(Topics topics, String id, byte @Nullable [] value) {
    RecordWriter.write(
        Cluster.at(kafka.bootstrapServers(), topics),
        new ProducerRecord<>(topics.schedules(), bytes(id), value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static List<Fire> fires(Topics topics) {
    Cluster cluster = Cluster.at(kafka.bootstrapServers(), topics);
    List<Fire> fires = new ArrayList<>();
    cluster
        .reader()
        .toEnd(
            cluster.partitions(topics.fires()),
            record -> fires.add(RecordCodecs.fire().decode(record.value())));
    return fires;
  }

  private static String note(Topics topics, String id) {
    return Optional.ofNullable(status(topics).get(id))
        .map(ScheduleStatus::getPause)
        .map(CommandedPause::getNote)
        .orElse("not paused");
  }

  private static Map<String, ScheduleStatus> status(Topics topics) {
    Cluster cluster = Cluster.at(kafka.bootstrapServers(), topics);
    Map<String, ScheduleStatus> status = new TreeMap<>();
    cluster
        .reader()
        .toEnd(
            cluster.partitions(topics.status()),
            record -> {
              String id = new String(record.key(), UTF_8);
              if (record.value() == null) {
                status.remove(id);
              } else {
                status.put(id, RecordCodecs.status().decode(record.value()));
              }
              return true;
            });
    return status;
  }
}
