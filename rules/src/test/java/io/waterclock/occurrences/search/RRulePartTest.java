package io.waterclock.occurrences.search;

import io.waterclock.occurrences.RRule;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RRulePartTest {

  @ParameterizedTest
  @EnumSource
  void each_part_has_an_example_that_is_right(RRulePart part) {
    RRule.parse(part.example(), Instant.parse("2026-01-01T00:00:00Z"), ZoneId.of("Europe/Berlin"))
        .requireOccurrence();
  }
}
