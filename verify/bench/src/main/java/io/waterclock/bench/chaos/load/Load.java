package io.waterclock.bench.chaos.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.bench.run.Await;
import io.waterclock.judge.later.DelayedRecords;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Changes schedules all the time, some at once, as people and services do while faults happen: they
 * define, edit and delete schedules, write commands, and report the outcomes of fires. Drawn from a
 * seed; knows of no faults. Runs on a thread of its own until it is ended. It waits for the
 * brokers' confirmation before it changes a schedule again.
 *
 * <pre>
 * seed -> Load (one action at a time) -> Definitions -> Sender -> schedules, commands, outcomes
 *                                                         |
 *                                                   ProducerReleases (some as Avro) -> registry
 * </pre>
 */
public final class Load implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(170);
  private static final int MOST_RECURRING = 45;
  private static final Duration SETTLED_BOUND = Duration.ofMinutes(5);

  private final Topics topics;
  private final int partitions;
  private final SplittableRandom random;
  private final Shapes shapes;
  private final Sender sender;
  private final Optional<LimitedLoad> limited;
  private final Optional<LaterLoad> later;
  private final List<Subject> subjects = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "load");
  private volatile boolean isEnding;
  private int serial;

  /**
   * @param target a topic that may be a target
   * @param registry takes a schema and gives its id
   * @param hasLimits whether there are schedules with limits
   * @param later topics that may be targets of records that are delivered later; empty if there are
   *     none
   */
  public Load(
      String bootstrapServers,
      Topics topics,
      int partitions,
      long seed,
      String target,
      ToIntFunction<String> registry,
      boolean hasLimits,
      List<String> later) {
    this.topics = topics;
    this.partitions = partitions;
    this.random = new SplittableRandom(seed);
    this.shapes = new Shapes(random.split(), target);
    this.sender = new Sender(bootstrapServers, new ProducerReleases(topics, registry));
    this.limited =
        hasLimits
            ? Optional.of(
                new LimitedLoad(
                    topics,
                    new SplittableRandom(seed + 1),
                    new Sender(bootstrapServers, new ProducerReleases(topics, registry))))
            : Optional.empty();
    this.later =
        later.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new LaterLoad(bootstrapServers, topics, later, new SplittableRandom(seed + 2)));
    thread.setDaemon(true);
  }

  /** Writes the calendars, which must be known before schedules name them. */
  public void writeCalendars() {
    sender.send(
        topics.calendars(),
        Optional.empty(),
        Shapes.CLOSED,
        Optional.of("{\"dates\":[\"2020-01-01/2059-12-31\"]}"),
        () -> {});
    sender.send(
        topics.calendars(),
        Optional.empty(),
        Shapes.OPEN,
        Optional.of("{\"dates\":[\"2020-01-01\"]}"),
        () -> {});
    sender.flush();
  }

  /** Defines a schedule for each partition that fires every second, and begins with the changes. */
  public void start() {
    Instant anchor = now();
    for (int partition = 0; partition < partitions; partition++) {
      Subject steady = new Subject(idIn(partition), Shapes.steady(anchor), anchor);
      define(steady, false);
    }
    sender.flush();
    limited.ifPresent(load -> load.start(anchor));
    thread.start();
  }

  private String idIn(int partition) {
    for (int n = 0; ; n++) {
      String id = "steady/" + partition + "-" + n;
      if (home(id) == partition) {
        return id;
      }
    }
  }

  private int home(String id) {
    return HomePartition.of(id.getBytes(StandardCharsets.UTF_8), partitions);
  }

  private void run() {
    while (!isEnding) {
      act();
      limited.ifPresent(load -> load.act(now()));
      later.ifPresent(load -> load.act(now()));
      Await.pass(PAUSE);
    }
    resumeAll();
  }

  private void act() {
    Instant now = now();
    subjects.stream()
        .filter(one -> one.isSettled && one.resumeAt.filter(now::isAfter).isPresent())
        .findFirst()
        .ifPresentOrElse(this::resume, () -> change(now));
  }

  private void change(Instant now) {
    long recurring = subjects.stream().filter(one -> one.occursAt(now)).count();
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> {
        if (recurring < MOST_RECURRING) {
          create(shapes.recurring(now), now);
        } else {
          create(shapes.once(now), now);
        }
      }
      case 5, 6 -> create(shapes.once(now), now);
      case 7, 8, 9 -> pick(one -> one.occursAt(now) && one.isEditable()).ifPresent(this::edit);
      case 10 -> pick(one -> one.occursAt(now)).ifPresent(this::repeat);
      case 11, 12 -> pick(one -> one.isDefined() && !one.isBackfilled).ifPresent(this::delete);
      case 13, 14 -> pick(one -> !one.isDefined()).ifPresent(one -> recreate(one, now));
      case 15, 16 -> pick(one -> one.occursAt(now.plusSeconds(60))).ifPresent(this::pause);
      case 17 -> pick(one -> one.occursAt(now)).ifPresent(this::trigger);
      case 18 -> pick(one -> one.occursAt(now.plusSeconds(30))).ifPresent(this::skip);
      default ->
          pick(one ->
                  one.occursAt(now)
                      && !one.wasEdited
                      && one.shape.path("catch_up").asText().equals("replay")
                      && one.createdAt.isBefore(now.minusSeconds(100)))
              .ifPresent(one -> backfill(one, now));
    }
  }

  private Optional<Subject> pick(Predicate<Subject> which) {
    List<Subject> found = subjects.stream().filter(one -> one.isFree() && which.test(one)).toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  private void create(ObjectNode shape, Instant now) {
    Subject subject = new Subject("load/" + subjects.size(), shape, now);
    subjects.add(subject);
    define(subject, random.nextInt(12) == 0);
  }

  private void recreate(Subject subject, Instant now) {
    subject.shape = random.nextBoolean() ? shapes.recurring(now) : shapes.once(now);
    subject.wasEdited = true;
    define(subject, random.nextInt(12) == 0);
  }

  private void edit(Subject subject) {
    if (random.nextBoolean()) {
      shapes.retime(subject.shape, now());
    }
    subject.wasEdited = true;
    define(subject, random.nextInt(8) == 0);
  }

  private void define(Subject subject, boolean isStray) {
    ObjectNode definition = subject.shape.deepCopy();
    definition.putObject("payload").put("n", ++serial);
    subject.inForce = Optional.of(definition.toString());
    write(subject, isStray);
  }

  private void repeat(Subject subject) {
    write(subject, false);
  }

  private void delete(Subject subject) {
    subject.inForce = Optional.empty();
    write(subject, random.nextInt(8) == 0);
  }

  private void write(Subject subject, boolean isStray) {
    subject.isSettled = false;
    sender.send(
        topics.schedules(),
        isStray ? Optional.of((home(subject.id) + 1) % partitions) : Optional.empty(),
        subject.id,
        subject.inForce,
        () -> subject.isSettled = true);
  }

  private void pause(Subject subject) {
    subject.resumeAt = Optional.of(now().plusMillis(random.nextLong(9_000, 20_000)));
    command(subject, "pause", JsonNodeFactory.instance.objectNode());
  }

  private void resume(Subject subject) {
    subject.resumeAt = Optional.empty();
    command(subject, "resume", JsonNodeFactory.instance.objectNode());
  }

  private void trigger(Subject subject) {
    command(subject, "trigger", JsonNodeFactory.instance.objectNode());
  }

  private void skip(Subject subject) {
    subject
        .nextAfter(now().plusMillis(random.nextLong(1_000, 16_000)))
        .ifPresent(
            at ->
                command(
                    subject,
                    "skip",
                    JsonNodeFactory.instance.objectNode().put("occurrence", at.toString())));
  }

  /** What is long decided, so that no outage can clip the range. */
  private void backfill(Subject subject, Instant now) {
    subject.wasEdited = true; // one is enough
    subject.isBackfilled = true;
    Instant to = now.minusSeconds(60);
    command(
        subject,
        "backfill",
        JsonNodeFactory.instance
            .objectNode()
            .put("from", to.minusSeconds(8).toString())
            .put("to", to.toString()));
  }

  private void command(Subject subject, String what, ObjectNode arguments) {
    ObjectNode command = JsonNodeFactory.instance.objectNode();
    command.put("command_id", what + "-" + ++serial);
    command.set(what, arguments);
    subject.isSettled = false;
    sender.send(
        topics.commands(),
        Optional.empty(),
        subject.id,
        Optional.of(command.toString()),
        () -> subject.isSettled = true);
  }

  /** Ends the changes of limits: from now on each has room for some of its fires. */
  public void settleLimits() {
    limited.ifPresent(load -> load.settle(now()));
  }

  /** The records that were to be delivered later. */
  public Optional<DelayedRecords> delayed() {
    return later.map(LaterLoad::sent);
  }

  /** The scheduler has answered what cancels or moves a delayed record, or anything else. */
  public void answered(String correlationId, Verdict verdict, long atMs) {
    later.ifPresent(load -> load.answered(correlationId, verdict, atMs));
  }

  /** Reports a fire. Called on any thread. */
  public void report(String scheduleId, String fireKey, String state) {
    Sender by =
        limited.filter(load -> LimitedLoad.has(scheduleId)).map(LimitedLoad::sender).orElse(sender);
    by.send(
        topics.outcomes(),
        Optional.empty(),
        scheduleId,
        Optional.of(
            JsonNodeFactory.instance
                .objectNode()
                .put("fire_key", fireKey)
                .put("state", state)
                .toString()),
        () -> {});
  }

  private void resumeAll() {
    Await.until(
        "the brokers confirm the load",
        SETTLED_BOUND,
        () -> subjects.stream().allMatch(one -> one.isSettled));
    subjects.stream().filter(one -> one.resumeAt.isPresent()).forEach(this::resume);
    sender.flush();
  }

  private static Instant now() {
    return Await.now().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Ends the changes: resumes what is paused, and returns when the brokers have everything. */
  public void end() {
    isEnding = true;
    try {
      thread.join(SETTLED_BOUND.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The positions of the records that brokers have confirmed, calendars excepted. */
  public Set<String> confirmed() {
    Set<String> confirmed = sender.confirmed();
    confirmed.removeIf(position -> position.startsWith(topics.calendars() + "-"));
    return confirmed;
  }

  @Override
  public void close() {
    isEnding = true;
    limited.ifPresent(load -> load.sender().close());
    later.ifPresent(LaterLoad::close);
    sender.close();
  }
}
