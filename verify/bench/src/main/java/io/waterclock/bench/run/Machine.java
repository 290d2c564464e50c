package io.waterclock.bench.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Describes this machine. */
public final class Machine {
  private static final Path CPUS = Path.of("/proc/cpuinfo");
  private static final String MODEL = "model name";

  private Machine() {}

  /** Cores, processor if the system names it, memory, Java and system. */
  public static String describe() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return String.format(
        "%s cores%s, %s GiB, Java %s, %s",
        Runtime.getRuntime().availableProcessors(),
        processor(),
        Math.round(system.getTotalMemorySize() / (double) (1 << 30)),
        Runtime.version(),
        System.getProperty("os.name"));
  }

  private static String processor() {
    if (!Files.isReadable(CPUS)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(CPUS)) {
      return lines
          .filter(line -> line.startsWith(MODEL))
          .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
