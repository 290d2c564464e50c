package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class EditFormTest {
  @Test
  void the_form_offers_every_policy_of_catch_up() throws IOException {
    Path script = Path.of("src/main/resources/io/waterclock/console/web/edit.js");
    String field =
        Files.readString(script, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.strip().startsWith("['catch_up',"))
            .findFirst()
            .orElseThrow();
    assertThat(Stream.of(CatchUp.values()).map(one -> "'" + one.name().toLowerCase(Locale.ROOT)))
        .allMatch(name -> field.contains(name + "'"));
  }
}
