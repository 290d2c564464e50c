package io.waterclock.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;

/**
 * How often the stream threads of a scheduler had their tasks tick, and what CPU time they have
 * used.
 *
 * @param count rounds of all threads, in each of which each of its tasks ticks
 * @param threadNanos of all stream threads
 */
record Ticks(long count, long threadNanos) {
  private static final String COUNTER = "kafka_stream_thread_punctuate_total";
  private static final String STREAM_THREAD = "-StreamThread-";

  /** Asks a scheduler. */
  static Ticks of(Child scheduler) {
    List<String> words = List.of(scheduler.ask("ticks").split(" "));
    return new Ticks(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)));
  }

  /**
   * Those of this JVM.
   *
   * @param metrics of its scheduler, as Prometheus reads them
   */
  static Ticks ofThisJvm(String metrics) {
    double count =
        metrics
            .lines()
            .filter(line -> line.startsWith(COUNTER))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
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

  Ticks since(Ticks before) {
    return new Ticks(count - before.count, threadNanos - before.threadNanos);
  }
}
