package io.waterclock.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class OptionsTest {
  private static Options parse(String... arguments) {
    Options options = new Options();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }

  @Test
  void the_baseline_gets_the_producer_settings_of_the_scheduler() {
    Options options =
        parse(
            "--set",
            "num.stream.threads=2",
            "--set",
            "linger.ms=7",
            "--set",
            "batch.size=1",
            "--set",
            "producer.batch.size=2");

    assertThat(options.producerSettings())
        .containsEntry("linger.ms", "7")
        .containsEntry("batch.size", "2")
        .containsEntry("buffer.memory", "67108864")
        .doesNotContainKeys("num.stream.threads", "producer.batch.size");
  }

  @Test
  void jvm_options_are_split_at_blanks() {
    assertThat(parse().schedulerJvm()).containsExactly("-Xms1g", "-Xmx1g");
    assertThat(parse("--broker-jvm", " -Xmx2g  -ea").brokerJvm()).containsExactly("-Xmx2g", "-ea");
    assertThat(parse("--broker-jvm", "").brokerJvm()).isEmpty();
  }
}
