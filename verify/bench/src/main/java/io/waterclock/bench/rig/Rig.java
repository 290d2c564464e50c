package io.waterclock.bench.rig;

import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.Profile;
import io.waterclock.bench.meter.Sent;
import io.waterclock.bench.meter.Traffic;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.console.Console;
import io.waterclock.schemas.Topics;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A broker or three and a scheduler or several, each in a process of its own, and clients of them
 * in this one. A scheduler has one stream thread unless set otherwise.
 */
public final class Rig implements AutoCloseable {
  /**
   * Room for the records of a large herd, which are at hand before they are due. It is more than a
   * warm-up uses, so it is touched beforehand: memory costs most when it is used for the first
   * time.
   */
  private static final List<String> PRODUCER_JVM =
      List.of("-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch");

  private static final String MAIN = "scheduler";
  private static final String LOOP = "loop";

  /** A console fills one of so many parts of the heap, as the command {@code console} has it. */
  private static final int CONSOLE_PARTS = 2;

  private final Options options;
  private final Directory dir;
  private final Topics topics = Topics.ofDefault();
  private final BrokerGroup brokers;
  private final Map<String, Child<MeasuredScheduler>> schedulers = new HashMap<>();

  /** The file of the recording that is being made. */
  private Optional<Path> profiling = Optional.empty();

  private Rig(Options options, Directory dir) {
    this.options = options;
    this.dir = dir;
    this.brokers = BrokerGroup.start(dir.path(), options);
  }

  /** A broker alone; {@link #launch} adds schedulers. */
  public static Rig withoutScheduler(Options options) {
    return new Rig(options, Directory.of(options.dir()));
  }

  /** Returns when the scheduler decides. */
  public static Rig start(Options options) {
    return start(options, Map.of());
  }

  /**
   * Returns when the scheduler decides.
   *
   * @param settings of the scheduler, unless the options say otherwise
   */
  public static Rig start(Options options, Map<String, String> settings) {
    Rig rig = withoutScheduler(options);
    return Closing.onFailure(
        rig::close,
        () -> {
          rig.launch(MAIN, settings).tell(MeasuredScheduler::awaitReady);
          return rig;
        });
  }

  /**
   * Starts a scheduler, again in the same place if there was one of that name.
   *
   * @param name of the directory of its state
   * @param settings unless the options say otherwise
   */
  Child<MeasuredScheduler> launch(String name, Map<String, String> settings) {
    Map<String, String> all = schedulerSettings(name, settings);
    Child<MeasuredScheduler> scheduler =
        Child.start(() -> MeasuredScheduler.start(all), options.schedulerJvm(), log(name));
    schedulers.put(name, scheduler);
    return scheduler;
  }

  /** Ends the only scheduler in order and starts it in the same place; returns when it decides. */
  public void relaunch(Map<String, String> settings) {
    scheduler().close();
    launch(MAIN, settings).tell(MeasuredScheduler::awaitReady);
  }

  public Topics topics() {
    return topics;
  }

  public String bootstrapServers() {
    return brokers.bootstrapServers();
  }

  public Child<MeasuredScheduler> scheduler() {
    return scheduler(MAIN);
  }

  Child<MeasuredScheduler> scheduler(String name) {
    return Objects.requireNonNull(schedulers.get(name), name);
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  public int partitions() {
    return options.partitions();
  }

  public Loader loader() {
    return new Loader(bootstrapServers(), topics.schedules(), Loader.GROUP);
  }

  /** Reads a topic from its end. */
  public Arrivals arrivals(String topic) {
    return new Arrivals(bootstrapServers(), topic);
  }

  /**
   * The baseline of loading, which has learned what the scheduler writes for a definition: its
   * revision, its status, and the row of the store.
   *
   * @param commitMs how long a transaction is open
   */
  public Child<?> loop(int commitMs) {
    Map<String, String> settings = producerSettings(LOOP);
    String definitions = topics.schedules();
    Child<BaselineLoop> loop =
        Child.start(
            () -> new BaselineLoop(definitions, LOOP, commitMs, settings),
            Options.words(Options.HEAP),
            log(LOOP));
    List<String> written =
        List.of(topics.revisions(), topics.status(), Loader.GROUP + "-schedules-changelog");
    try (Admin admin = admin()) {
      Await.answer(
          "new topics",
          admin
              .createTopics(
                  written.stream()
                      .map(topic -> new NewTopic(LOOP + "." + topic, partitions(), (short) 1))
                      .toList())
              .all());
    }
    written.forEach(topic -> loop.tell(it -> it.learn(topic, LOOP + "." + topic)));
    loop.tell(BaselineLoop::run);
    return loop;
  }

  /** Waits for {@link #loop} instead of a scheduler. */
  public Loader loopLoader() {
    return new Loader(bootstrapServers(), topics.schedules(), LOOP);
  }

  /** The baseline's producer. It has read some fires to write again. */
  public Child<BaselineProducer> producer(int fires) {
    Map<String, String> settings = producerSettings("baseline");
    String topic = topics.fires();
    Child<BaselineProducer> producer =
        Child.start(() -> new BaselineProducer(topic, settings), PRODUCER_JVM, log("producer"));
    producer.tell(it -> it.learn(fires));
    return producer;
  }

  private Map<String, String> producerSettings(String transactionalId) {
    Map<String, String> settings = new TreeMap<>(options.producerSettings());
    settings.put("bootstrap.servers", bootstrapServers());
    settings.put("transactional.id", transactionalId);
    return settings;
  }

  /**
   * A console in a process of its own, which only reads, with the priority that {@code waterclock
   * console} gives it.
   *
   * @param fires how many of the newest it keeps
   */
  public Child<Console> console(List<String> jvmOptions, int fires) {
    String servers = bootstrapServers();
    return Child.startWith(
        List.of("nice", "-n", "10"),
        () -> MeasuredConsole.start(servers, fires, CONSOLE_PARTS),
        jvmOptions,
        log("console"));
  }

  /** A client or server beside the others, in a process of its own. */
  public <T> Child<T> child(String name, Child.Start<T> start) {
    return Child.start(start, List.of("-Xmx256m"), log(name));
  }

  /** What the first broker's logs have of each topic. */
  public Map<String, Sent> sent() {
    return Sent.of(brokers.logs());
  }

  private Path log(String name) {
    return dir.path().resolve(name + ".log");
  }

  /** The CPU time of the brokers, of another process and of this one, so far. */
  public CpuTimes cpu(Child<?> other) {
    return CpuTimes.of(brokers.cpu(), other.handle());
  }

  /** What a process has written so far, with what others wrote before it. */
  public Traffic traffic(Child<?> writer) {
    return Traffic.of(
        brokers.logs(), topics.fires(), writer.ask(it -> Traffic.requestsOfThisJvm()));
  }

  private Map<String, String> schedulerSettings(String name, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers());
    all.put("partitions", Integer.toString(options.partitions()));
    all.put("state.dir", stateDir(name).toString());
    all.put("num.stream.threads", "1");
    all.putIfAbsent("health.port", "off");
    all.putAll(options.settings());
    return all;
  }

  Path stateDir(String name) {
    return dir.path().resolve("state").resolve(name);
  }

  /** The bytes of the scheduler's files, as they are. */
  public long localStateBytes() {
    return Directory.bytes(stateDir(MAIN).toFile());
  }

  /** Starts recording the scheduler, when a profile is wanted. */
  public void startProfile() {
    profiling = options.profile().map(Path::toAbsolutePath);
    profiling.ifPresent(file -> scheduler().tell(MeasuredScheduler::startProfile));
  }

  /** Ends the recording, if there is one, and prints where the time went. */
  public void endProfile() {
    profiling.ifPresent(
        file -> {
          File recorded = file.toFile();
          scheduler().tell(it -> it.endProfile(recorded));
          Profile.read(file).print(System.out);
        });
    profiling = Optional.empty();
  }

  @Override
  public void close() {
    schedulers.values().forEach(Child::close);
    brokers.close();
    dir.close();
  }
}
