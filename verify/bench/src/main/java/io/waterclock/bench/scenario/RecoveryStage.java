package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.ReturnMeter;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.rig.TwoInstances;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Two instances with many waiting schedules and some that fire, and the outages of one. */
final class RecoveryStage implements AutoCloseable {
  private static final Duration BACK_BOUND = Duration.ofMinutes(3);
  private static final Duration FAR = Duration.ofDays(365);
  private static final Duration LAST_MOMENT = Duration.ofSeconds(1);

  /**
   * The load of both instances.
   *
   * @param waiting schedules that are due in a year
   * @param live schedules that fire every second
   * @param steady how long both fire undisturbed before an outage
   */
  record Scene(int waiting, int live, Duration steady) {}

  /**
   * The effect of an instance's end on fires.
   *
   * @param gone when it had ended
   * @param release when the broker let go what it held; empty when it ended in order
   * @param back when its fires were visible again
   * @param before how late all fires were before
   * @param its how late the fires of its partitions were until they were on time again
   * @param others how late those of the other instance's partitions were meanwhile; empty when
   *     there was no other
   */
  record Outage(
      String title,
      Instant gone,
      Optional<TwoInstances.Release> release,
      ReturnMeter.Return back,
      Histogram before,
      Histogram its,
      Optional<Histogram> others) {

    /** Seconds from its end. */
    double since(Instant instant) {
      return Duration.between(gone, instant).toNanos() / 1e9;
    }

    /** Seconds until fires of all its partitions were visible again, from when they could be. */
    Optional<Double> afterRelease() {
      return release.map(let -> since(back.all()) - since(let.later()));
    }
  }

  private final Rig rig;
  private final TwoInstances instances;
  private final LiveLoad load;
  private final Scene scene;

  private RecoveryStage(Rig rig, TwoInstances instances, LiveLoad load, Scene scene) {
    this.rig = rig;
    this.instances = instances;
    this.load = load;
    this.scene = scene;
  }

  /**
   * Returns when both instances have fired for a while.
   *
   * @param settings of both instances
   * @param isStatic whether the group knows an instance again when it comes back
   */
  static RecoveryStage set(
      Options options, Map<String, String> settings, boolean isStatic, Scene scene) {
    Rig rig = Rig.withoutScheduler(options);
    return Closing.onFailure(
        rig::close,
        () -> {
          TwoInstances instances = new TwoInstances(rig, settings, isStatic);
          return Closing.onFailure(instances::close, () -> on(rig, instances, scene));
        });
  }

  private static RecoveryStage on(Rig rig, TwoInstances instances, Scene scene) {
    try (Loader loader = rig.loader()) {
      instances.startBoth();
      Instant due = Await.now().plus(FAR);
      loader.write(
          "idle", scene.waiting(), number -> Definitions.once(due.plusMillis(number), number));
      loader.awaitAccepted();
      Progress.say(scene.waiting() + " schedules wait");
      LiveLoad load = LiveLoad.begin(rig, loader, scene.live());
      Await.instant(load.start());
      Await.pass(scene.steady());
      return new RecoveryStage(rig, instances, load, scene);
    }
  }

  private void settle() {
    Await.pass(scene.steady());
  }

  /**
   * Kills an instance.
   *
   * @param restarts whether it starts again at once in the same place; else the other takes over
   */
  Outage kill(String title, String name, boolean restarts) {
    Set<Integer> partitions = instances.partitions(name);
    TwoInstances.Holdings held = instances.kill(name);
    ReturnMeter returning = expect(name, restarts, partitions, held.gone());
    TwoInstances.Release release = instances.awaitRelease(held);
    return outage(title, held.gone(), Optional.of(release), returning, partitions);
  }

  /** Ends an instance in order, else as {@link #kill}. */
  Outage end(String title, String name, boolean restarts) {
    Set<Integer> partitions = instances.partitions(name);
    Instant gone = Await.now();
    ReturnMeter returning = expect(name, restarts, partitions, instances.close(name));
    return outage(title, gone, Optional.empty(), returning, partitions);
  }

  private ReturnMeter expect(
      String name, boolean restarts, Set<Integer> partitions, Instant ended) {
    if (restarts) {
      instances.launch(name);
    }
    return load.expect(partitions, ended);
  }

  /** Brings an instance back; returns when both have had equal shares for a while. */
  void bringBack(String name) {
    instances.launch(name);
    instances.awaitBalance();
    settle();
  }

  private Outage outage(
      String title,
      Instant gone,
      Optional<TwoInstances.Release> release,
      ReturnMeter returning,
      Set<Integer> partitions) {
    ReturnMeter.Return back = returning.await(BACK_BOUND);
    Set<Integer> all = IntStream.range(0, rig.partitions()).boxed().collect(Collectors.toSet());
    Set<Integer> others = new HashSet<>(all);
    others.removeAll(partitions);
    Instant until = back.onTime();
    Histogram before =
        load.lateness(all, gone.minus(scene.steady().dividedBy(2)), gone.minus(LAST_MOMENT));
    Outage outage =
        new Outage(
            title,
            gone,
            release,
            back,
            before,
            load.lateness(partitions, gone, until),
            others.isEmpty() ? Optional.empty() : Optional.of(load.lateness(others, gone, until)));
    Progress.say(String.format("%s: visible again after %.1f s", title, outage.since(back.all())));
    settle();
    return outage;
  }

  @Override
  public void close() {
    load.close();
    instances.close();
    rig.close();
  }
}
