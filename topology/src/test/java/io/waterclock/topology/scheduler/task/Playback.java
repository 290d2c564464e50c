package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Gives a history to the scheduler. While it is up, it reads each record when it is written. When
 * it returns from an outage or a stall, it reads what was written meanwhile in any order that
 * partitions allow, with restarts, and decides only after the last record.
 */
final class Playback {
  private static final Duration STEP = Duration.ofMillis(2_500);

  /**
   * What came of a history.
   *
   * @param read its records, and the reports of its runs
   */
  record Result(
      List<Input> read,
      List<Fire> fires,
      List<Missed> missed,
      List<Answer> answers,
      Map<String, ScheduleStatus> statuses) {}

  private final History history;
  private final SplittableRandom order;
  private final SimulatedCluster cluster;
  private final PriorityQueue<Input> pending =
      new PriorityQueue<>(Comparator.comparing(Input::at).thenComparing(Input::toString));
  private final Set<String> reported = new HashSet<>();
  private final List<Input> read = new ArrayList<>();
  private int calendars;
  private boolean isDown;
  private boolean isBehind;
  private int seen;

  private Playback(History history, long order, Sabotage sabotage) {
    this.history = history;
    this.order = new SplittableRandom(order);
    this.cluster =
        SimulatedCluster.ofOwners(
            RandomHistory.PARTITIONS, "own/ schedules=" + RandomHistory.MOST_OWNED);
    cluster.tasks().forEach(task -> task.sabotage(sabotage));
    pending.addAll(history.inputs());
  }

  /**
   * @param order the seed of the orders of reading
   */
  static Result play(History history, long order, Sabotage sabotage) {
    return new Playback(history, order, sabotage).play();
  }

  private Result play() {
    playTo(history.end());
    history.recurring().forEach(this::end);
    playTo(history.end().plus(history.longestReplay()));
    return new Result(
        read,
        cluster.fires(),
        cluster.committed().missed(),
        cluster.answers(),
        cluster.committed().statuses());
  }

  /** No more occurrences; what was due goes on. */
  private void end(String id) {
    int home = cluster.home(id.getBytes(StandardCharsets.UTF_8));
    Optional<String> json = Optional.of("{\"at\":\"2030-01-01T00:00:00Z\"}");
    write(new Input(Input.Topic.SCHEDULES, home, id, json, cluster.now()));
  }

  private void playTo(Instant end) {
    Instant step = cluster.now();
    while (cluster.now().isBefore(end)) {
      Instant next = next(step.plus(STEP), end);
      step = next.isBefore(step.plus(STEP)) ? step : next;
      cluster.advance(Duration.between(cluster.now(), next));
      while (!pending.isEmpty() && !pending.peek().at().isAfter(next)) {
        write(pending.remove());
      }
      history.outages().stream().filter(it -> it.from().equals(next)).forEach(this::stop);
      history.outages().stream().filter(it -> it.to().equals(next)).forEach(this::comeBack);
      if (!isDown) {
        cluster.drain();
      } else if (isBehind) {
        readLate();
      }
      report();
    }
  }

  /** When something happens next. */
  private Instant next(Instant step, Instant end) {
    return Stream.of(
            Stream.of(step, end),
            pending.stream().limit(1).map(Input::at),
            history.outages().stream().map(History.Outage::from),
            history.outages().stream().map(History.Outage::to))
        .flatMap(times -> times)
        .filter(time -> time.isAfter(cluster.now()))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private void write(Input input) {
    read.add(input);
    if (input.topic() == Input.Topic.CALENDARS) {
      cluster.calendar(calendars++, input.key(), input.json(), input.at());
    } else {
      cluster.produce(
          input.topic().in(cluster.topics()),
          input.partition(),
          input.key(),
          input.json(),
          input.at(),
          correlationId(input.at()));
    }
  }

  /** A transaction may be open at the end. */
  private void stop(History.Outage outage) {
    isDown = true;
    isBehind = outage.lags();
    if (outage.kind() != History.Outage.Kind.DOWN) {
      return;
    }
    for (SimulatedTask task : cluster.tasks()) {
      if (order.nextBoolean()) {
        task.tick();
      }
    }
  }

  /** The tasks read a few of the records, and decide what is due before the others. */
  private void readLate() {
    for (int few = order.nextInt(4); few > 0; few--) {
      readSome();
    }
    boolean inTransit =
        cluster.tasks().stream()
            .anyMatch(task -> task.hasOpen() || task.unread(cluster.topics().strays()).isPresent());
    if (!inTransit) {
      cluster.readThrough(oldestUnread());
    }
    for (SimulatedTask task : cluster.tasks()) {
      task.tick();
      task.commit();
    }
  }

  private Instant oldestUnread() {
    return cluster.tasks().stream()
        .flatMap(task -> task.inputs().stream().flatMap(topic -> task.unread(topic).stream()))
        .min(Comparator.naturalOrder())
        .orElse(cluster.now());
  }

  private void comeBack(History.Outage outage) {
    isDown = false;
    for (SimulatedTask task : cluster.tasks()) {
      if (outage.kind() == History.Outage.Kind.DOWN) {
        task.crash(order);
      }
      task.waitForTransaction(!outage.lags());
    }
    while (readSome()) {
      SimulatedTask task = cluster.tasks().get(order.nextInt(RandomHistory.PARTITIONS));
      switch (order.nextInt(12)) {
        case 0, 1, 2, 3 -> task.commit();
        case 4, 5 -> task.tick();
        case 6 -> {
          task.crash(order);
          task.waitForTransaction(true);
        }
        default -> {
          // reads on
        }
      }
    }
    cluster.tasks().forEach(task -> task.waitForTransaction(false));
    cluster.readThrough(Instant.MAX);
    for (int ticks = 0; ticks < 3; ticks++) { // until each gate is open
      cluster.drain();
    }
  }

  /**
   * Reads a few records of a random input of a random task.
   *
   * @return false if there are no more, and all is committed
   */
  private boolean readSome() {
    List<SimulatedTask> tasks = shuffled(cluster.tasks());
    for (SimulatedTask task : tasks) {
      for (String topic : shuffled(task.inputs())) {
        if (task.read(topic)) {
          for (int more = order.nextInt(4); more > 0 && task.read(topic); more--) {
            // the records of a fetch
          }
          return true;
        }
      }
    }
    boolean goesOn = tasks.stream().anyMatch(SimulatedTask::hasOpen);
    tasks.forEach(SimulatedTask::commit);
    return goesOn;
  }

  private <T> List<T> shuffled(List<T> all) {
    List<T> rest = new ArrayList<>(all);
    List<T> shuffled = new ArrayList<>();
    while (!rest.isEmpty()) {
      shuffled.add(rest.remove(order.nextInt(rest.size())));
    }
    return shuffled;
  }

  /** The worker is always up. */
  private void report() {
    List<Fire> fires = cluster.fires();
    for (Fire fire : fires.subList(seen, fires.size())) {
      if (fire.getCause() != Cause.BACKFILL && reported.add(fire.getFireId())) {
        pending.addAll(
            history
                .runs()
                .of(
                    fire,
                    cluster.now(),
                    id -> cluster.home(id.getBytes(StandardCharsets.UTF_8)),
                    RandomHistory.PARTITIONS));
      }
    }
    seen = fires.size();
  }

  /** Of the record of an instant. */
  static String correlationId(Instant at) {
    return "r-" + at.toEpochMilli();
  }

  static String text(Fire fire) {
    return "%s %s due %s fired at %s %s %s"
        .formatted(
            fire.getScheduleId(),
            History.seconds(fire.getOccurrence()),
            History.seconds(fire.getDue()),
            History.seconds(fire.getFiredAt()),
            fire.getCause(),
            StrayTrace.payload(fire.getSchedule()));
  }

  static String text(Missed missed) {
    return "%s %s..%s (%d) %s at %s"
        .formatted(
            missed.getScheduleId(),
            History.seconds(missed.getFirst()),
            History.seconds(missed.getLast()),
            missed.getCount(),
            missed.getReason(),
            History.seconds(missed.getDecidedAt()));
  }
}
