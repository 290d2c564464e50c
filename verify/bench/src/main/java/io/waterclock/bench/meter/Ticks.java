package io.waterclock.bench.meter;

import io.waterclock.testkit.Scrape;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * The ticks of the stream threads of a scheduler, and the CPU time of these threads.
 *
 * @param count rounds of all threads, in each of which each of its tasks ticks
 * @param threadNanos of all stream threads
 */
public record Ticks(long count, long threadNanos) implements Serializable {
  private static final String COUNTER = "kafka_stream_thread_punctuate_total";
  private static final String STREAM_THREAD = "-StreamThread-";

  /**
   * The ticks of this JVM.
   *
   * @param metrics of its scheduler, as Prometheus reads them
   */
  public static Ticks ofThisJvm(String metrics) {
    double count = Scrape.of(metrics).sum(COUNTER);
    return new Ticks(Math.round(count), threadNanosOfThisJvm());
  }

  private static long threadNanosOfThisJvm() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(STREAM_THREAD)) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }

  public Ticks since(Ticks before) {
    return new Ticks(count - before.count, threadNanos - before.threadNanos);
  }
}
