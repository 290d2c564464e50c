package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.CpuTimes;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.Rig;
import java.time.Instant;

/**
 * The baseline: a plain transactional producer that writes again what the scheduler of a {@link
 * Rig} has fired, on the same broker. Leaves the rig open.
 */
final class ProducerContender implements Contender {
  private final Rig rig;
  private final int commitMs;
  private final Child producer;
  private final Arrivals arrivals;

  /**
   * @param fires how many different fires it reads, to write them again
   * @param commitMs how long a transaction is open
   */
  ProducerContender(Rig rig, int fires, int commitMs) {
    this.rig = rig;
    this.commitMs = commitMs;
    this.producer = rig.producer(fires);
    this.arrivals = rig.arrivals(rig.topics().fires());
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
  public void define(Work work) {
    producer.ask("define " + work.words());
  }

  @Override
  public void perform(Work work, int fires, Instant deadline) {
    producer.ask("write " + fires + " " + commitMs);
  }

  @Override
  public CpuTimes cpu() {
    return rig.cpu(producer);
  }

  @Override
  public void close() {
    producer.close();
    arrivals.close();
  }
}
