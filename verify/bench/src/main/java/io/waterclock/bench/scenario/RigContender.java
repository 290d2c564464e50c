package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.meter.Traffic;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.BaselineProducer;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A process that writes the fires of a {@link Rig}, seen by a read_committed consumer.
 *
 * @param definer defines a work
 * @param performer writes so many fires
 * @param end runs after the last work
 */
record RigContender(
    String name,
    Rig rig,
    Child<?> writer,
    Arrivals arrivals,
    Consumer<Work> definer,
    IntConsumer performer,
    Runnable end)
    implements Contender {
  static final String WATERCLOCK = "Waterclock";

  private static Contender of(
      String name,
      Rig rig,
      Child<?> writer,
      Consumer<Work> definer,
      IntConsumer performer,
      Runnable end) {
    Arrivals arrivals = rig.arrivals(rig.topics().fires());
    return new RigContender(name, rig, writer, arrivals, definer, performer, end);
  }

  /**
   * The scheduler of a rig.
   *
   * @param end runs after the last work
   */
  static Contender scheduler(Rig rig, Runnable end) {
    return scheduler(WATERCLOCK, rig, Definitions::of, end);
  }

  /** The same, with schedules that share a limit. */
  static Contender limited(Rig rig, String limit) {
    return scheduler(
        WATERCLOCK + " with a limit",
        rig,
        (work, number) -> Definitions.limited(work, number, limit),
        () -> {});
  }

  private static Contender scheduler(
      String name, Rig rig, BiFunction<Work, Integer, byte[]> definition, Runnable end) {
    Loader loader = rig.loader();
    return of(
        name,
        rig,
        rig.scheduler(),
        work -> {
          loader.write(work.phase(), work.count(), number -> definition.apply(work, number));
          loader.awaitAccepted();
        },
        fires -> {},
        () -> {
          loader.close();
          end.run();
        });
  }

  /**
   * The baseline: a plain transactional producer that writes again what the scheduler of a rig has
   * fired, on the same broker. Leaves the rig open.
   *
   * @param fires how many different fires it reads, to write them again
   * @param commitMs how long a transaction is open
   */
  static Contender producer(Rig rig, int fires, int commitMs) {
    Child<BaselineProducer> producer = rig.producer(fires);
    return of(
        "plain producer",
        rig,
        producer,
        work -> producer.tell(it -> it.define(work)),
        count -> producer.tell(it -> it.write(count, commitMs)),
        producer::close);
  }

  @Override
  public void listen(Work work, FireListener listener) {
    arrivals.to(work, listener);
  }

  @Override
  public void define(Work work) {
    definer.accept(work);
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    performer.accept(fires);
  }

  @Override
  public CpuTimes cpu() {
    return rig.cpu(writer);
  }

  @Override
  public Optional<Traffic> traffic() {
    return Optional.of(rig.traffic(writer));
  }

  @Override
  public void close() {
    arrivals.close();
    end.run();
  }
}
