package io.waterclock.bench.meter;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * CPU time that the three processes have used.
 *
 * @param broker the broker's
 * @param writer the scheduler's, or that of the baseline's producer
 * @param bench this process's, with the consumer
 */
public record CpuTimes(Duration broker, Duration writer, Duration bench) {

  /**
   * @param server the sum of the CPU times of its processes
   */
  public static CpuTimes of(Duration server, ProcessHandle writer) {
    return new CpuTimes(server, cpu(writer), cpu(ProcessHandle.current()));
  }

  /** CPU time that a server has used in all its processes. */
  public static Duration withDescendants(ProcessHandle server) {
    return Stream.concat(Stream.of(server), server.descendants())
        .map(CpuTimes::cpu)
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration cpu(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  public CpuTimes since(CpuTimes before) {
    return new CpuTimes(
        broker.minus(before.broker), writer.minus(before.writer), bench.minus(before.bench));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.2f + %.2f + %.2f s",
        broker.toMillis() / 1e3,
        writer.toMillis() / 1e3,
        bench.toMillis() / 1e3);
  }
}
