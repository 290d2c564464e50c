package io.waterclock.bench.meter;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the scheduler's time went, from a JFR recording: samples of Java and of native code every
 * 10 ms, and what was allocated.
 */
public final class Profile {
  private static final int SHOWN = 30;
  private static final String STREAM_THREAD = "StreamThread";

  private final Map<String, Long> threads = new TreeMap<>();
  private final Map<String, Long> self = new TreeMap<>();
  private final Map<String, Long> inclusive = new TreeMap<>();
  private final Map<String, Long> allocated = new TreeMap<>();
  private Duration pauses = Duration.ZERO;

  private Profile() {}

  public static Profile read(Path file) {
    Profile profile = new Profile();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        profile.add(recording.readEvent());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return profile;
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample", "jdk.NativeMethodSample" -> sample(event);
      case "jdk.GCPhasePause" -> pauses = pauses.plus(event.getDuration());
      case "jdk.ObjectAllocationSample" -> {
        if (Optional.ofNullable(event.getThread()).filter(Profile::isStreamThread).isPresent()) {
          String type = event.getClass("objectClass").getName();
          allocated.merge(type + " in " + caller(event), event.getLong("weight"), Long::sum);
        }
      }
      default -> {}
    }
  }

  private void sample(RecordedEvent event) {
    RecordedThread thread = event.getThread("sampledThread");
    if (thread == null || event.getStackTrace() == null) {
      return;
    }
    List<RecordedFrame> frames = event.getStackTrace().getFrames();
    if (isWaiting(frames)) {
      return;
    }
    threads.merge(String.valueOf(thread.getJavaName()), 1L, Long::sum);
    if (!isStreamThread(thread)) {
      return;
    }
    self.merge(name(frames.get(0)), 1L, Long::sum);
    frames.stream()
        .map(Profile::name)
        .distinct()
        .forEach(name -> inclusive.merge(name, 1L, Long::sum));
  }

  /** Native samples include threads that wait in the kernel. */
  private static boolean isWaiting(List<RecordedFrame> frames) {
    String top = name(frames.get(0));
    return top.contains("EPoll.wait") || top.contains("accept") || top.contains("readBytes");
  }

  private static boolean isStreamThread(RecordedThread thread) {
    return String.valueOf(thread.getJavaName()).contains(STREAM_THREAD);
  }

  private static String caller(RecordedEvent event) {
    return Stream.ofNullable(event.getStackTrace())
        .flatMap(stack -> stack.getFrames().stream())
        .map(Profile::name)
        .filter(name -> name.contains("kafka") || name.contains("waterclock"))
        .findFirst()
        .orElse("?");
  }

  private static String name(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    String type = method.getType().getName();
    return type.replaceAll("([a-z])[a-z0-9_]*\\.", "$1.") + "." + method.getName();
  }

  public void print(PrintStream out) {
    print(out, "samples by thread", threads, total(threads));
    print(out, "stream thread, self", self, total(self));
    print(out, "stream thread, inclusive", inclusive, total(self));
    print(out, "stream thread, allocated bytes (sampled)", allocated, total(allocated));
    out.printf("%n  collector pauses: %d ms%n", pauses.toMillis());
  }

  private static long total(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void print(PrintStream out, String title, Map<String, Long> counts, long total) {
    out.printf("%n  %s%n", title);
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(
            entry ->
                out.printf("  %5.1f %%  %s%n", 100.0 * entry.getValue() / total, entry.getKey()));
  }
}
