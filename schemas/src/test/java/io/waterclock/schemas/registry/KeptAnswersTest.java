package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.UndecodableException.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class KeptAnswersTest {
  private static final Duration QUIET = Duration.ofSeconds(1);

  private Lookup answer = new Lookup.Known(RecordCodecs.schedule().schema());
  private int asked;
  private long nowNs;
  private final KeptAnswers answers =
      new KeptAnswers(
          id -> {
            asked++;
            return answer;
          },
          () -> nowNs,
          QUIET);

  @Test
  void outage_is_over_when_the_registry_answers() {
    Lookup known = answer;
    answer = new Lookup.Unavailable("HTTP 503");
    assertThat(answers.lookup(5)).isEqualTo(answer);
    assertThat(answers.lookup(5)).isEqualTo(answer);
    assertThat(answers.lookup(6)).as("nor is it asked for another").isEqualTo(answer);
    assertThat(asked).isEqualTo(1);
    answer = known;
    nowNs += QUIET.toNanos();
    assertThat(answers.lookup(5)).isEqualTo(known);
    assertThat(answers.lookup(5)).isEqualTo(known);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void known_schemas_are_had_in_an_outage() {
    Lookup known = answers.lookup(5);
    answer = new Lookup.Unavailable("HTTP 503");
    assertThat(answers.lookup(6)).isEqualTo(answer);
    assertThat(answers.lookup(5)).isEqualTo(known);
  }

  @Test
  void of_ids_that_do_not_exist_the_newest_are_kept() {
    answer = new Lookup.Refused(Reason.UNKNOWN_SCHEMA, "not found");
    int all = KeptSchemas.MOST_REFUSALS + 1;
    for (int id = 1; id <= all; id++) {
      assertThat(answers.lookup(id)).isEqualTo(answer);
    }
    assertThat(answers.lookup(all)).isEqualTo(answer);
    assertThat(asked).isEqualTo(all);
    assertThat(answers.lookup(1)).as("the oldest").isEqualTo(answer);
    assertThat(asked).isEqualTo(all + 1);
  }
}
