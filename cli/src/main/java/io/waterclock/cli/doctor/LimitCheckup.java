package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.limits.LimitBook;
import io.waterclock.console.limits.LimitRow;
import io.waterclock.console.limits.LimitText;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is wrong with limits: paused ones, fires that wait for longer than from one occurrence to
 * the next, and names without a limit. Pure.
 */
record LimitCheckup(LimitBook book, Instant now) {
  /** Schedules, and one of them. */
  private record Some(long count, String first) {
    private static Some of(String id) {
      return new Some(1, id);
    }

    private Some and(Some other) {
      return new Some(count + other.count, first.compareTo(other.first) < 0 ? first : other.first);
    }

    private String text(String verb, String verbOfMany) {
      return count == 1
          ? first + " " + verb
          : count + " schedules, such as " + first + ", " + verbOfMany;
    }
  }

  /** All limits. */
  List<Symptom> symptoms(List<KnownSchedule> schedules) {
    Map<String, Some> users = new HashMap<>();
    for (KnownSchedule entry : schedules) {
      name(entry).ifPresent(name -> users.merge(name, Some.of(entry.id()), Some::and));
    }
    SortedMap<String, Some> late = new TreeMap<>();
    book.late(now).forEach((id, wait) -> late.merge(wait.limit(), Some.of(id), Some::and));
    Map<String, Long> counts = new HashMap<>();
    users.forEach((name, some) -> counts.put(name, some.count()));
    List<Symptom> symptoms = new ArrayList<>();
    long running = 0;
    long waiting = 0;
    List<LimitRow> rows = book.rows(counts, now);
    for (LimitRow row : rows) {
      running += row.running();
      waiting += row.waiting();
      paused(row).ifPresent(symptoms::add);
      Optional.ofNullable(late.get(row.name()))
          .map(some -> late(row.name(), some))
          .ifPresent(symptoms::add);
      Optional.ofNullable(users.get(row.name()))
          .filter(some -> !row.isDefined())
          .map(some -> unknown(row.name(), some))
          .ifPresent(symptoms::add);
    }
    if (!rows.isEmpty()) {
      symptoms.add(
          Symptom.good(
              "limits", "%s fires with a limit run, %s wait.".formatted(running, waiting)));
    }
    return symptoms;
  }

  private Optional<Symptom> paused(LimitRow row) {
    return row.pause()
        .map(
            pause ->
                Symptom.paused(
                    about(row.name()),
                    "It is paused%s, since %s or earlier%s; %s fires wait%s. waterclock limits resume %s ends the pause."
                        .formatted(
                            pause.author().map(author -> " by " + author).orElse(""),
                            pause.since(),
                            pause.note().map(note -> " (" + note + ")").orElse(""),
                            row.waiting(),
                            row.oldest()
                                .map(one -> ", the oldest for " + ago(one.due()))
                                .orElse(""),
                            row.name())));
  }

  private Symptom late(String name, Some some) {
    LimitBook.OldestWait wait = book.oldestOf(some.first(), now).orElseThrow();
    return Symptom.bad(
        about(name),
        some.text("waits", "wait")
            + " for longer than from one occurrence to the next. Of "
            + some.first()
            + ": "
            + LimitText.waiting(wait, book, now));
  }

  private static Symptom unknown(String name, Some some) {
    return Symptom.bad(about(name), some.text("names", "name") + " it. " + LimitText.unknown(name));
  }

  /** One schedule; empty if its limit does nothing to it now. */
  Optional<Symptom> ofSchedule(KnownSchedule entry) {
    Optional<LimitBook.OldestWait> wait = book.oldestOf(entry.id(), now);
    if (wait.isPresent()) {
      String text = LimitText.waiting(wait.get(), book, now);
      return Optional.of(
          wait.get().isLate(now) ? Symptom.bad(entry.id(), text) : Symptom.good(entry.id(), text));
    }
    return name(entry)
        .filter(name -> !book.isDefined(name))
        .map(name -> Symptom.bad(entry.id(), LimitText.unknown(name)));
  }

  private static Optional<String> name(KnownSchedule entry) {
    return entry
        .schedule()
        .map(Schedule::getLimit)
        .filter(name -> entry.state().filter(State.ACTIVE::equals).isPresent());
  }

  private static String about(String name) {
    return "limit " + name;
  }

  private String ago(Instant at) {
    return DurationText.text(Duration.between(at, now).abs());
  }
}
