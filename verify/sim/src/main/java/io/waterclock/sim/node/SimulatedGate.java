package io.waterclock.sim.node;

import io.waterclock.runtime.clients.GateOpening;
import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The gate of a task: the scheduler's own rules of fresh ends and of other partitions, on the
 * consumer of this model. An answer of the brokers about an input comes one step of the world after
 * its question. An end includes what open transactions have written.
 */
class SimulatedGate implements Gate {
  private static final long ANSWER_MS = 2;

  private final StreamTask task;
  private final TaskEnvironment environment;
  private final List<String> inputs;
  private final GateOpening opening;

  /**
   * @param inputs of the task
   * @param others of the process
   */
  SimulatedGate(
      StreamTask task,
      NodeClock clock,
      TaskEnvironment environment,
      List<String> inputs,
      OtherPartitions others) {
    this.task = task;
    this.environment = environment;
    this.inputs = inputs;
    this.opening =
        new GateOpening(
            new FreshEnds(this::ask, clock::nanos, clock.stallDetector()),
            clock.stallDetector(),
            others,
            task.partition(),
            clock::nanos);
  }

  private List<FreshEnds.End> ask() {
    return inputs.stream().map(this::end).toList();
  }

  private FreshEnds.End end(String topic) {
    Place place = new Place(topic, task.partition());
    long askedMs = environment.now().getAsLong();
    long end =
        environment.fault().at(Edge.INPUT_END, environment.broker().log(place).highWatermark());
    return new FreshEnds.End() {
      @Override
      public boolean isPassed() {
        return environment.now().getAsLong() >= askedMs + ANSWER_MS && task.isPast(place, end);
      }

      @Override
      public long learnedAtNanos() {
        return Duration.ofMillis(askedMs + ANSWER_MS).toNanos();
      }
    };
  }

  @Override
  public boolean isOpen() {
    return environment.fault().at(Edge.GATE, opening.isOpen());
  }

  @Override
  public void processed(String topic, long offset) {
    task.clock().stallDetector().beat();
    task.idleFor(Duration.ZERO);
  }

  @Override
  public Instant readThrough(Instant now) {
    return now;
  }

  @Override
  public boolean isBehind() {
    return task.isBehind();
  }

  @Override
  public void idleFor(Duration time) {
    task.idleFor(environment.fault().at(Edge.IDLE, time));
  }

  @Override
  public Mark mark() {
    return end(inputs.get(0));
  }
}
