package io.waterclock.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.files.DefinitionFiles;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.decide.whatif.Side;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written where the cluster has one schedule, "a". */
class ComparisonTest {
  private static final String NOT_KNOWN =
      "    no field differs, but the newest record is not known to be in force: this one follows it";

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private static final Side SIDE = Side.of(Calendars.NONE);
  private static final Effects EFFECTS = new Effects(SIDE, SIDE, ZoneOffset.UTC, NOW);

  private static Comparison.Rules rules(String set, boolean prune) {
    return new Comparison.Rules(
        Optional.of(set).filter(name -> !name.isEmpty()),
        prune,
        false,
        false,
        ZoneId.of("UTC"),
        NOW);
  }

  private static Comparison compare(KnownSchedule entry, String file, Comparison.Rules rules) {
    return new Comparison(rules, Map.of("a", entry), Map.of(), Map.of(), EFFECTS)
        .run(DefinitionFiles.of("f.yaml", file.getBytes(UTF_8), ZoneOffset.UTC));
  }

  private static Schedule schedule(String json) {
    return RecordCodecs.schedule().decode(json.replace('\'', '"').getBytes(UTF_8));
  }

  /** Written as it is, and accepted in a zone. */
  private static KnownSchedule accepted(String json, String zone) {
    Schedule inForce = schedule(json);
    inForce.setTimezone(zone);
    return accepted(KnownSchedule.of("a"), "r@1", schedule(json))
        .withRevision(revision("a", "r@1", inForce));
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
    assertThat(compare(undecided, file, rules("", false)).changes())
        .singleElement()
        .satisfies(change -> assertThat(change.lines()).contains("~ schedule a", NOT_KNOWN));
    KnownSchedule rejected =
        known
            .with(
                Optional.of(new WrittenDefinition("r@2", Optional.of(schedule("{'every':'1m'}")))))
            .withStatus(Optional.of(status("r@1", Optional.of("r@2"))));
    assertThat(compare(rejected, file, rules("", false)).changes())
        .singleElement()
        .satisfies(
            change -> {
              String why =
                  "no field differs, but the newest record was rejected: this one ends the report"
                      + " of that";
              assertThat(change.lines()).contains("~ schedule a", "    " + why);
              assertThat(change.json().at("/effect/0").asText()).isEqualTo(why);
            });
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
  void a_record_that_may_have_been_rejected_is_not_unchanged() {
    KnownSchedule left = // the revision in force has left its topic
        KnownSchedule.of("a")
            .with(
                Optional.of(new WrittenDefinition("r@2", Optional.of(schedule("{'every':'5m'}")))))
            .withStatus(Optional.of(status("r@1", Optional.empty())));
    Comparison found = compare(left, "schedule: a\nevery: 5m", rules("", false));
    assertThat(found.unchanged()).isZero();
    assertThat(found.changes())
        .singleElement()
        .satisfies(change -> assertThat(change.lines()).contains("~ schedule a", NOT_KNOWN));
    KnownSchedule itself = left.withStatus(Optional.of(status("r@2", Optional.empty())));
    assertThat(compare(itself, "schedule: a\nevery: 5m", rules("", false)).unchanged()).isOne();
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
  @ValueSource(booleans = {false, true})
  void the_next_apply_completes_one_that_was_killed_between_any_two_writes(boolean lastIsDecided) {
    String files =
        """
        calendar: new
        dates: [2026-12-25]
        ---
        calendar: edited
        dates: [2026-12-25]
        ---
        schedule: added
        every: 5m
        except: [new]
        ---
        schedule: changed
        every: 6m
        ---
        schedule: same
        every: 7m
        labels: {waterclock-set: one}
        """;
    Map<String, KnownSchedule> known = new TreeMap<>();
    for (String id : List.of("changed", "same", "pruned", "pruned-too")) {
      String form = "{'every':'7m','labels':{'waterclock-set':'one'}}";
      known.put(id, accepted(KnownSchedule.of(id), "r@1", schedule(form)));
    }
    known.put("foreign", accepted(KnownSchedule.of("foreign"), "r@1", schedule("{'every':'7m'}")));
    Map<String, Calendar> calendars =
        Map.of("edited", Calendar.newBuilder().build(), "foreign", Calendar.newBuilder().build());
    List<Difference> all = compare(known, calendars, files).changes();
    assertThat(names(all))
        .containsExactly("new", "edited", "added", "changed", "pruned", "pruned-too");
    for (int writes = 0; writes <= all.size(); writes++) {
      Map<String, KnownSchedule> left = new TreeMap<>(known);
      Map<String, Calendar> leftCalendars = new TreeMap<>(calendars);
      boolean isOpen = false;
      for (Difference change : all.subList(0, writes)) {
        boolean isLast = change.equals(all.get(writes - 1));
        isOpen = isLast && !lastIsDecided && change.isSchedule() && change.value().isPresent();
        write(change, left, leftCalendars, !isLast || lastIsDecided);
      }
      List<Difference> rest = compare(left, leftCalendars, files).changes();
      int done = isOpen ? writes - 1 : writes; // its answer is not known, so it is written again
      assertThat(names(rest)).isEqualTo(names(all.subList(done, all.size())));
      rest.forEach(change -> write(change, left, leftCalendars, true));
      assertThat(compare(left, leftCalendars, files).changes()).isEmpty();
      left.values().removeIf(entry -> entry.definition().isEmpty()); // the scheduler reads it last
      assertThat(left).containsOnlyKeys("added", "changed", "foreign", "same");
      assertThat(left.get("foreign")).isEqualTo(known.get("foreign"));
      assertThat(leftCalendars).containsOnlyKeys("edited", "foreign", "new");
    }
  }

  @Test
  void a_limit_keeps_the_pause_of_a_person_unless_its_file_has_one() {
    LimitPause pause = new LimitPause("their release", "ann", null);
    Map<String, Limit> limits =
        Map.of(
            "etl", Limit.newBuilder().setMaxRunning(4).setPaused(pause).build(),
            "partner", Limit.newBuilder().setPerSecond(50).setPaused(pause).build(),
            "foreign", Limit.newBuilder().setMaxRunning(1).build());
    String files =
        """
        limit: etl
        max_running: 4
        ---
        limit: partner
        per_second: 60
        ---
        limit: new
        closed: [{cron: "0 22 * * *", duration: 1h}]
        """;
    Comparison found =
        new Comparison(rules("one", true), Map.of(), Map.of(), limits, EFFECTS)
            .run(DefinitionFiles.of("f.yaml", files.getBytes(UTF_8), ZoneOffset.UTC));
    assertThat(found.problems()).isEmpty();
    assertThat(found.unchanged()).isEqualTo(1);
    assertThat(names(found.changes())).containsExactly("partner", "new");
    Limit written = RecordCodecs.limit().decode(found.changes().get(0).value().orElseThrow());
    assertThat(written.getPaused()).isEqualTo(pause);
    assertThat(found.changes().get(0).lines())
        .containsExactly("~ limit partner", "    per_second: 50 -> 60");
  }

  private static List<String> names(List<Difference> changes) {
    return changes.stream().map(Difference::name).toList();
  }

  private static Comparison compare(
      Map<String, KnownSchedule> known, Map<String, Calendar> calendars, String files) {
    return new Comparison(rules("one", true), known, calendars, Map.of(), EFFECTS)
        .run(DefinitionFiles.of("f.yaml", files.getBytes(UTF_8), ZoneOffset.UTC));
  }

  /**
   * As the topics are after a write, and, if {@code isDecided}, after the scheduler has read it.
   */
  private static void write(
      Difference change,
      Map<String, KnownSchedule> known,
      Map<String, Calendar> calendars,
      boolean isDecided) {
    String name = change.name();
    if (!change.isSchedule()) {
      calendars.put(name, RecordCodecs.calendar().decode(change.value().orElseThrow()));
    } else if (change.value().isPresent()) {
      Schedule written = RecordCodecs.schedule().decode(change.value().get());
      KnownSchedule before = known.getOrDefault(name, KnownSchedule.of(name));
      known.put(
          name,
          isDecided
              ? accepted(before, "r@2", written)
              : before.with(Optional.of(new WrittenDefinition("r@2", Optional.of(written)))));
    } else if (isDecided) {
      known.remove(name);
    } else {
      known.computeIfPresent(name, (id, entry) -> entry.with(Optional.empty()));
    }
  }

  private static KnownSchedule accepted(KnownSchedule before, String revision, Schedule written) {
    Schedule inForce = Schedule.newBuilder(written).build();
    inForce.setTimezone("UTC");
    return before
        .with(Optional.of(new WrittenDefinition(revision, Optional.of(written))))
        .withStatus(Optional.of(status(revision, Optional.empty())))
        .withRevision(revision(before.id(), revision, inForce));
  }

  private static Revision revision(String id, String revision, Schedule inForce) {
    return Revision.newBuilder()
        .setScheduleId(id)
        .setRevision(revision)
        .setSchedule(inForce)
        .setOwnsAfter(NOW)
        .setEffectiveAt(NOW)
        .setAcceptedAt(NOW)
        .setTzdb("")
        .build();
  }

  @Test
  void prune_leaves_a_record_whose_key_is_no_id() {
    KnownSchedule stranger =
        KnownSchedule.of("no id!")
            .with(
                Optional.of(
                    new WrittenDefinition(
                        "r@1",
                        Optional.of(
                            schedule("{'every':'5m','labels':{'waterclock-set':'one'}}")))));
    assertThat(compare(stranger, "", rules("one", true)).changes()).isEmpty();
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
