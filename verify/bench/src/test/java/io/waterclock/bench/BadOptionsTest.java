package io.waterclock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers that nothing can be measured with are refused at once, before anything is started. */
final class BadOptionsTest {

  @ParameterizedTest
  @CsvSource({
    "herd --schedules 0, --schedules 0: wants 1 or more",
    "herd --warm-up 0, --warm-up 0: wants 1 or more",
    "herd --commit-ms 0, --commit-ms 0: wants 1 or more",
    "herd --partitions 0, --partitions 0: wants 1 or more",
    "lateness --rate 0, --rate 0: wants 1 or more",
    "lateness --rate -5, --rate -5: wants 1 or more",
    "lateness --seconds 0, --seconds 0: wants 1 or more",
    "lateness --commit-ms 0, --commit-ms 0: wants 1 or more",
    "peers --herd 0, --herd 0: wants 1 or more",
    "recovery --schedules 0, --schedules 0: wants 1 or more",
    "peers --partitions 0, --partitions 0: wants 1 or more",
    "peers --rate 1000000, '--rate 1000000 for 90 s, warm-up included: wants 20,000,000'",
    "lateness --rate 2000000000, --rate 2000000000 for 90 s",
    "lateness --seconds 1800, '--warm-up and --seconds together 1860: wants 1800 or less'",
    "catchup --warm-up 700, '--warm-up 700: wants 600 or less'",
    "recovery --seconds 3, --seconds 3: wants 4 or more",
    "recovery --partitions 1, --partitions 1: wants 2 or more",
    "recovery --partitions 101, '--partitions 101: wants 100 or less'",
    "recovery --crashes 0, --crashes 0: wants 1 or more",
    "idle --seconds 0, --seconds 0: wants 1 or more",
    "'idle --schedules 100,10', wants sizes that ascend",
    "lifecycle --schedules 0, --schedules 0: wants 1 or more",
    "chaos --brokers 2, --brokers 2: wants 1 or 3",
    "chaos --transactions 3, --transactions 3: wants 1 or 2",
    "worker --rounds 0, --rounds 0: wants 1 or more",
  })
  void are_reported(String arguments, String message) {
    PrintStream before = System.err;
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    System.setErr(new PrintStream(reported, true, StandardCharsets.UTF_8));
    int exit;
    try {
      exit = Main.run(List.of(arguments.split(" ")));
    } finally {
      System.setErr(before);
    }

    assertThat(reported.toString(StandardCharsets.UTF_8)).startsWith("bench: ").contains(message);
    assertThat(exit).isEqualTo(2);
  }
}
