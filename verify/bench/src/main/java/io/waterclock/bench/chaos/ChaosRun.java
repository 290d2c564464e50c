package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.ChaosReport.LaterResult;
import io.waterclock.bench.chaos.ChaosReport.LimitResult;
import io.waterclock.bench.chaos.cluster.Brokers;
import io.waterclock.bench.chaos.cluster.EffectDatabase;
import io.waterclock.bench.chaos.cluster.EffectWorker;
import io.waterclock.bench.chaos.cluster.RegistryServer;
import io.waterclock.bench.chaos.cluster.SchedulerNode;
import io.waterclock.bench.chaos.cluster.TopicFaults;
import io.waterclock.bench.chaos.cluster.Victims;
import io.waterclock.bench.chaos.load.LaterLoad;
import io.waterclock.bench.chaos.load.LimitedLoad;
import io.waterclock.bench.chaos.load.Load;
import io.waterclock.bench.chaos.plan.FaultPlan;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Directory;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Progress;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.judge.Entry;
import io.waterclock.judge.Finding;
import io.waterclock.judge.Health;
import io.waterclock.judge.History;
import io.waterclock.judge.Judge;
import io.waterclock.judge.Terms;
import io.waterclock.judge.Verdict;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.judge.limits.LimitHistory;
import io.waterclock.judge.limits.LimitJudge;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.RegistrySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A run: start, break, heal, wait, judge. It breaks what it can while schedules fire and change,
 * and has the judge decide whether a fire was lost, doubled or early.
 *
 * <pre>
 * seed -> plan.FaultPlan -------> FaultRunner -> cluster (brokers, proxies, schedulers)
 *      -> load.Load -------> topics -> the schedulers -> topics
 *                               |                          |
 *                               +------> TopicLog <--------+--> Comebacks (time to the first fire)
 *                                          |
 *                                    verify/judge, and the command audit
 *                                          |
 *                                     ChaosReport
 * </pre>
 */
final class ChaosRun {
  /** How many run. */
  static final int SCHEDULERS = 2;

  private static final String TARGET = "chaos.target";

  /** Of records that are delivered later. */
  private static final List<String> DELAYED = List.of("chaos.later", "chaos.moved");

  private static final String APPLICATION = "waterclock-scheduler";

  /** Sessions and transactions end soon, and yet not because a machine is busy. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "format", "json",
          "health.port", "off",
          "targets.allow", "chaos.*",
          "watermark.interval", "1s",
          "completed.retention", "20s",
          "watchdog.interval", "30s",
          "main.consumer.session.timeout.ms", "5000",
          "producer.transaction.timeout.ms", "6000",
          "reconnect.backoff.max.ms", "500",
          "http.read.timeout.ms", "2000");

  private static final Duration START_BOUND = Duration.ofMinutes(4);
  private static final Duration BACK_BOUND = Duration.ofMinutes(4);

  /** So long after a record is there the scheduler heeds it, faults of connections included. */
  private static final Duration READING = Duration.ofSeconds(12);

  /** Long enough to see that something waits beside room, after gates have opened. */
  private static final Duration CALM = Duration.ofSeconds(60);

  /** An account that reads nothing for so long has failed. */
  private static final Duration STANDSTILL = Duration.ofMinutes(2);

  /** More than any topic of a run ever has. */
  private static final int MOST_PARTITIONS = 1_000;

  private static final Duration SKEW = Duration.ofSeconds(6);

  /** Unlawful: what a fire stands for may be visible a moment later than the fire. */
  private static final Set<Finding.Kind> MAY_COME_YET =
      EnumSet.of(
          Finding.Kind.LOST,
          Finding.Kind.REVISION,
          Finding.Kind.COMMAND,
          Finding.Kind.ALERT,
          Finding.Kind.UNROUTED,
          Finding.Kind.EFFECT,
          Finding.Kind.INPUT,
          Finding.Kind.UNLAWFUL);

  private final FaultPlan plan;
  private final ChaosRequest request;
  private final Topics topics = Topics.ofDefault();
  private final Comebacks comebacks;
  private final Health limiting = new Health();

  ChaosRun(FaultPlan plan, ChaosRequest request) {
    this.plan = plan;
    this.request = request;
    this.comebacks = new Comebacks(request.partitions());
  }

  ChaosReport run(Optional<Path> place) {
    Instant begin = Await.now();
    try (Directory dir = Directory.of(place);
        RegistryServer registry = new RegistryServer();
        Brokers brokers =
            Brokers.start(dir.path(), request.brokers(), SCHEDULERS, request.transactions());
        TopicFaults topicFaults = new TopicFaults(brokers.bootstrapServers(), APPLICATION);
        EffectDatabase database = EffectDatabase.start(dir.path())) {
      Progress.say("brokers run at " + brokers.bootstrapServers() + ", data in " + dir.path());
      createTarget(brokers);
      List<SchedulerNode> schedulers = new ArrayList<>();
      try {
        startSchedulers(dir.path(), brokers, registry, schedulers);
        try (EffectWorker worker = EffectWorker.start(dir.path(), brokers, database)) {
          return measure(
              new Victims(brokers, schedulers, topicFaults, registry, database, worker),
              dir.lasting("evidence.txt"),
              begin);
        }
      } finally {
        schedulers.forEach(SchedulerNode::close);
      }
    }
  }

  private static SchemaSource schemas(String url) {
    return new RegistryClient(
            RegistrySettings.among(Map.of(RegistrySettings.URL, url)).orElseThrow())
        .kept(Duration.ofSeconds(1));
  }

  private boolean hasLater() {
    return request.previous().isEmpty();
  }

  /** By a clock that is wrong the limiter's records say nothing. */
  private boolean hasLimits() {
    return request.previous().isEmpty() && !plan.setsClocks();
  }

  private void createTarget(Brokers brokers) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.bootstrapServers()))) {
      Await.answer(
          "topics",
          admin
              .createTopics(
                  Stream.concat(Stream.of(TARGET), DELAYED.stream())
                      .map(topic -> new NewTopic(topic, Optional.of(2), Optional.empty()))
                      .toList())
              .all());
    }
  }

  private void startSchedulers(
      Path dir, Brokers brokers, RegistryServer registry, List<SchedulerNode> schedulers) {
    boolean hasDisk = plan.faults().stream().anyMatch(one -> one.kind().needsDisk());
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.put("partitions", Integer.toString(request.partitions()));
    settings.put(RegistrySettings.URL, registry.url());
    if (hasLimits()) {
      settings.put("limits", "true");
    }
    settings.put("metadata.max.age.ms", "3000"); // so soon a client learns of new partitions
    settings.put("num.stream.threads", Long.toString(1 + request.seed() / 2 % 2));
    settings.put("num.standby.replicas", Long.toString(request.seed() / 4 % 2));
    for (int number = 1; number <= SCHEDULERS; number++) {
      SchedulerNode node =
          SchedulerNode.start(
              dir,
              number,
              brokers,
              settings,
              SchedulerNode.Equipment.of(request.previous(), hasDisk));
      schedulers.add(node);
      Await.until("scheduler " + number + " is ready", START_BOUND, node::isReady);
    }
  }

  private ChaosReport measure(Victims victims, Path evidence, Instant begin) {
    String servers = victims.brokers().bootstrapServers();
    List<String> read =
        new ArrayList<>(
            List.of(
                topics.schedules(),
                topics.commands(),
                topics.outcomes(),
                topics.fires(),
                topics.missed(),
                topics.alerts(),
                topics.revisions(),
                TARGET));
    if (hasLimits()) {
      read.addAll(List.of(topics.waiting(), topics.limits()));
    }
    try (Load load =
            new Load(
                servers,
                topics,
                request.partitions(),
                request.seed() + 1,
                TARGET,
                victims.registry()::add,
                hasLimits(),
                hasLater() ? DELAYED : List.of());
        Worker worker = new Worker(load, request.seed() + 2);
        TopicLog log = new TopicLog(servers, read, this::json, entry -> arrived(entry, worker))) {
      load.writeCalendars();
      load.start();
      Await.until("every partition fires", START_BOUND, comebacks::haveAllFired);
      Progress.say("every partition fires; " + plan.faults().size() + " faults follow");
      FaultRunner runner =
          new FaultRunner(
              victims,
              () -> victims.topics().removeRead(List.of(topics.outcomes()), ends(log)),
              growing(),
              RequestFailure.of(request.transactions()),
              comebacks);
      runner.run(plan);
      Progress.say("all faults are healed");
      if (hasLimits()) {
        calmDown(victims, load);
      }
      load.end();
      Instant until = Await.now();
      settle(log, load, victims, until);
      Instant end = Await.now();
      victims.schedulers().forEach(SchedulerNode::terminate);
      AuditResult audit = AuditResult.of(servers, topics, schemas(victims.registry().url()));
      Set<String> confirmed = load.confirmed();
      catchUp(log, victims.topics()); // behind the audit, which reads up to a watermark
      History history = history(log, confirmed, victims);
      Verdict verdict = Judge.judge(sabotaged(history), terms(until));
      LimitResult limits = limits(log, end);
      writeEvidence(
          Stream.of(verdict.findings(), limits.findings()).flatMap(List::stream).toList(),
          log,
          evidence);
      return new ChaosReport(
          request,
          runner.made(),
          comebacks.times(),
          verdict,
          alerts(history),
          limits,
          later(servers, load, until, true),
          audit,
          AuditComparison.of(verdict.decided(), audit, ChaosRun::hasOtherJudge, until),
          victims.schedulers().stream().mapToInt(SchedulerNode::gaveUp).sum(),
          Duration.between(begin, Await.now()));
    }
  }

  /** A time without faults, in which whatever waits starts as soon as there is room. */
  private void calmDown(Victims victims, Load load) {
    for (SchedulerNode scheduler : victims.schedulers()) {
      Await.until("a scheduler is ready again", BACK_BOUND, scheduler::isReady);
    }
    limiting.decided(partitions(), Await.now().toEpochMilli());
    load.settleLimits();
    Await.pass(CALM);
  }

  private static Health always() {
    Health always = new Health();
    always.decided(partitions(), Long.MIN_VALUE / 2);
    return always;
  }

  private static Set<Integer> partitions() {
    return IntStream.range(0, MOST_PARTITIONS).boxed().collect(Collectors.toSet());
  }

  /** How many there are of each kind. */
  private static Map<String, Long> alerts(History history) {
    return history.alerts().stream()
        .map(entry -> entry.value().orElseThrow())
        .collect(
            Collectors.groupingBy(
                alert -> alert.getKind() + " " + alert.getExpectation(),
                TreeMap::new,
                Collectors.counting()));
  }

  /** What may have more partitions than schedules. */
  private List<String> growing() {
    return List.of(
        topics.fires(),
        topics.missed(),
        topics.alerts(),
        topics.answers(),
        topics.revisions(),
        topics.status(),
        topics.watermarks(),
        topics.dlq(),
        TARGET);
  }

  /** All write JSON but the worker, which reports in Avro. */
  private String json(String topic, byte[] value) {
    boolean isAvro =
        topic.equals(topics.outcomes())
            && WireFormat.detect(value).filter(WireFormat.AVRO::equals).isPresent();
    RecordCodec<Outcome> codec = RecordCodecs.outcome();
    byte[] json = isAvro ? codec.encode(codec.decode(value), WireFormat.JSON) : value;
    return new String(json, StandardCharsets.UTF_8);
  }

  private void arrived(Entry<String> entry, Worker worker) {
    if (entry.topic().equals(topics.fires())) {
      comebacks.fired(entry.partition(), entry.visibleMs());
      worker.take(entry);
    }
  }

  private static Map<TopicPartition, Long> ends(TopicLog log) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (String topic : log.topics()) {
      log.entries(topic)
          .forEach(
              entry ->
                  ends.merge(
                      new TopicPartition(topic, entry.partition()), entry.offset() + 1, Math::max));
    }
    return ends;
  }

  /** Judges again until nothing is missing that may come yet. */
  private void settle(TopicLog log, Load load, Victims victims, Instant until) {
    Instant deadline = until.plus(BACK_BOUND);
    while (true) {
      Await.pass(Duration.ofSeconds(3));
      Set<String> confirmed = load.confirmed(); // before the ends, which move on
      catchUp(log, victims.topics());
      Verdict verdict = Judge.judge(history(log, confirmed, victims), terms(until));
      LaterResult later = later(victims.brokers().bootstrapServers(), load, until, false);
      boolean isSettled = !verdict.hasAny(MAY_COME_YET) && later.findings().isEmpty();
      if (isSettled || Await.now().isAfter(deadline)) {
        return;
      }
      Progress.say(
          "not settled: "
              + verdict.counts()
              + "; "
              + Stream.concat(verdict.findings().stream(), later.findings().stream())
                  .findFirst()
                  .orElseThrow());
    }
  }

  private History sabotaged(History history) {
    return request
        .sabotage()
        .map(
            sabotage ->
                sabotage
                    .plantIn(history, request.seed())
                    .orElseThrow(() -> new BenchException("no place for the sabotage " + sabotage)))
        .orElse(history);
  }

  /** Returns when the log has what was there by now, however much that is. */
  private void catchUp(TopicLog log, TopicFaults topicFaults) {
    Map<TopicPartition, Long> ends = topicFaults.ends(log.partitions());
    for (long left = log.left(ends); left > 0; left = log.left(ends)) {
      long before = left;
      Await.until(
          "the account reads on, with " + left + " records left",
          STANDSTILL,
          Duration.ofMillis(200),
          () -> log.left(ends) < before);
    }
  }

  /** Everything that the topics say of the schedules with findings, in the order of its arrival. */
  private static void writeEvidence(List<Finding> findings, TopicLog log, Path file) {
    Set<String> ids =
        findings.stream().map(one -> subject(one.scheduleId())).collect(Collectors.toSet());
    List<String> lines =
        log.topics().stream()
            .flatMap(topic -> log.entries(topic).stream())
            .filter(
                entry ->
                    ids.contains(subject(entry.key()))
                        || entry.header(HeaderNames.LIMIT).filter(ids::contains).isPresent())
            .sorted(Comparator.comparingLong(Entry::visibleMs))
            .map(Entry::toString)
            .toList();
    if (lines.isEmpty()) {
      return;
    }
    try {
      Files.write(file, lines);
      Progress.say("what the topics say of them is in " + file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a fire key, or what names something else. */
  private static String subject(String key) {
    return key.split("\\|", 2)[0];
  }

  private LimitResult limits(TopicLog log, Instant end) {
    Map<String, List<Entry<String>>> all = log.entries();
    LimitHistory history =
        new LimitHistory(
            request.partitions(),
            all.getOrDefault(topics.waiting(), List.of()).stream()
                .map(entry -> entry.with(Optional.<byte[]>empty()))
                .toList(),
            all.getOrDefault(topics.limits(), List.of()),
            limited(decoded(all, topics.fires(), RecordCodecs.fire(), any -> null)),
            limited(decoded(all, topics.missed(), RecordCodecs.missed(), any -> null)),
            limited(decoded(all, topics.outcomes(), RecordCodecs.outcome(), any -> null)),
            limited(decoded(all, topics.alerts(), RecordCodecs.alert(), any -> null)),
            List.of()); // its schedules have no overlap and no expectations
    LimitHistory judged =
        request
            .limitSabotage()
            .map(
                sabotage ->
                    sabotage
                        .plantIn(history)
                        .orElseThrow(
                            () -> new BenchException("no place for the sabotage " + sabotage)))
            .orElse(history);
    return new LimitResult(
        judged.limits().size(),
        judged.waiting().size(),
        judged.fires().size(),
        LimitJudge.judge(judged, limiting, always(), READING.toMillis(), end.toEpochMilli()));
  }

  /** The records that were to be delivered later, and what their target has now. */
  private LaterResult later(String servers, Load load, Instant until, boolean isSabotaged) {
    DelayedRecords sent = load.delayed().orElseGet(DelayedRecords::new);
    List<Entry<byte[]>> arrived = new ArrayList<>();
    TopicReader reader = new TopicReader(() -> Clients.consumer(servers, Map.of()));
    for (String topic : DELAYED) {
      reader.each(reader.partitions(topic), record -> arrived.add(LaterLoad.arrived(record)));
    }
    reader.each(
        reader.partitions(topics.answers()),
        record -> {
          Answer answer = RecordCodecs.answer().decode(record.value());
          load.answered(
              answer.getCorrelationId(),
              answer.getVerdict(),
              record.timestamp() + terms(until).aheadMs());
        });
    request
        .laterSabotage()
        .filter(any -> isSabotaged)
        .filter(sabotage -> !sabotage.plantIn(arrived, sent))
        .ifPresent(
            sabotage -> {
              throw new BenchException("no place for the sabotage " + sabotage);
            });
    List<String> findings = sent.findings(arrived, List.of(), terms(until));
    return new LaterResult(sent.size(), sent.stopped(), sent.moved(), arrived.size(), findings);
  }

  private static boolean hasOtherJudge(String key) {
    return LimitedLoad.has(key) || LaterLoad.has(key);
  }

  private static <T> List<Entry<T>> limited(List<Entry<T>> entries) {
    return entries.stream().filter(entry -> LimitedLoad.has(entry.key())).toList();
  }

  /** Without the schedules that other judges judge. */
  private static <T> List<Entry<T>> others(List<Entry<T>> entries) {
    return entries.stream().filter(entry -> !hasOtherJudge(entry.key())).toList();
  }

  /** When something was decided counts as when it was written: the log sees it later. */
  private History history(TopicLog log, Set<String> confirmed, Victims victims) {
    Map<String, List<Entry<String>>> all = log.entries();
    return new History(
        request.partitions(),
        others(all.getOrDefault(topics.schedules(), List.of())),
        others(all.getOrDefault(topics.commands(), List.of())),
        others(decoded(all, topics.outcomes(), RecordCodecs.outcome(), Outcome::getStartedAt)),
        others(decoded(all, topics.fires(), RecordCodecs.fire(), Fire::getFiredAt)),
        others(decoded(all, topics.missed(), RecordCodecs.missed(), Missed::getDecidedAt)),
        decoded(all, topics.alerts(), RecordCodecs.alert(), Alert::getDecidedAt),
        others(decoded(all, topics.revisions(), RecordCodecs.revision(), Revision::getAcceptedAt)),
        List.of(),
        decoded(all, TARGET, RecordCodecs.fire(), Fire::getFiredAt),
        List.of(),
        List.of(),
        Optional.of(victims.database().effects()),
        victims.registry().log(),
        confirmed);
  }

  private static <T extends SpecificRecordBase> List<Entry<T>> decoded(
      Map<String, List<Entry<String>>> all,
      String topic,
      RecordCodec<T> codec,
      Function<T, @Nullable Instant> written) {
    return all.getOrDefault(topic, List.of()).stream()
        .filter(entry -> entry.value().isPresent())
        .map(
            entry -> {
              T value = codec.decode(entry.value().orElseThrow().getBytes(StandardCharsets.UTF_8));
              long writtenMs =
                  Optional.ofNullable(written.apply(value))
                      .map(Instant::toEpochMilli)
                      .orElse(entry.appendedMs());
              return entry.with(Optional.of(value)).at(writtenMs, entry.visibleMs());
            })
        .toList();
  }

  /**
   * A fault run does not see when each partition was decided, and reads in time what is written.
   */
  private Terms terms(Instant until) {
    Health always = always();
    Duration skew = plan.setsClocks() ? SKEW : Duration.ZERO;
    return new Terms(
        new Health(),
        always,
        new Terms.Consumers(always, new Health(), List.of(), false, fire -> false),
        new Terms.Patience(READING.toMillis(), READING.toMillis(), READING.plus(skew).toMillis()),
        until.toEpochMilli(),
        until.plus(BACK_BOUND).plus(BACK_BOUND).toEpochMilli(),
        skew.toMillis());
  }
}
