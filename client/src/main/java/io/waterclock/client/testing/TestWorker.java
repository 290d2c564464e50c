package io.waterclock.client.testing;

import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The handlers of a worker, called in a test on a virtual clock, without a broker and threads:
 *
 * <pre>{@code
 * TestWorker worker = TestWorker.of(service.worker()); // a FireWorker.Builder with its handlers
 * scheduler.advance(Duration.ofDays(3), worker); // SchedulerHarness of waterclock-testkit
 * }</pre>
 *
 * <p>Each fire has one attempt: the exception of a handler ends the test's call. A fire that no
 * handler takes is passed over. A run finds the checkpoint of its schedule as in a worker: a run
 * that succeeds without leaving one removes it. Not thread-safe.
 */
public final class TestWorker implements BiFunction<Fire, String, Optional<Outcome>> {
  private final FireWorker.Builder worker;
  private final Map<String, byte[]> checkpoints = new HashMap<>();
  private BiConsumer<String, Optional<Schedule>> definitions = TestWorker::refuse;

  private TestWorker(FireWorker.Builder worker) {
    this.worker = worker;
  }

  /** The handlers of a worker, which is not started. */
  public static TestWorker of(FireWorker.Builder worker) {
    return new TestWorker(worker);
  }

  /**
   * Takes the definitions and deletes of handlers, each when it is made; a delete has no
   * definition. With SchedulerHarness of waterclock-testkit: {@code (id, definition) ->
   * definition.ifPresentOrElse(d -> scheduler.put(id, d), () -> scheduler.delete(id))}.
   */
  public TestWorker definitions(BiConsumer<String, Optional<Schedule>> taker) {
    definitions = taker;
    return this;
  }

  private static void refuse(String id, Optional<Schedule> definition) {
    throw new IllegalStateException(
        "the handler changes the schedule "
            + id
            + ": give the test a taker, with definitions(...)");
  }

  /**
   * Runs the handler of a fire.
   *
   * @param fireKey the key of the fire's record
   * @return the outcome, if the fire asks for it
   * @throws HandlerFailedException if the handler throws
   */
  @Override
  public Optional<Outcome> apply(Fire fire, String fireKey) {
    return worker.handlerOf(fire).flatMap(handler -> run(handler, fire, fireKey));
  }

  private Optional<Outcome> run(FireHandler handler, Fire fire, String fireKey) {
    TestRun run = TestRun.of(fire, fireKey).payloads(worker.payloads()).writingTo(definitions);
    Optional.ofNullable(checkpoints.get(fire.getScheduleId())).ifPresent(run::checkpoint);
    try {
      handler.handle(run);
      if (run.dropReason().isEmpty()) {
        checkpoints.remove(fire.getScheduleId());
      }
    } catch (Exception e) {
      throw new HandlerFailedException(fireKey, e);
    } finally {
      run.checkpointLeft().ifPresent(left -> checkpoints.put(fire.getScheduleId(), left));
    }
    return Optional.of(outcome(run, fire, fireKey)).filter(asked -> fire.getWantsOutcome());
  }

  private static Outcome outcome(TestRun run, Fire fire, String fireKey) {
    Outcome.Builder outcome =
        Outcome.newBuilder()
            .setFireId(fire.getFireId())
            .setFireKey(fireKey)
            .setAttempt(run.attempt())
            .setBackfill(fire.getBackfill())
            .setState(run.dropReason().isPresent() ? OutcomeState.DROPPED : OutcomeState.SUCCEEDED);
    run.dropReason().ifPresent(outcome::setReason);
    run.output().ifPresent(outcome::setOutput);
    return outcome.build();
  }
}
