package io.waterclock.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A few faults, with a fresh seed each time; more with {@code -Dwaterclock.faults}. */
@Tag("all")
@Timeout(900)
final class ChaosTest {
  private static final long SEED =
      Long.getLong("waterclock.seed", System.nanoTime() & 0xffff_fffeL);
  private static final int FAULTS = Integer.getInteger("waterclock.faults", 3);

  /** Those that a scheduler survives soon, so that the build need not wait long. */
  private static final String KINDS =
      "KILL,STALL_SHORT,TERM,WIPE,CUT,HALF_OPEN,WITHHOLD_COMMIT,FAIL_REQUEST,MORE_PARTITIONS,"
          + "REGISTRY_AWAY,DATABASE_AWAY,WORKER_KILL";

  @TempDir Path dir;

  @Test
  void nothing_is_lost_doubled_or_early_whatever_breaks() {
    List<String> arguments =
        List.of(
            "--faults",
            Integer.toString(FAULTS),
            "--seed",
            Long.toString(SEED),
            "--partitions",
            "2",
            "--transactions",
            Long.toString(1 + SEED / 2 % 2),
            "--only",
            KINDS);
    System.out.println("repeat with: verify/bench/run chaos " + String.join(" ", arguments));
    CommandLine chaos = new CommandLine(new ChaosCommand());
    assertThat(chaos.execute(with(arguments, "--dir", dir.toString()))).isZero();
  }

  private static String[] with(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new);
  }
}
