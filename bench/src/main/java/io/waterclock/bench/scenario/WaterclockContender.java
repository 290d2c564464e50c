package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import java.time.Instant;

/** The scheduler of a {@link Rig}, seen by a read_committed consumer. */
final class WaterclockContender implements Contender {
  static final String NAME = "Waterclock";

  private final Rig rig;
  private final Loader loader;
  private final Arrivals arrivals;
  private final Runnable end;

  private WaterclockContender(Rig rig, Runnable end) {
    this.rig = rig;
    this.end = end;
    this.loader = rig.loader();
    this.arrivals = rig.arrivals(rig.topics().fires());
  }

  /** Leaves the rig open. */
  static WaterclockContender of(Rig rig) {
    return new WaterclockContender(rig, () -> {});
  }

  /** Starts a rig of its own, and closes it in the end. */
  static WaterclockContender start(Options options) {
    Rig rig = Rig.start(options);
    return Closing.onFailure(rig::close, () -> new WaterclockContender(rig, rig::close));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void listen(Work work, FireListener listener) {
    arrivals.to(work, listener);
  }

  @Override
  public void define(Work work) {
    loader.write(work.phase(), work.count(), number -> Definitions.of(work, number));
    loader.awaitAccepted();
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {}

  @Override
  public CpuTimes cpu() {
    return rig.cpu(rig.scheduler());
  }

  @Override
  public void close() {
    loader.close();
    arrivals.close();
    end.run();
  }
}
