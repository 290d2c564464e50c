package io.waterclock.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.read.NextOccurrences;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.definition.Calendars;
import io.waterclock.files.DefinitionFiles;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written where the cluster has one schedule, "a". */
class ComparisonTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private static ApplyRules rules(String set, boolean prune) {
    return new ApplyRules(
        Optional.of(set).filter(name -> !name.isEmpty()),
        prune,
        false,
        false,
        ZoneId.of("UTC"),
        NOW);
  }

  private static Comparison compare(KnownSchedule entry, String file, ApplyRules rules) {
    NextOccurrences next = new NextOccurrences(ZoneOffset.UTC, NOW, Calendars.NONE);
    return new Comparison(rules, Map.of("a", entry), Map.of(), new Effects(next, next))
        .run(DefinitionFiles.of("f.yaml", file.getBytes(UTF_8), ZoneOffset.UTC));
  }

  private static Schedule schedule(String json) {
    return RecordCodecs.schedule().decode(json.replace('\'', '"').getBytes(UTF_8));
  }

  /** Written as it is, and accepted in a zone. */
  private static KnownSchedule accepted(String json, String zone) {
    Schedule accepted = schedule(json);
    accepted.setTimezone(zone);
    return KnownSchedule.of("a")
        .with(Optional.of(new WrittenDefinition("r@1", Optional.of(schedule(json)))))
        .withStatus(Optional.of(status("r@1", Optional.empty())))
        .withRevision(
            Revision.newBuilder()
                .setScheduleId("a")
                .setRevision("r@1")
                .setSchedule(accepted)
                .setOwnsAfter(NOW)
                .setEffectiveAt(NOW)
                .setAcceptedAt(NOW)
                .setTzdb("")
                .build());
  }

  private static ScheduleStatus status(String revision, Optional<String> rejected) {
    return ScheduleStatus.newBuilder()
        .setScheduleId("a")
        .setState(State.ACTIVE)
        .setSince(NOW)
        .setRevision(revision)
        .setRejectedRevision(rejected.orElse(null))
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'cron':'0 9 * * *'}                         | cron: \"0 9 * * *\"",
        "{'cron':'0 9 * * *'}                         | {cron: \"0 9 * * *\", catch_up: collapse}",
        "{'cron':'0 9 * * *','grace':'PT60S'}         | {grace: 1m, cron: \"0 9 * * *\"}",
        "{'cron':'0 9 * * *','timezone':'UTC'}        | {cron: \"0 9 * * *\", timezone: UTC}",
        "{'every':'PT5M'}                             | every: 5m",
        "{'every':'5m','skip':['2026-11-22T00:00:00Z','2026-11-21T00:00:00Z']} | {every: 5m, skip:"
            + " [2026-11-21T00:00:00Z, 2026-11-22T00:00:00Z]}",
        "{'in':'1h'}                                  | in: 60m",
      })
  void a_definition_that_means_the_same_is_unchanged(String inForce, String file) {
    String document =
        file.startsWith("{") ? "{schedule: a, " + file.substring(1) : "schedule: a\n" + file;
    Comparison found = compare(accepted(inForce, "UTC"), document, rules("", false));
    assertThat(found.changes()).isEmpty();
    assertThat(found.unchanged()).isEqualTo(1);
  }

  @Test
  void the_schedulers_own_time_zone_is_no_difference_but_a_named_one_is() {
    String file = "schedule: a\ncron: \"0 9 * * *\"";
    assertThat(
            compare(accepted("{'cron':'0 9 * * *'}", "Asia/Tokyo"), file, rules("", false))
                .changes())
        .isEmpty();
    assertThat(
            compare(
                    accepted("{'cron':'0 9 * * *','timezone':'Asia/Tokyo'}", "Asia/Tokyo"),
                    file,
                    rules("", false))
                .changes())
        .singleElement()
        .satisfies(
            change ->
                assertThat(change.lines())
                    .containsExactly(
                        "~ schedule a",
                        "    timezone: \"Asia/Tokyo\" -> \"UTC\"",
                        "    next: 2026-11-22T00:00:00Z, 2026-11-23T00:00:00Z,"
                            + " 2026-11-24T00:00:00Z -> 2026-11-22T09:00:00Z,"
                            + " 2026-11-23T09:00:00Z, 2026-11-24T09:00:00Z"));
  }

  @Test
  void a_record_that_is_not_decided_or_was_rejected_is_written_again() {
    String file = "schedule: a\nevery: 5m";
    KnownSchedule known = accepted("{'every':'5m'}", "UTC");
    KnownSchedule undecided = known.withStatus(Optional.empty());
    assertThat(compare(undecided, file, rules("", false)).changes()).hasSize(1);
    KnownSchedule rejected =
        known
            .with(
                Optional.of(new WrittenDefinition("r@2", Optional.of(schedule("{'every':'1m'}")))))
            .withStatus(Optional.of(status("r@1", Optional.of("r@2"))));
    assertThat(compare(rejected, file, rules("", false)).changes()).hasSize(1);
    KnownSchedule replaced =
        known.with(
            Optional.of(new WrittenDefinition("r@3", Optional.of(schedule("{'every':'9m'}")))));
    assertThat(compare(replaced, file, rules("", false)).changes()).hasSize(1);
    KnownSchedule repeated =
        known.with(
            Optional.of(new WrittenDefinition("r@3", Optional.of(schedule("{'every':'5m'}")))));
    assertThat(compare(repeated, file, rules("", false)).changes()).isEmpty();
  }

  @Test
  void prune_removes_what_carries_the_label_of_its_set_only() {
    KnownSchedule own = accepted("{'every':'5m','labels':{'waterclock-set':'one'}}", "UTC");
    assertThat(compare(own, "", rules("one", true)).changes())
        .extracting(change -> change.lines().get(0))
        .containsExactly("- schedule a");
    assertThat(compare(own, "", rules("two", true)).changes()).isEmpty();
    assertThat(compare(own, "", rules("one", false)).changes()).isEmpty();
    assertThat(compare(accepted("{'every':'5m'}", "UTC"), "", rules("one", true)).changes())
        .isEmpty();
  }

  @Test
  void prune_does_not_believe_the_label_of_a_record_that_may_be_rejected() {
    String labelled = "{'every':'5m','labels':{'waterclock-set':'one'}}";
    KnownSchedule unknown =
        KnownSchedule.of("a")
            .with(Optional.of(new WrittenDefinition("r@2", Optional.of(schedule(labelled)))))
            .withStatus(Optional.of(status("r@1", Optional.of("r@2"))));
    assertThat(compare(unknown, "", rules("one", true)).changes()).isEmpty();
  }

  @Test
  void a_label_of_another_set_is_an_error() {
    KnownSchedule other = accepted("{'every':'5m','labels':{'waterclock-set':'two'}}", "UTC");
    assertThat(compare(other, "schedule: a\nevery: 5m", rules("one", false)).problems())
        .singleElement()
        .asString()
        .startsWith("f.yaml:1: a belongs to the set two");
    assertThat(
            compare(
                    KnownSchedule.of("a"),
                    "schedule: a\nevery: 5m\nlabels:\n  waterclock-set: two",
                    rules("one", false))
                .problems())
        .singleElement()
        .asString()
        .startsWith("f.yaml:4: a its label waterclock-set says two");
  }

  @ParameterizedTest
  @CsvSource({"at: now", "in: 5m", "at: 2026-11-21T10:00:00Z"})
  void a_new_schedule_that_fires_at_once_is_an_error(String trigger) {
    String file = "schedule: a\n" + trigger;
    assertThat(compare(KnownSchedule.of("a"), file, rules("", false)).problems())
        .singleElement()
        .asString()
        .contains("a would fire at once");
    KnownSchedule known = accepted("{'" + trigger.replaceFirst(": ", "':'") + "'}", "UTC");
    assertThat(compare(known, file, rules("", false)).problems()).isEmpty();
    assertThat(compare(known, file, rules("", false)).changes()).isEmpty();
  }
}
