package io.waterclock.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.RunProcess;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaSecurity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rights in docs/rights.md suffice on a broker with TLS, SASL/SCRAM and ACLs. The scheduler
 * needs each right that the page lists for it, and names one that is missing.
 */
@Timeout(600)
@Tag("all")
final class RightsTest {
  private static final Path EXAMPLE = Path.of("..", "deploy", "secured.properties");
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final String SCHEDULER = "scheduler";

  @TempDir static Path dir;
  private static KafkaSecurity security;
  private static EmbeddedKafka kafka;
  private static Admin admin;

  /** The topics of a scheduler that has run; some tests delete some of them. */
  private static List<String> created;

  @BeforeAll
  static void a_scheduler_has_run_with_the_rights_that_are_listed() throws Exception {
    security =
        KafkaSecurity.in(dir.resolve("security"))
            .superUser("admin", "admin-secret")
            .user(SCHEDULER, "change-me")
            .user("producer", "change-me")
            .user("worker", "change-me")
            .user("operator", "change-me")
            .user("literal", "change-me")
            .user("literal-operator", "change-me");
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, security);
    admin = Admin.create(security.client(kafka.bootstrapServers(), "admin"));
    grant(SCHEDULER, "The scheduler");
    grant("producer", "A producer of schedules");
    grant("worker", "A worker");
    grant("operator", "An operator");
    try (Waterclock scheduler = scheduler()) {
      assertThat(operator("put rights/heartbeat --every 1s").err()).isEmpty();
      assertThat(operator("calendar put closed --file CALENDAR").err()).isEmpty();
      assertThat(scheduler.isReady()).isTrue();
    }
    created =
        admin.listTopics().names().get().stream()
            .filter(name -> name.startsWith("waterclock"))
            .toList();
  }

  @AfterAll
  static void stopBroker() {
    admin.close();
    kafka.close();
  }

  static List<DocumentedRight> rightsOfTheScheduler() throws IOException {
    return DocumentedRight.of("The scheduler");
  }

  @Test
  void a_scheduler_without_a_right_does_not_start_and_names_it() throws Exception {
    refuse(
        rightsOfTheScheduler().stream()
            .filter(right -> right.kafkaOperation() != AclOperation.CREATE)
            .findFirst()
            .orElseThrow());
  }

  @ParameterizedTest
  @MethodSource("rightsOfTheScheduler")
  void a_scheduler_without_one_of_its_rights_does_not_start_and_names_it(DocumentedRight right)
      throws Exception {
    refuse(right);
  }

  private static void refuse(DocumentedRight right) throws Exception {
    if (right.kafkaOperation() == AclOperation.CREATE) {
      delete(right.name().endsWith(".") ? right.name() + "answers" : changelog(right.name()));
    }
    without(
        right.allowing(SCHEDULER),
        () -> {
          CliRun run = CliRun.today("run", "--config", config().toString());
          assertThat(run.err().strip()).isEqualTo(right.sentence(SCHEDULER, servers()));
          assertThat(run.exitCode()).isEqualTo(1);
        });
  }

  @Test
  void what_is_created_at_a_start_is_created_again() throws Exception {
    try (Waterclock scheduler = scheduler()) {
      assertThat(scheduler.isReady()).isTrue();
      assertThat(admin.listTopics().names().get())
          .contains("waterclock.answers", changelog("waterclock-scheduler-"));
    }
  }

  @Test
  void a_scheduler_that_loses_the_right_to_fire_ends_and_names_it() throws Exception {
    lose("Write", "waterclock.fires");
  }

  @ParameterizedTest
  @CsvSource({"Read, waterclock.commands", "Read, waterclock-scheduler"})
  void a_scheduler_that_loses_a_right_ends_and_names_it(String operation, String name)
      throws Exception {
    lose(operation, name);
  }

  private static void lose(String operation, String name) throws Exception {
    DocumentedRight right =
        rightsOfTheScheduler().stream()
            .filter(one -> one.operation().equals(operation) && one.name().equals(name))
            .findFirst()
            .orElseThrow();
    try (RunProcess process = RunProcess.start(dir, "--config", config().toString())) {
      process.awaitReady();
      without(right.allowing(SCHEDULER), () -> assertThat(process.awaitExit()).isEqualTo(1));
      assertThat(process.lines())
          .as("a stack trace is a bug")
          .noneMatch(line -> line.startsWith("\tat "))
          .endsWith(right.sentence(SCHEDULER, servers()));
    }
  }

  @Test
  void producers_workers_and_operators_need_what_is_listed_and_no_more() throws Exception {
    ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    try (Waterclock scheduler = scheduler();
        Schedules schedules = Schedules.builder(servers()).kafka(client("producer")).build();
        FireWorker worker =
            FireWorker.builder(servers(), "reports")
                .kafka(client("worker"))
                .onAny(run -> done.add(run.fire().getScheduleId()))
                .start()) {
      Answer answer =
          schedules
              .put("rights/producer", ScheduleBuilder.every("1s"))
              .get(BOUND.toSeconds(), TimeUnit.SECONDS);
      assertThat(answer).isInstanceOf(Answer.Accepted.class);
      await().atMost(BOUND).until(() -> done.contains("rights/producer"));
      assertThat(worker.failure()).isEmpty();
      assertThat(scheduler.isReady()).isTrue();
      operatorsDay();
    }
  }

  /** As the page says: instead of an ACL for the beginning of topic names, one for each topic. */
  @Test
  void an_ACL_for_each_topic_suffices_too() throws Exception {
    List<String> topics =
        created.stream().map(name -> name.replaceFirst("waterclock", "literal")).toList();
    for (Map.Entry<String, String> user :
        Map.of("literal", "The scheduler", "literal-operator", "An operator").entrySet()) {
      List<AclBinding> acls =
          DocumentedRight.of(user.getValue()).stream()
              .map(right -> right.of(name -> name.replaceFirst("waterclock", "literal")))
              .flatMap(right -> right.onEach(topics))
              .map(right -> right.allowing(user.getKey()))
              .distinct()
              .toList();
      assertThat(acls)
          .filteredOn(acl -> acl.pattern().patternType() == PatternType.PREFIXED)
          .allMatch(acl -> acl.pattern().resourceType() == ResourceType.TRANSACTIONAL_ID);
      allow(acls);
    }
    Path own = dir.resolve("literal.properties");
    Files.writeString(
        own,
        Files.readString(config()).replace("\"scheduler\"", "\"literal\"")
            + "\nprefix=literal\nstate.dir="
            + dir.resolve("literal")
            + "\n");
    try (Waterclock scheduler = scheduler(own)) {
      CliRun put = as("literal-operator", "put rights/literal --every 1s --prefix literal");
      assertThat(put.out()).as(put.err()).contains("rights/literal accepted");
      await()
          .atMost(BOUND)
          .until(() -> !as("literal-operator", "fires --prefix literal").lines().isEmpty());
      for (String command : List.of("list", "doctor", "audit", "history rights/literal")) {
        CliRun run = as("literal-operator", command + " --prefix literal");
        assertThat(run.exitCode()).as(command + ": " + run.err() + run.out()).isZero();
      }
      assertThat(scheduler.isReady()).isTrue();
    }
  }

  private static void operatorsDay() throws IOException {
    for (String command :
        List.of(
            "put rights/operator --every 1h",
            "list",
            "get rights/operator",
            "trigger rights/operator",
            "pause rights/operator",
            "history rights/operator",
            "calendar put open --file CALENDAR",
            "calendar list",
            "fires",
            "doctor",
            "audit",
            "export --output " + dir.resolve("export.jsonl"),
            "delete rights/producer",
            "delete rights/operator")) {
      CliRun run = operator(command);
      assertThat(run.exitCode()).as(command + ": " + run.err() + run.out()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "put a --every 1h, Write, waterclock.schedules, topic, waterclock.schedules",
    "list, Read, waterclock., topic, waterclock.revisions",
    "doctor, Read, waterclock., topics that begin with, waterclock.",
    "doctor, DescribeConfigs, waterclock., topics that begin with, waterclock.",
    "export, Describe, waterclock-scheduler, group, waterclock-scheduler",
  })
  void a_command_without_a_right_names_it(
      String command, String operation, String name, String on, String named) throws Exception {
    withhold(command, operation, name, on, named);
  }

  @ParameterizedTest
  @CsvSource({
    "delete a, Write, waterclock.schedules, topic, waterclock.schedules",
    "pause a, Write, waterclock.commands, topic, waterclock.commands",
    "calendar put a --file CALENDAR, Write, waterclock.calendars, topic, waterclock.calendars",
    "put a --every 1h, Read, waterclock., topic, waterclock.answers",
    "fires, Read, waterclock., topic, waterclock.fires",
    "get a, Read, waterclock., topic, waterclock.revisions",
    "history a, Read, waterclock., topic, waterclock.revisions",
    "audit, Read, waterclock., topic, waterclock.revisions",
    "calendar list, Read, waterclock., topic, waterclock.calendars",
    "export, Read, waterclock-scheduler-, topic, waterclock-scheduler-schedules-changelog",
  })
  void a_command_without_its_right_names_it(
      String command, String operation, String name, String on, String named) throws Exception {
    withhold(command, operation, name, on, named);
  }

  @Test
  void a_redrive_without_its_right_names_it_and_does_not_say_that_nothing_matches()
      throws Exception {
    CliRun run = operator("dlq redrive --all --yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            new DocumentedRight("Write", "transactional id", "waterclock.redrive")
                .sentence("operator", servers()))
        .doesNotContain("no dead letter matches");
    assertThat(run.out()).isEmpty();
  }

  private static void withhold(
      String command, String operation, String name, String on, String named) throws Exception {
    DocumentedRight taken =
        DocumentedRight.of("An operator").stream()
            .filter(one -> one.operation().equals(operation) && one.name().equals(name))
            .findFirst()
            .orElseThrow();
    without(
        taken.allowing("operator"),
        () -> {
          CliRun run = operator(command);
          assertThat(run.err() + run.out())
              .contains(
                  new DocumentedRight(operation, on, named)
                      .sentence("operator", servers())
                      .substring("waterclock: ".length()));
          assertThat(run.exitCode()).isEqualTo(1);
        });
  }

  @Test
  void a_wrong_password_is_reported_with_the_setting() throws IOException {
    Path wrong = dir.resolve("wrong.properties");
    Files.writeString(wrong, Files.readString(config()).replace("change-me", "guessed"));
    CliRun run = CliRun.today("run", "--config", wrong.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().strip())
        .doesNotContain("\n")
        .contains("invalid credentials", "sasl.jaas.config");
  }

  private static CliRun operator(String command) throws IOException {
    return as("operator", command);
  }

  private static CliRun as(String user, String command) throws IOException {
    Path settings = dir.resolve(user + ".properties");
    Files.writeString(
        settings, Files.readString(config()).replace("\"scheduler\"", "\"" + user + "\""));
    List<String> args =
        new ArrayList<>(List.of(command.replace("CALENDAR", calendar()).split(" ")));
    args.addAll(List.of("--bootstrap-server", servers(), "--command-config", settings.toString()));
    return CliRun.today(args.toArray(String[]::new));
  }

  private static String calendar() throws IOException {
    return Files.writeString(dir.resolve("calendar.json"), "{\"dates\":[\"2026-12-25\"]}")
        .toString();
  }

  /** The example that is documented, for this broker. */
  private static Path config() {
    try {
      Path file = dir.resolve("scheduler.properties");
      String example = Files.readString(EXAMPLE);
      assertThat(example).contains("kafka:9093", "/etc/waterclock/kafka-ca.pem");
      Files.writeString(
          file,
          example
                  .replaceAll("(?m)^(bootstrap.servers=).*", "$1" + servers())
                  .replace("/etc/waterclock/kafka-ca.pem", security.certificate().toString())
              + "\nstate.dir="
              + dir.resolve("state")
              + "\npartitions=1\nhealth.port=0\ntargets.allow=orders.*\nlimits=true\n"
              + "producer.transaction.timeout.ms=3000\n");
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Waterclock scheduler() {
    return scheduler(config());
  }

  private static Waterclock scheduler(Path config) {
    Waterclock scheduler =
        Waterclock.start(
            WaterclockConfig.parse(ConfigSources.gather(Optional.of(config), Map.of(), Map.of())));
    await().atMost(BOUND).until(scheduler::isReady);
    return scheduler;
  }

  private static Map<String, Object> client(String user) {
    return new HashMap<>(security.client(servers(), user));
  }

  private static String servers() {
    return kafka.bootstrapServers();
  }

  private static String changelog(String prefix) {
    return prefix + "commands-changelog";
  }

  private static void grant(String user, String heading) throws Exception {
    List<DocumentedRight> rights = DocumentedRight.of(heading);
    assertThat(rights).isNotEmpty();
    allow(rights.stream().map(right -> right.allowing(user)).toList());
  }

  /** Returns when the broker has heard of them. */
  private static void allow(Collection<AclBinding> acls)
      throws ExecutionException, InterruptedException {
    admin.createAcls(acls).all().get();
    await().atMost(BOUND).until(() -> described().containsAll(acls));
  }

  private static Collection<AclBinding> described()
      throws ExecutionException, InterruptedException {
    return admin.describeAcls(AclBindingFilter.ANY).values().get();
  }

  @FunctionalInterface
  private interface Check {
    void run() throws Exception;
  }

  private static void without(AclBinding acl, Check check) throws Exception {
    admin.deleteAcls(List.of(acl.toFilter())).all().get();
    await().atMost(BOUND).until(() -> !described().contains(acl));
    try {
      check.run();
    } finally {
      allow(List.of(acl));
    }
  }

  private static void delete(String topic) throws ExecutionException, InterruptedException {
    if (admin.listTopics().names().get().contains(topic)) {
      admin.deleteTopics(List.of(topic)).all().get();
      await().atMost(BOUND).until(() -> !admin.listTopics().names().get().contains(topic));
    }
  }
}
