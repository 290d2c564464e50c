package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.access.Access;
import io.waterclock.console.jobs.SharedResults;
import io.waterclock.console.model.Diagnosis;
import io.waterclock.console.model.FiredOccurrence;
import io.waterclock.console.model.KeptPayload;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.PartitionRow;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.model.ViewJson;
import io.waterclock.console.preview.CronSentence;
import io.waterclock.occurrences.ClockEffect;
import io.waterclock.occurrences.ClockEffects;
import io.waterclock.occurrences.Description;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

final class DetailJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int NEXT = 20;

  /** How many of the newest it shows. */
  static final int FIRES = 100;

  private static final int MOST_SENTENCES = 256;

  /** The occurrences that a sentence is compared by move on. */
  private static final Duration SENTENCES_KEPT = Duration.ofHours(1);

  private static final Duration CLOCK_CHANGES = Duration.ofDays(366);

  private final Topics topics;

  /** A sentence costs some milliseconds, and a page asks for the same every few seconds. */
  private final SharedResults<Asked, Optional<String>> sentences =
      new SharedResults<>(MOST_SENTENCES);

  private record Asked(Trigger trigger, Locale locale) {}

  DetailJson(Topics topics) {
    this.topics = topics;
  }

  /**
   * @param language a language tag; the trigger is described in it if possible
   * @param unreadable why the topics cannot be read now
   */
  ObjectNode of(
      ModelQueries.Detail view,
      Access access,
      Optional<String> language,
      Optional<String> unreadable,
      Instant now) {
    KnownSchedule whole = view.known();
    KnownSchedule known = access.shown(whole).orElseThrow();
    Upcoming upcoming = view.upcoming();
    Optional<PartitionRow> partition = view.partition();
    ObjectNode tree =
        JSON.objectNode()
            .put("id", known.id())
            .put("state", known.state().map(Enum::name).orElse("PENDING"))
            .put("zone", upcoming.zoneName(known))
            .put("edits", revision(known).orElse(""));
    known.status().ifPresent(status -> status(status, tree));
    known.schedule().ifPresent(schedule -> definition(schedule, tree));
    tree.set("facts", ViewJson.list(Fact.of(known, upcoming)));
    tree.put(
        "edit_rejected",
        known.newestIsRejected() && !known.state().equals(Optional.of(State.REJECTED)));
    tree.put("payload_hidden", !known.schedule().equals(whole.schedule()));
    Optional<Trigger> trigger = trigger(known, upcoming);
    trigger.ifPresent(one -> words(one, language, this::sentence, now, tree));
    ArrayNode why = tree.putArray("why");
    Stream.concat(
            Diagnosis.of(known, upcoming, partition, unreadable, now).stream(),
            view.limit().stream())
        .sorted(Comparator.comparing(Diagnosis::level))
        .forEach(
            diagnosis -> {
              ObjectNode one =
                  why.addObject()
                      .put("level", diagnosis.level().name())
                      .put("text", diagnosis.text());
              diagnosis.at().map(Instant::toString).ifPresent(at -> one.put("at", at));
            });
    tree.set("next", ViewJson.list(upcoming.after(known, now, NEXT)));
    ArrayNode clocks = tree.putArray("clock_changes");
    trigger
        .map(known2 -> ClockEffects.of(known2, now, now.plus(CLOCK_CHANGES)))
        .orElse(List.of())
        .forEach(effect -> clock(effect, clocks));
    partition.ifPresent(
        row ->
            tree.putObject("partition")
                .put("number", row.number())
                .put("instance", row.instance())
                .put("decided_through", row.decidedThrough().toString()));
    past(view, tree);
    boolean seesOutput = access.seesPayload(known.id());
    tree.set("backfill_progress", ViewJson.list(view.backfills()));
    view.runs()
        .forEach(run -> tree.withArray("runs").add(ViewJson.of(RunView.of(run, seesOutput))));
    return tree;
  }

  /** A run as the page shows it. */
  record RunView(
      Instant occurrence,
      Optional<String> commandId,
      Optional<String> backfill,
      Optional<OutcomeState> state,
      int attempts,
      Optional<Instant> startedAt,
      Optional<Instant> endedAt,
      Optional<Long> durationMs,
      Optional<String> worker,
      Optional<String> reason,
      Optional<String> error,
      Optional<String> output,
      Optional<Instant> retryAt) {

    /**
     * @param isWhole whether the person may see what the run put out, as its payload
     */
    static RunView of(FireRun run, boolean isWhole) {
      return new RunView(
          run.fire().occurrence(),
          run.fire().commandId(),
          run.backfill(),
          run.state(),
          run.attempts(),
          run.startedAt(),
          run.endedAt(),
          run.duration().map(Duration::toMillis),
          run.worker(),
          run.reason(),
          run.error(),
          run.output().filter(text -> isWhole),
          run.retryAt());
    }
  }

  /** Empty also if only a scheduler of another version reads it. */
  private static Optional<Trigger> trigger(KnownSchedule known, Upcoming upcoming) {
    try {
      return upcoming.trigger(known);
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  /** As {@link CronSentence#of}, for an hour the same. */
  Optional<String> sentence(Trigger trigger, Locale locale, Instant now) {
    return sentences
        .get(
            new Asked(trigger, locale),
            now,
            () ->
                new SharedResults.Kept<>(
                    CronSentence.of(trigger, locale, now), now.plus(SENTENCES_KEPT)))
        .join();
  }

  /** Finds the sentence of a trigger in a language, as {@link CronSentence#of} does. */
  interface Sentences {
    Optional<String> of(Trigger trigger, Locale locale, Instant now);
  }

  /** The trigger in words, in English where there are none in the language. */
  static void words(
      Trigger trigger,
      Optional<String> language,
      Sentences sentences,
      Instant now,
      ObjectNode tree) {
    Optional<Locale> other =
        language
            .map(Locale::forLanguageTag)
            .filter(asked -> !asked.getLanguage().equals(Locale.ENGLISH.getLanguage()));
    Optional<String> translated = other.flatMap(asked -> sentences.of(trigger, asked, now));
    tree.put("words", translated.orElseGet(() -> Description.of(trigger)))
        .put(
            "words_language",
            other.filter(asked -> translated.isPresent()).map(Locale::getLanguage).orElse("en"));
  }

  /** The revision that an edit must know: the one in force, or else the newest record. */
  static Optional<String> revision(KnownSchedule known) {
    return known
        .status()
        .map(ScheduleStatus::getRevision)
        .or(() -> known.definition().map(WrittenDefinition::revision));
  }

  private void past(ModelQueries.Detail view, ObjectNode tree) {
    ArrayNode fires = tree.putArray("fires");
    for (FiredOccurrence fire : view.fires()) {
      ObjectNode one = ViewJson.of(fire);
      one.remove(List.of("partition", "offset"));
      fires.add(one.put("place", topics.fires() + "-" + fire.partition() + "@" + fire.offset()));
    }
    tree.set("commands", ViewJson.list(view.commands()));
    tree.set("missed", ViewJson.list(view.missed()));
  }

  private static void status(ScheduleStatus status, ObjectNode tree) {
    ObjectNode form = (ObjectNode) RecordCodecs.status().toJson(status);
    form.remove(List.of("schedule_id", "state"));
    tree.setAll(form);
  }

  private static void definition(Schedule schedule, ObjectNode tree) {
    tree.put("trigger", TriggerLine.of(schedule)).set("definition", withoutPayload(schedule));
    KeptPayload.in(schedule).ifPresent(payload -> tree.put("payload_bytes", payload.bytes()));
  }

  /** Of a definition of the read model, which keeps no payload. */
  static ObjectNode withoutPayload(Schedule kept) {
    Schedule without = Schedule.newBuilder(kept).setPayload(null).build();
    return (ObjectNode) RecordCodecs.schedule().toJson(without);
  }

  static void clock(ClockEffect effect, ArrayNode clocks) {
    String what =
        switch (effect.kind()) {
          case MOVED -> "the times in the gap do not exist; it occurs once when the gap ends";
          case DROPPED -> "the times in the gap do not exist; nothing occurs instead";
          case DOUBLED -> "the times come twice, and it occurs both times";
          case FIRST_PASS -> "the times come twice; it occurs the first time only";
        };
    clocks
        .addObject()
        .put("at", effect.at().toString())
        .put("first", effect.first().toString())
        .put("last", effect.last().toString())
        .put("times", effect.times())
        .put("text", what);
  }
}
