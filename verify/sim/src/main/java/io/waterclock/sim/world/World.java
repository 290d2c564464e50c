package io.waterclock.sim.world;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.judge.Health;
import io.waterclock.judge.Terms;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.sim.broker.Broker;
import io.waterclock.sim.broker.Group;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.broker.TopicRules;
import io.waterclock.sim.judge.Journal;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.Node;
import io.waterclock.sim.node.TaskEnvironment;
import io.waterclock.sim.node.TaskState;
import io.waterclock.sim.worker.HandledLog;
import io.waterclock.sim.worker.WorkerNode;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Plays a trace: brokers, processes, workers, clients, and one clock, in one thread. */
public final class World {
  private static final Instant START = Instant.parse("2026-03-04T12:00:00Z");
  private static final List<String> CATCH_UPS = List.of("skip", "collapse", "replay");
  private static final List<String> OVERLAPS = List.of("allow", "allow", "skip", "buffer_one");
  private static final List<String> GROUPS = List.of("etl", "partner", "night");
  private static final List<String> EXPECTED =
      List.of("started_within", "succeeded_within", "succeeded_every");

  /** Within which a task has read a record, and within which it has committed that, too. */
  private static final Terms.Patience PATIENCE = new Terms.Patience(5_000, 10_000, 4_000);

  /** How late a fire may be at the end. */
  private static final long PROMPT_MS = 5_000;

  private static final long WELL_MS = 40_000;
  private static final long AGAIN_MS = 5 * 86_400_000L;
  private static final int MOST_STEPS = 300_000;
  private static final int WORKERS = 2;

  private final Trace.Shape shape;
  private final Consumer<String> notes;
  private final Topics topics = Topics.ofDefault();
  private final Broker broker = new Broker();
  private final List<Node> nodes = new ArrayList<>();
  private final List<WorkerNode> workers = new ArrayList<>();
  private final HandledLog handled = new HandledLog();
  private final Map<String, LastPut> lastPut = new HashMap<>();
  private final Map<Integer, Map<Integer, TaskState>> saved = new HashMap<>();
  private final Health health = new Health();
  private final Health reading = new Health();
  private final Health routing = new Health();
  private final Health limiting = new Health();
  private long nowMs = START.toEpochMilli();
  private long aheadMs;
  private long cleanedMs = nowMs;
  private boolean isTargetGone;
  private final Health targetGone = new Health();
  private final List<Long> offsetsForgottenMs = new ArrayList<>();
  private final DelayedRecords delayed = new DelayedRecords();

  private record LastPut(String json, long atMs) {}

  /** What is left of a world, and what the judge must know of it. */
  public record Played(Journal journal, Terms terms, DelayedRecords delayed, Health limiting) {}

  private World(Trace.Shape shape, Fault fault, Consumer<String> notes) {
    this.shape = shape;
    this.notes = notes;
    broker.advanceTo(nowMs);
    createTopics();
    broker.createGroup(TaskEnvironment.GROUP, shape.partitions());
    broker.createGroup(TaskEnvironment.ROUTERS, shape.partitions());
    broker.createGroup(TaskEnvironment.INTAKES, shape.partitions());
    broker.createGroup(TaskEnvironment.LIMITERS, shape.partitions());
    TaskEnvironment environment =
        new TaskEnvironment(
            broker,
            settings(),
            () -> nowMs,
            StateAge.STANDARD,
            () -> !isTargetGone,
            !shape.hasWrongClocks(),
            fault);
    for (int i = 0; i < shape.nodes(); i++) {
      nodes.add(new Node("node" + i, environment, beside(shape), this::note));
    }
    broker.createGroup(WorkerNode.GROUP, shape.partitions());
    for (int i = 0; shape.hasConsumers() && i < WORKERS; i++) {
      workers.add(
          new WorkerNode("worker" + i, environment, !shape.hasWrongClocks(), handled, this::note));
    }
  }

  private static Node.Beside beside(Trace.Shape shape) {
    if (shape.hasLimits()) {
      return Node.Beside.ROUTER_AND_LIMITER;
    }
    if (shape.hasLater()) {
      return Node.Beside.ROUTER_AND_INTAKE;
    }
    return shape.hasConsumers() ? Node.Beside.ROUTER : Node.Beside.NOTHING;
  }

  /**
   * Plays a trace, and then a time in which all nodes run and nothing happens.
   *
   * @param notes receives what happens, for people
   * @throws RestlessException if the schedulers work for ever without any progress of time
   */
  public static Played play(Trace trace, Fault fault, Consumer<String> notes) {
    World world = new World(trace.shape(), fault, notes);
    world.nodes.forEach(Node::start);
    world.startWorkers(new SplittableRandom(trace.seed()));
    for (Event event : trace.events()) {
      SplittableRandom random = new SplittableRandom(event.seed());
      world.runUntil(world.nowMs + event.delayMs(), random);
      world.happen(event, random);
    }
    world.heal(new SplittableRandom(trace.seed()));
    world.runUntil(world.nowMs + WELL_MS, new SplittableRandom(trace.seed()));
    world.wake();
    world.runUntil(world.nowMs + WELL_MS, new SplittableRandom(trace.seed()));
    world.broker.complete();
    HandledLog handled = world.handled;
    return new Played(
        new Journal(world.broker, world.topics, trace.shape().partitions(), TaskEnvironment.TARGET),
        new Terms(
            world.health,
            world.reading,
            new Terms.Consumers(
                world.routing,
                world.targetGone,
                world.offsetsForgottenMs,
                true,
                fire -> handled.isPassed(new Place(fire.topic(), fire.partition()), fire.offset())),
            PATIENCE,
            world.nowMs - PROMPT_MS,
            world.nowMs,
            world.aheadMs),
        world.delayed,
        world.limiting);
  }

  private void createTopics() {
    int partitions = shape.partitions();
    Duration week = Duration.ofDays(7);
    broker.create(topics.schedules(), partitions, TopicRules.compacted(week, week));
    broker.create(topics.strays(), partitions, TopicRules.compacted(week, Duration.ZERO));
    broker.create(topics.status(), partitions, TopicRules.compacted(week, Duration.ZERO));
    broker.create(topics.watermarks(), partitions, TopicRules.compacted(week, Duration.ZERO));
    for (String name :
        List.of(
            topics.commands(),
            topics.outcomes(),
            topics.fires(),
            topics.missed(),
            topics.alerts(),
            topics.revisions(),
            topics.answers(),
            topics.dlq(),
            topics.later(),
            topics.waiting(),
            TaskEnvironment.TARGET,
            TaskEnvironment.DELAYED)) {
      broker.create(name, partitions, TopicRules.deleted(week));
    }
    broker.create(topics.limits(), 1, TopicRules.compacted(week, Duration.ZERO));
    Duration kept = StateAge.tombstonesKept(StateAge.STANDARD);
    for (String store :
        List.of(ScheduleStore.NAME, ProgressStore.NAME, CommandStore.NAME, LimiterTopology.STORE)) {
      broker.create(
          TaskEnvironment.changelog(store), partitions, TopicRules.compacted(kept, Duration.ZERO));
    }
  }

  private Settings settings() {
    Settings.Pace pace =
        new Settings.Pace(
            Duration.ofMillis(1),
            new Settings.Budget(Duration.ofHours(1), 300),
            20,
            Duration.ofSeconds(5),
            Duration.ofSeconds(300));
    return new Settings(
        new Settings.Channels(
            topics,
            shape.partitions(),
            new TargetRules(
                new AllowList(List.of(TaskEnvironment.TARGET, TaskEnvironment.DELAYED)),
                OwnerLimits.none(),
                topics,
                topics.prefix()),
            true,
            Wire.of(WireFormat.AVRO),
            ZoneId.of("UTC")),
        new Settings.Limits(Duration.ofMillis(1), 100_000),
        pace,
        new Settings.Retention(
            shape.isLong() ? Duration.ofDays(1) : Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofDays(7)),
        Settings.Alerting.OFF,
        Settings.Identity.of("simulated"));
  }

  private void note(String text) {
    notes.accept(Instant.ofEpochMilli(nowMs) + " " + text);
  }

  // time

  private void runUntil(long targetMs, SplittableRandom random) {
    int steps = 0;
    while (nowMs < targetMs) {
      if (broker.isCompleting() && random.nextBoolean()) {
        broker.completeSome(random);
      }
      List<Consumer<SplittableRandom>> busy = new ArrayList<>();
      long wakeMs = targetMs;
      for (Node node : nodes) {
        if (node.continuesMs().orElse(Long.MAX_VALUE) <= nowMs) {
          node.resume();
        }
        long its = Math.min(node.wakeMs(), node.continuesMs().orElse(Long.MAX_VALUE));
        if (its <= nowMs) {
          busy.add(node::step);
        } else {
          wakeMs = Math.min(wakeMs, its);
        }
      }
      for (WorkerNode worker : workers) {
        long its = worker.wakeMs();
        if (its <= nowMs) {
          busy.add(worker::step);
        } else {
          wakeMs = Math.min(wakeMs, its);
        }
      }
      if (busy.isEmpty()) {
        if (broker.isCompleting()) {
          broker.complete();
        } else {
          leaveOut(Math.max(nowMs + 1, Math.min(wakeMs, nextOfBroker())));
          steps = 0;
        }
      } else {
        if (steps++ > MOST_STEPS) {
          throw new RestlessException(
              "something does not come to rest at " + Instant.ofEpochMilli(nowMs));
        }
        busy.get(random.nextInt(busy.size())).accept(random);
        setNow(nowMs + random.nextInt(3));
      }
      noteHealth();
    }
  }

  /** When the brokers abort a transaction or expel a member, unless something happens before. */
  private long nextOfBroker() {
    long alive = nowMs + TaskEnvironment.SESSION_MS;
    long transaction = broker.nextTimeoutMs().orElse(Long.MAX_VALUE);
    long session =
        broker.nextExpiryMs().filter(ms -> ms < alive).map(ms -> ms + 1).orElse(Long.MAX_VALUE);
    return Math.max(nowMs + 1, Math.min(transaction, session));
  }

  private void leaveOut(long toMs) {
    long ms = toMs - nowMs;
    nodes.forEach(node -> node.leaveOut(ms));
    workers.forEach(worker -> worker.leaveOut(ms));
    setNow(toMs);
  }

  private void setNow(long ms) {
    nowMs = ms;
    broker.advanceTo(ms);
    long often = shape.isLong() ? 6 * 3_600_000L : 60_000;
    if (nowMs - cleanedMs > often) {
      cleanedMs = nowMs;
      broker.clean(5);
    }
  }

  private void noteHealth() {
    Set<Integer> decided = new HashSet<>();
    Set<Integer> read = new HashSet<>();
    Set<Integer> routed = new HashSet<>();
    Set<Integer> limited = new HashSet<>();
    for (Node node : nodes) {
      read.addAll(node.reads());
      routed.addAll(node.routes());
      limited.addAll(node.limits());
      if (node.isRunning() && node.aheadMs() == 0) {
        decided.addAll(node.decides());
      }
    }
    health.decided(decided, nowMs);
    reading.decided(read, nowMs);
    routing.decided(routed, nowMs);
    limiting.decided(limited, nowMs);
  }

  /** Makes everything well. */
  private void heal(SplittableRandom random) {
    targetIsGone(false);
    startWorkers(random);
    for (Node node : nodes) {
      node.resume();
      node.start();
      node.setClock(0);
    }
  }

  private void startWorkers(SplittableRandom random) {
    for (WorkerNode worker : workers) {
      worker.resume();
      worker.start(random);
    }
  }

  /** A record for each partition wakes its task, which then writes a watermark. */
  private void wake() {
    for (int p = 0; p < shape.partitions(); p++) {
      broker.append(
          new Place(topics.outcomes(), p),
          Message.of(text("nothing"), Optional.of(text("{}")), nowMs));
    }
  }

  // events

  private void happen(Event event, SplittableRandom random) {
    Node node = nodes.get(random.nextInt(nodes.size()));
    boolean isLimited = shape.hasLimits() && random.nextInt(3) > 0;
    String id = (isLimited ? Journal.LIMITED : "id/") + random.nextInt(shape.ids());
    switch (event.kind()) {
      case PUT -> put(event, id, home(id), random);
      case STRAY -> put(event, id, anyPartition(id, random), random);
      case PUT_AGAIN -> putAgain(id);
      case DELETE -> delete(id, home(id), random);
      case STRAY_DELETE -> delete(id, anyPartition(id, random), random);
      case PAUSE -> command(event, id, "\"pause\":{}", 1, random);
      case RESUME -> command(event, id, "\"resume\":{}", 1, random);
      case TRIGGER -> command(event, id, "\"trigger\":{}", 1 + random.nextInt(2), random);
      case KILL -> node.kill();
      case START ->
          nodes.stream().filter(each -> !each.isAlive()).findFirst().ifPresent(Node::start);
      case SHUT_DOWN -> node.shutDown();
      case STOP -> stop(node, id, random);
      case CONTINUE -> nodes.forEach(Node::resume);
      case CLOCK -> clock(node, random);
      case CLOCK_RIGHT -> nodes.forEach(each -> each.setClock(0));
      case CLEAN -> broker.clean(random.nextInt(4));
      case MOVE -> groups().forEach(Group::moveOne);
      case SAVE_STATE -> saved.put(nodes.indexOf(node), node.copyDisk());
      case PUT_STATE_BACK ->
          Optional.ofNullable(saved.get(nodes.indexOf(node))).ifPresent(node::putBack);
      case FORGET_OFFSETS -> forgetOffsets();
      case NOTHING -> {}
      case LOSE_REQUEST -> node.loseCommit(false);
      case LOSE_RESPONSE -> node.loseCommit(true);
      case TARGET_GONE -> targetIsGone(true);
      case TARGET_BACK -> targetIsGone(false);
      case WORKER_KILL -> workers.get(random.nextInt(WORKERS)).kill();
      case WORKER_STOP -> workers.get(random.nextInt(WORKERS)).stop();
      case WORKER_START -> startWorkers(random);
      case LATER -> later(event, random);
      case LIMIT -> limit(random);
    }
    noteHealth();
  }

  private void limit(SplittableRandom random) {
    String group = one(GROUPS, random);
    String json =
        switch (random.nextInt(9)) {
          case 0 -> "";
          case 1 -> "{\"max_running\":0}";
          case 2 -> "{\"paused\":{}}";
          case 3, 4 -> "{\"per_second\":" + (1 + random.nextInt(2)) + "}";
          default -> "{\"max_running\":" + (1 + random.nextInt(3)) + "}";
        };
    note("client limits " + group + " " + json);
    broker.append(
        new Place(topics.limits(), 0),
        Message.of(
            text(group), json.isEmpty() ? Optional.empty() : Optional.of(text(json)), nowMs));
  }

  private void targetIsGone(boolean isGone) {
    note(isGone ? "routers do not see the target" : "routers see the target");
    isTargetGone = isGone;
    targetGone.decided(isGone ? Set.of(0) : Set.of(), nowMs);
  }

  private List<Group> groups() {
    return shape.hasConsumers()
        ? List.of(
            broker.group(TaskEnvironment.GROUP),
            broker.group(TaskEnvironment.ROUTERS),
            broker.group(TaskEnvironment.INTAKES),
            broker.group(TaskEnvironment.LIMITERS),
            broker.group(WorkerNode.GROUP))
        : List.of(broker.group(TaskEnvironment.GROUP));
  }

  private void stop(Node node, String id, SplittableRandom random) {
    switch (shape.isHeldUp() ? random.nextInt(3) : 0) {
      case 1 -> {
        node.stopInLoop(1 + random.nextInt(3), 3_500 + random.nextLong(3_000), random);
        if (random.nextBoolean()) {
          delete(id, home(id), random);
        }
      }
      case 2 -> node.stopUnsent(TaskEnvironment.SESSION_MS + 100 + random.nextLong(20_000));
      default -> node.stop();
    }
  }

  private void forgetOffsets() {
    // Kafka forgets the offsets only of a group without members
    if (nodes.stream().noneMatch(Node::isAlive)) {
      note("the offsets of the groups are forgotten");
      broker.group(TaskEnvironment.GROUP).forgetOffsets();
      broker.group(TaskEnvironment.ROUTERS).forgetOffsets();
      offsetsForgottenMs.add(nowMs);
    }
  }

  private void clock(Node node, SplittableRandom random) {
    if (!shape.hasWrongClocks()) {
      return;
    }
    long most = random.nextInt(3) == 0 ? 86_400_000L : 4_000;
    long ahead = random.nextLong(2 * most) - most;
    aheadMs = 5_000;
    node.setClock(ahead);
  }

  private int anyPartition(String id, SplittableRandom random) {
    return shape.hasWrongClocks() ? home(id) : random.nextInt(shape.partitions());
  }

  private int home(String id) {
    return HomePartition.of(text(id), shape.partitions());
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void put(Event event, String id, int partition, SplittableRandom random) {
    String json = definition(event.number(), id, random);
    lastPut.put(id, new LastPut(json, nowMs));
    write(id, partition, Optional.of(json), timestamp(random));
  }

  /** Its number is its payload, so a fire shows which record caused it. */
  private String definition(int number, String id, SplittableRandom random) {
    StringBuilder json = new StringBuilder("{").append(timing(random));
    json.append(",\"catch_up\":\"").append(one(CATCH_UPS, random));
    json.append("\",\"enabled\":").append(random.nextInt(12) > 0);
    json.append(",\"grace\":\"").append(random.nextInt(3) == 0 ? 5 : 60).append("s\"");
    if (id.startsWith(Journal.LIMITED)) {
      json.append(",\"limit\":\"").append(one(GROUPS, random));
      json.append("\",\"timeout\":\"").append(60 + random.nextInt(120)).append("s\"");
      json.append(",\"priority\":").append(random.nextInt(3));
      if (random.nextInt(4) == 0) {
        json.append(",\"expires\":\"").append(5 + random.nextInt(60)).append("s\"");
      }
      runs(json, random);
    } else if (shape.hasConsumers()) {
      runs(json, random);
      if (random.nextInt(3) == 0) {
        json.append(",\"timeout\":\"").append(1_000 + random.nextLong(30_000)).append("ms\"");
      }
      if (random.nextBoolean()) {
        json.append(",\"target\":{\"topic\":\"" + TaskEnvironment.TARGET + "\",\"key\":\"");
        json.append(id).append("\"}");
      }
    }
    return json.append(",\"payload\":").append(number).append('}').toString();
  }

  private static void runs(StringBuilder json, SplittableRandom random) {
    json.append(",\"overlap\":\"").append(one(OVERLAPS, random)).append('"');
    if (random.nextInt(3) == 0) {
      json.append(",\"expect\":{\"").append(one(EXPECTED, random)).append("\":\"");
      json.append(1_000 + random.nextLong(60_000)).append("ms\"}");
    }
  }

  private static String one(List<String> of, SplittableRandom random) {
    return of.get(random.nextInt(of.size()));
  }

  private void putAgain(String id) {
    // an instant that has fired fires again once its id is forgotten: docs/adr/0014 says so
    Optional.ofNullable(lastPut.get(id))
        .filter(put -> nowMs - put.atMs() < AGAIN_MS)
        .ifPresent(put -> write(id, home(id), Optional.of(put.json()), nowMs));
  }

  private void delete(String id, int partition, SplittableRandom random) {
    write(id, partition, Optional.empty(), timestamp(random));
  }

  /** As a rule the clients' clocks are right. */
  private long timestamp(SplittableRandom random) {
    return random.nextInt(6) > 0 ? nowMs : nowMs - random.nextLong(40_000);
  }

  private void write(String id, int partition, Optional<String> json, long timestampMs) {
    long offset =
        broker.append(
            new Place(topics.schedules(), partition),
            Message.of(text(id), json.map(World::text), timestampMs));
    note(
        "client writes "
            + id
            + " "
            + json.orElse("delete")
            + " to "
            + placed(id, partition, offset)
            + (timestampMs == nowMs
                ? ""
                : " with the timestamp " + Instant.ofEpochMilli(timestampMs)));
  }

  /** Some records of two keys, several for one instant; the numbers of all are their values. */
  private void later(Event event, SplittableRandom random) {
    long unit = shape.isLong() ? 3_600_000 : 1_000;
    long dueMs = (nowMs / unit + random.nextInt(60)) * unit;
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      String key = "key" + random.nextInt(2);
      DelayedRecords.Sent sent =
          new DelayedRecords.Sent(
              key, event.number() + "." + i, dueMs, event.number() * 10 + i, key);
      RecordHeaders headers = new RecordHeaders();
      headers.add(HeaderNames.AT, text(Long.toString(dueMs)));
      headers.add(HeaderNames.TARGET, text(TaskEnvironment.DELAYED));
      headers.add("own", text(sent.value()));
      broker.append(
          new Place(topics.later(), home(key)),
          new Message(text(key), text(sent.value()), headers, nowMs));
      note("client delays " + sent);
      delayed.add(sent);
    }
  }

  /** Half of the clients hash keys in another way than Java's. */
  private void command(Event event, String id, String action, int times, SplittableRandom random) {
    for (int i = 0; i < times; i++) {
      int partition = random.nextBoolean() ? anyPartition(id, random) : home(id);
      long offset =
          broker.append(
              new Place(topics.commands(), partition),
              Message.of(
                  text(id),
                  Optional.of(text("{\"command_id\":\"c" + event.number() + "\"," + action + "}")),
                  nowMs));
      note("client commands " + id + " " + action + " in " + placed(id, partition, offset));
    }
  }

  private String placed(String id, int partition, long offset) {
    return "partition " + partition + "@" + offset + (partition == home(id) ? "" : " (a stray)");
  }

  private String timing(SplittableRandom random) {
    long unit = shape.isLong() ? 3_600_000 : 1_000;
    return switch (random.nextInt(shape.isLong() ? 8 : 6)) {
      case 0 -> at("at", nowMs + random.nextLong(60 * unit) - 10 * unit);
      case 1 -> "\"in\":\"" + Duration.ofMillis((1 + random.nextInt(60)) * unit) + '"';
      case 2, 3 -> every(random, unit);
      case 4, 5 ->
          every(random, unit) + ',' + at("anchor", nowMs + random.nextLong(60 * unit) - 40 * unit);
      case 6 -> cron(random.nextInt(24), random.nextInt(60), "*");
      default -> {
        String day = Integer.toString((1 + random.nextInt(7)) % 7);
        yield cron(random.nextInt(24), random.nextInt(60), day);
      }
    };
  }

  private static String every(SplittableRandom random, long unit) {
    return "\"every\":\"" + (1 + random.nextInt(30)) * unit + "ms\"";
  }

  private static String at(String field, long ms) {
    return '"' + field + "\":\"" + Instant.ofEpochMilli(ms) + '"';
  }

  private static String cron(int hour, int minute, String weekday) {
    return "\"cron\":\"" + minute + ' ' + hour + " * * " + weekday + '"';
  }
}
