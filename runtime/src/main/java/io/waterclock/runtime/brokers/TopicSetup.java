package io.waterclock.runtime.brokers;

import io.waterclock.runtime.brokers.StartFinding.Kind;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * Creates the topics that are missing and verifies those that exist.
 *
 * <p>A topic without what the scheduler needs stops the start with one sentence, before anything is
 * created. A topic without what it only wants is one warning. The scheduler does not silently
 * change an operator's settings, and does not run on a topic that forgets schedules.
 */
public final class TopicSetup {
  private static final Logger LOG = SafeLogger.of(TopicSetup.class);

  /** What Kafka's brokers have unless they are configured otherwise. */
  static final int DEFAULT_MESSAGE_BYTES = 1_048_588;

  private static final Duration DEFAULT_TOMBSTONES_KEPT = Duration.ofDays(1);

  /**
   * The facts about the topics.
   *
   * @param partitions of the schedules topic
   * @param maxMessageBytes the least limit of the topics to which a definition is copied, existing
   *     changelogs included
   * @param maxStrayBytes the least limit of the topics through which a stray moves home
   * @param maxDeadLetterBytes the limit of the dead-letter topic
   * @param tombstonesKept how long the schedules and the calendars topic keep a tombstone at least
   * @param stateMaxAge inclusive: how old state on disk may be, since the changelogs keep a
   *     tombstone for twice as long
   * @param topicId the id that Kafka gave the schedules topic
   */
  public record Found(
      int partitions,
      int maxMessageBytes,
      int maxStrayBytes,
      int maxDeadLetterBytes,
      Duration tombstonesKept,
      Duration stateMaxAge,
      String topicId) {}

  private final Admin admin;
  private final TopicAdmin topics;
  private final WaterclockConfig config;
  private final BrokerAnswers answers;
  private final TopicCheck check;

  /**
   * @param client the settings of {@code admin}
   */
  public TopicSetup(Admin admin, Map<String, Object> client, WaterclockConfig config) {
    this.admin = admin;
    this.topics = new TopicAdmin(admin, client, config);
    this.config = config;
    this.answers = new BrokerAnswers(client);
    this.check = new TopicCheck(topics, config);
  }

  /**
   * Sets up the topics with a new client before a scheduler starts.
   *
   * @throws TopicException if the brokers are too old, a topic is wrong, the cluster refuses to
   *     create one, or does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public static Found run(Map<String, Object> client, WaterclockConfig config) {
    return new BrokerAnswers(client).ask(admin -> new TopicSetup(admin, client, config).run());
  }

  /**
   * What a start would find about brokers and topics. Creates nothing.
   *
   * @throws TopicException if the cluster does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public static List<StartFinding> preflight(Map<String, Object> client, WaterclockConfig config) {
    return new BrokerAnswers(client)
        .ask(admin -> new TopicSetup(admin, client, config).preflight());
  }

  /**
   * The topics of a scheduler with the settings that it gives them, its changelogs included, as a
   * cluster without any of them gets them.
   */
  public static List<NewTopic> toCreate(WaterclockConfig config) {
    int partitions = config.partitions().orElse(WaterclockConfig.DEFAULT_PARTITIONS);
    return required(config).stream()
        .map(spec -> spec.toCreate(partitions, config, spec.settings(config.accepted())))
        .toList();
  }

  /** The settings with which Kafka Streams creates the changelogs, beside its own. */
  public static Map<String, String> changelogSettings(WaterclockConfig config) {
    return TopicSpec.changelogs(config).get(0).settings(config.accepted());
  }

  private static List<TopicSpec> required(WaterclockConfig config) {
    return Stream.of(
            TopicSpec.all(config),
            TopicSpec.changelogs(config),
            TopicSpec.changelogOfLimiter(config))
        .flatMap(List::stream)
        .toList();
  }

  /** The topics at one moment, with their settings where they exist. */
  private record Survey(
      Map<String, TopicDescription> existing, Map<String, Map<String, String>> settings) {}

  private Survey survey(List<TopicSpec> ours) {
    Map<String, TopicDescription> existing =
        topics.describe(
            Stream.concat(ours.stream(), TopicSpec.ofOthers(config.topics()).stream())
                .map(TopicSpec::name)
                .toList());
    return new Survey(existing, topics.settings(existing.keySet()));
  }

  /**
   * @throws TopicException if the brokers are too old, a topic is wrong, the cluster refuses to
   *     create one, or does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public Found run() {
    StartFinding.refuse(ofBrokers());
    return BrokerAnswers.retry(this::tryOnce)
        .orElseThrow(
            () ->
                new TopicException(
                    ("the topics were created at %s but not all of them can be seen after %s"
                            + " s: check that this client may describe them")
                        .formatted(config.bootstrapServers(), BrokerAnswers.TIMEOUT_S)));
  }

  /**
   * Empty when this instance or another one has just created topics: brokers need a moment to see
   * them, and the topics of another instance must be verified.
   */
  private Optional<Found> tryOnce() {
    try {
      Survey survey = survey(required(config));
      List<StartFinding> findings = ofExisting(survey);
      StartFinding.refuse(findings);
      StartFinding.refuse(ofCreation(survey));
      List<TopicSpec> missing = missing(TopicSpec.all(config), survey);
      if (!missing.isEmpty()) {
        topics.create(
            missing.stream()
                .map(
                    spec ->
                        spec.toCreate(partitions(survey), config, spec.settings(config.accepted())))
                .toList());
        return Optional.empty();
      }
      log(findings);
      return Optional.of(found(survey));
    } catch (UnknownTopicOrPartitionException e) { // a broker does not see a new topic yet
      return Optional.empty();
    }
  }

  /**
   * What is wrong with the topics, or not as the scheduler wants it. Leaves its changelogs out, and
   * creates nothing.
   *
   * @throws TopicException if the cluster does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public List<StartFinding> findings() {
    Survey survey = survey(TopicSpec.all(config));
    topics.requireSeen(
        missing(TopicSpec.all(config), survey).stream().map(TopicSpec::name).toList());
    return ofTopics(survey);
  }

  private List<StartFinding> ofTopics(Survey survey) {
    return Stream.concat(
            missing(TopicSpec.all(config), survey).stream()
                .map(spec -> "topic " + spec.name() + " is missing; the scheduler creates it")
                .map(text -> new StartFinding(Kind.MISSING, text)),
            ofExisting(survey).stream())
        .toList();
  }

  private List<StartFinding> preflight() {
    List<StartFinding> findings = new ArrayList<>(ofBrokers());
    Survey survey = survey(required(config));
    findings.addAll(ofTopics(survey));
    findings.addAll(ofCreation(survey));
    return findings;
  }

  private List<StartFinding> ofBrokers() {
    return BrokerVersion.tooOld(admin, answers).stream().toList();
  }

  private List<StartFinding> ofExisting(Survey survey) {
    List<StartFinding> findings =
        check.ofPartitions(TopicSpec.all(config), survey.existing(), partitions(survey));
    findings.addAll(
        check.ofSettings(
            Stream.concat(required(config).stream(), TopicSpec.ofOthers(config.topics()).stream())
                .toList(),
            survey.settings()));
    return findings;
  }

  /** Changelogs are checked, too: Kafka Streams would fail when the topics are there already. */
  private List<StartFinding> ofCreation(Survey survey) {
    List<TopicSpec> missing = missing(required(config), survey);
    return missing.isEmpty()
        ? List.of()
        : new CreationCheck(topics, config, partitions(survey)).findings(missing);
  }

  private static List<TopicSpec> missing(List<TopicSpec> specs, Survey survey) {
    return specs.stream().filter(spec -> !survey.existing().containsKey(spec.name())).toList();
  }

  private static void log(List<StartFinding> findings) {
    findings.stream()
        .filter(finding -> finding.kind() == Kind.WANTED)
        .forEach(finding -> LOG.warn("A setting of topics is not as wanted: {}", finding.text()));
    String accepted =
        findings.stream()
            .filter(finding -> finding.kind() == Kind.ACCEPTED)
            .map(StartFinding::text)
            .collect(Collectors.joining("; "));
    if (!accepted.isEmpty()) {
      LOG.info("topics.accept accepts the settings of topics: {}", accepted);
    }
  }

  /** The number that the schedules topic has, or gets when it is created. */
  private int partitions(Survey survey) {
    return Optional.ofNullable(survey.existing().get(config.topics().schedules()))
        .map(schedules -> schedules.partitions().size())
        .orElseGet(() -> config.partitions().orElse(WaterclockConfig.DEFAULT_PARTITIONS));
  }

  private Found found(Survey survey) {
    Topics names = config.topics();
    List<String> changelogs =
        StateCopy.changelogs(config.applicationId()).stream()
            .filter(survey.settings()::containsKey)
            .toList();
    return new Found(
        partitions(survey),
        leastMessageBytes(
            survey,
            Stream.of(
                    changelogs.stream(),
                    Stream.of(names.schedules(), names.fires(), names.revisions()),
                    Stream.concat(
                        Stream.of(names.waiting()).filter(name -> config.limits()),
                        TopicSpec.changelogOfLimiter(config).stream()
                            .map(TopicSpec::name)
                            .filter(survey.settings()::containsKey)))
                .flatMap(Function.identity())
                .toList()),
        leastMessageBytes(survey, List.of(names.schedules(), names.outcomes(), names.strays())),
        leastMessageBytes(survey, List.of(names.dlq())),
        leastTombstonesKept(survey, List.of(names.schedules(), names.calendars())),
        stateMaxAge(survey, changelogs),
        Objects.requireNonNull(survey.existing().get(names.schedules())).topicId().toString());
  }

  /** A changelog that does not exist yet gets the setting, or Kafka's default. */
  private Duration stateMaxAge(Survey survey, List<String> changelogs) {
    Duration kept =
        changelogs.isEmpty()
            ? listed(changelogSettings(config), TopicConfig.DELETE_RETENTION_MS_CONFIG)
                .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
                .orElse(DEFAULT_TOMBSTONES_KEPT)
            : leastTombstonesKept(survey, changelogs);
    Duration usable = StateAge.usable(kept);
    return usable.compareTo(config.stateMaxAge()) < 0 ? usable : config.stateMaxAge();
  }

  /** An existing changelog keeps the limit of its creation. */
  private static int leastMessageBytes(Survey survey, Collection<String> names) {
    return names.stream()
        .map(name -> survey.settings().getOrDefault(name, Map.of()))
        .mapToInt(
            settings ->
                listed(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
                    .map(Integer::parseInt)
                    .orElse(DEFAULT_MESSAGE_BYTES))
        .min()
        .orElseThrow();
  }

  private static Duration leastTombstonesKept(Survey survey, Collection<String> names) {
    return names.stream()
        .map(name -> survey.settings().getOrDefault(name, Map.of()))
        .map(
            settings ->
                listed(settings, TopicConfig.DELETE_RETENTION_MS_CONFIG)
                    .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
                    .orElse(DEFAULT_TOMBSTONES_KEPT))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static Optional<String> listed(Map<String, String> settings, String key) {
    return Optional.ofNullable(settings.get(key));
  }
}
