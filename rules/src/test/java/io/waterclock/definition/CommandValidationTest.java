package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.UnskipCommand;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CommandValidationTest {
  private static final String LONG = "x".repeat(1_001);

  @Test
  void every_command_may_say_so_much_about_itself() {
    UnskipCommand unskip = new UnskipCommand(Instant.EPOCH);
    assertThat(CommandValidation.problems(new Command("c", unskip, null, "why", "ann"))).isEmpty();
    assertThat(CommandValidation.problems(new Command("c", unskip, null, LONG, LONG)))
        .extracting(Problem::getField)
        .containsExactly("note", "author");
    assertThat(
            CommandValidation.problems(
                new Command("c", new PauseCommand(LONG, LONG, false), null, null, null)))
        .extracting(Problem::getField)
        .containsExactly("pause.note", "pause.author");
  }
}
