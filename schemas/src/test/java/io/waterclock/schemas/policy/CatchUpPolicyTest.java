package io.waterclock.schemas.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CatchUpPolicyTest {
  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void help_and_pages_have_every_policy(CatchUp policy) throws IOException {
    String name = policy.name().toLowerCase(Locale.ROOT);
    assertThat(CatchUpPolicy.HELP).contains(name + " ");
    assertThat(Files.readString(Path.of("..", "docs", "record.md"))).contains("\n| `" + name + "`");
    assertThat(Files.readAllLines(Path.of("..", "docs", "consuming.md")))
        .anyMatch(line -> line.startsWith("| `") && line.contains("`" + policy + "`"));
  }
}
