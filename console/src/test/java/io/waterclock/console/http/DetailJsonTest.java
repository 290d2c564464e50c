package io.waterclock.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identity;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.console.model.ReadModel;
import io.waterclock.occurrences.Cron;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DetailJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static final Access VIEWER = AccessRules.parse("viewer vera").of(Identity.of("vera"));

  @Test
  void definition_with_a_zone_that_is_none_is_shown_as_it_is() {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setTimezone("Europe/Berln")
            .build();
    model.write(to -> to.written("a", "waterclock.schedules-0@7", Optional.of(schedule), NOW));
    ObjectNode tree =
        new DetailJson(Topics.ofDefault())
            .of(
                model.read(all -> all.view("a", 1, NOW)).orElseThrow(),
                VIEWER,
                Optional.empty(),
                Optional.empty(),
                NOW);
    assertThat(tree.path("zone").asText()).isEqualTo("Europe/Berln");
    assertThat(tree.path("next")).isEmpty();
  }

  @Test
  void a_trigger_is_in_words_of_the_browsers_language_where_there_are_some() {
    assertThat(words("0 9 * * 1-5", Optional.of("de-AT")))
        .isEqualTo("Um 09:00 jede Tag zwischen Montag und Freitag, UTC [de]");
    assertThat(words("0 9 * * 1-5", Optional.of("en-GB")))
        .isEqualTo("At 09:00 on Monday to Friday, UTC [en]");
    assertThat(words("0 9 * * 1-5", Optional.of("cs"))).endsWith(", UTC [en]");
    assertThat(words("0 9 * * 1-5", Optional.of("\"'"))).endsWith(", UTC [en]");
    assertThat(words("0 9 * * 1-5", Optional.empty())).endsWith(", UTC [en]");
    assertThat(words("0 0 */2 * 3", Optional.of("de"))).startsWith("At 00:00").endsWith(" [en]");
  }

  @Test
  void a_sentence_belongs_to_its_expression_zone_and_language_and_no_answer_is_kept_too() {
    DetailJson details = new DetailJson(Topics.ofDefault());
    Cron utc = Cron.parse("0 9 * * *", ZoneOffset.UTC);
    Cron tokyo = Cron.parse("0 9 * * *", ZoneId.of("Asia/Tokyo"));
    Cron read = Cron.parse("0 0 */2 * 3", ZoneOffset.UTC);
    for (int i = 0; i < 2; i++) {
      assertThat(details.sentence(utc, Locale.GERMAN, NOW)).contains("Um 09:00, Z");
      assertThat(details.sentence(tokyo, Locale.GERMAN, NOW)).contains("Um 09:00, Asia/Tokyo");
      assertThat(details.sentence(utc, Locale.FRENCH, NOW)).contains("À 09:00, Z");
      assertThat(details.sentence(read, Locale.GERMAN, NOW)).isEmpty();
    }
  }

  /** From a hundred days before a change of clocks on, the two disagree about it. */
  @Test
  void a_sentence_is_looked_for_again_after_an_hour() {
    DetailJson details = new DetailJson(Topics.ofDefault());
    Cron berlin = Cron.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));
    Instant before = Instant.parse("2027-03-28T01:00:00Z").minus(Duration.ofDays(102));
    Instant later = before.plus(Duration.ofDays(3));
    assertThat(details.sentence(berlin, Locale.GERMAN, before)).isPresent();
    assertThat(details.sentence(berlin, Locale.GERMAN, before.plusSeconds(3_599))).isPresent();
    assertThat(details.sentence(berlin, Locale.GERMAN, later)).isEmpty();
  }

  @Test
  void facts_say_what_applies_by_default_too() {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setOwner("reports")
            .setLabels(Map.of("team", "money"))
            .setExcept(List.of("holidays"))
            .build();
    model.write(to -> to.written("a", "waterclock.schedules-0@7", Optional.of(schedule), NOW));
    List<Fact> facts =
        Fact.of(
            model.read(all -> all.schedule("a")).orElseThrow(), model.read(ModelQueries::upcoming));
    assertThat(facts.stream().map(fact -> fact.name() + ": " + fact.text()))
        .containsExactly(
            "Owner: reports",
            "Label: team=money",
            "Time zone: Z",
            "Missed occurrences: collapse, when more than 1m late",
            "Overlap: allow",
            "Calendar: holidays",
            "On its dates: skip",
            "Attempts: up to 4");
    assertThat(facts.get(0).list()).isEqualTo(Map.of("owner", "reports"));
  }

  private static String words(String cron, Optional<String> language) {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 1));
    Schedule schedule =
        Schedule.newBuilder().setTrigger(new CronTrigger(cron)).setTimezone("UTC").build();
    model.write(to -> to.written("a", "waterclock.schedules-0@7", Optional.of(schedule), NOW));
    ObjectNode tree =
        new DetailJson(Topics.ofDefault())
            .of(
                model.read(all -> all.view("a", 1, NOW)).orElseThrow(),
                VIEWER,
                language,
                Optional.empty(),
                NOW);
    return tree.path("words").asText() + " [" + tree.path("words_language").asText() + "]";
  }
}
