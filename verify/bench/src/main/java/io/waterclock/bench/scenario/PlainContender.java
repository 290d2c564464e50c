package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import java.time.Instant;

/**
 * What a delayed record is compared with: a producer that writes it to its target when it is due,
 * on the same broker and beside the same scheduler, which has nothing to do.
 */
final class PlainContender implements Contender {
  static final String TARGET = "plain";

  private final Rig rig;
  private final Produced records;
  private final Arrivals arrivals;

  PlainContender(Rig rig, Produced records) {
    this.rig = rig;
    this.records = records;
    this.arrivals = rig.arrivals(TARGET);
  }

  @Override
  public String name() {
    return "plain producer";
  }

  @Override
  public void listen(Work work, FireListener listener) {
    arrivals.to(work, listener);
  }

  @Override
  public void define(Work work) {}

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    Await.instant(work.start());
    records.send(work, TARGET, (record, due) -> record);
  }

  @Override
  public CpuTimes cpu() {
    return rig.cpu(rig.scheduler());
  }

  @Override
  public void close() {
    arrivals.close();
  }
}
