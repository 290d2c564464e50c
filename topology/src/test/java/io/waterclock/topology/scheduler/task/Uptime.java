package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares a scheduler that stops with one that does not. Knows of the rules only that a delete or
 * a pause wins: what was due in an outage before it, and had not fired, is missed.
 */
final class Uptime {
  private static final Set<MissedReason> WON = Set.of(MissedReason.DELETED, MissedReason.PAUSED);

  /** What was due just before an outage may have been in the open transaction. */
  private static final Duration OPEN = Duration.ofSeconds(10);

  /** How long a complete schedule is kept. */
  static final Duration RETENTION = Duration.ofMinutes(1);

  /** A command waits for the definition of its schedule so long. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final History history;
  private final Playback.Result always;
  private final Playback.Result stopped;

  private Uptime(History history, Playback.Result always, Playback.Result stopped) {
    this.history = history;
    this.always = always;
    this.stopped = stopped;
  }

  /** A difference in words; empty if uptime does not show. */
  static Optional<String> shows(History history, Playback.Result always, Playback.Result stopped) {
    Uptime uptime = new Uptime(history, always, stopped);
    List<String> differences =
        Stream.of(uptime.fires(), uptime.missed(), uptime.accounts())
            .flatMap(found -> found)
            .sorted()
            .toList();
    return differences.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", differences));
  }

  private Stream<String> fires() {
    Map<String, Fire> expected = byIdentity(always.fires());
    Map<String, Fire> found = byIdentity(stopped.fires());
    Stream<String> lost =
        expected.entrySet().stream()
            .filter(fire -> !found.containsKey(fire.getKey()))
            .map(Map.Entry::getValue)
            .filter(fire -> !mayBeWon(fire.getScheduleId(), fire.getFiredAt()))
            .filter(fire -> !ranOtherwise(fire.getScheduleId(), at(fire)))
            .filter(fire -> !waited(fire) || !isTriggered(fire, stopped))
            .map(fire -> "not fired: " + Playback.text(fire));
    Stream<String> extra =
        found.entrySet().stream()
            .filter(fire -> !expected.containsKey(fire.getKey()))
            .filter(fire -> !wasRemoved(fire.getValue()))
            .filter(fire -> !ranOtherwise(fire.getValue().getScheduleId(), at(fire.getValue())))
            .map(fire -> "fired only after an outage: " + Playback.text(fire.getValue()));
    return Stream.concat(lost, extra);
  }

  /** A backfill fires what was due long before. */
  private static Instant at(Fire fire) {
    return fire.getCause() == Cause.BACKFILL ? fire.getFiredAt() : fire.getDue();
  }

  /** A command may find a schedule that was complete, and without the outage removed before it. */
  private boolean wasRemoved(Fire fire) {
    if (fire.getCause() == Cause.BACKFILL) {
      return backfills(fire.getScheduleId())
          .map(input -> Playback.correlationId(input.at()))
          .anyMatch(
              command ->
                  isAnswered(always, command, Verdict.NOT_FOUND)
                      && isAnswered(stopped, command, Verdict.EXECUTED));
    }
    String command = Playback.correlationId(fire.getOccurrence());
    return fire.getCause() == Cause.TRIGGERED
        && history.isDefined(fire.getScheduleId(), fire.getOccurrence())
        && (always.answers().stream()
                .filter(answer -> answer.getCorrelationId().equals(command))
                .anyMatch(answer -> answer.getVerdict() == Verdict.NOT_FOUND)
            || always.fires().stream()
                .filter(Uptime::waited)
                .anyMatch(other -> other.getFireId().equals(fire.getFireId())));
  }

  private Stream<Input> backfills(String id) {
    return history.inputs().stream()
        .filter(input -> input.key().equals(id))
        .filter(input -> input.json().orElse("").contains("\"backfill\""));
  }

  /** True for the fire of a trigger that has waited for a definition. */
  private static boolean waited(Fire fire) {
    return fire.getCause() == Cause.TRIGGERED && fire.getFiredAt().isAfter(fire.getOccurrence());
  }

  private static boolean isTriggered(Fire fire, Playback.Result result) {
    return result.fires().stream().anyMatch(it -> it.getFireId().equals(fire.getFireId()));
  }

  private static Map<String, Fire> byIdentity(List<Fire> fires) {
    return fires.stream()
        .collect(
            Collectors.toMap(
                fire -> fire.getFireId() + again(fire) + StrayTrace.payload(fire.getSchedule()),
                Function.identity(),
                (one, other) -> one));
  }

  private static String again(Fire fire) {
    return fire.getCause() == Cause.BACKFILL ? " again by " : " by ";
  }

  private Stream<String> missed() {
    Stream<String> lost =
        always.missed().stream()
            .filter(range -> !isCovered(range, stopped.missed()))
            .filter(range -> !mayBeWon(range))
            .filter(range -> !ranOtherwise(range.getScheduleId(), range.getFirst()))
            .map(range -> "not missed: " + Playback.text(range));
    Stream<String> extra =
        stopped.missed().stream()
            .filter(range -> !isCovered(range, always.missed()))
            .filter(range -> !WON.contains(range.getReason()) || !mayBeWon(range))
            .filter(range -> !ranOtherwise(range.getScheduleId(), range.getFirst()))
            .map(range -> "missed only after an outage: " + Playback.text(range));
    return Stream.concat(lost, extra);
  }

  /**
   * True for what came due when a run that a pause or a delete has prevented had been under way.
   */
  private boolean ranOtherwise(String id, Instant due) {
    return wasOver(id, due)
        || waitedForNextLife(id, due)
        || history.overlapping().contains(id)
            && history.outages().stream()
                .filter(outage -> due.isAfter(outage.from()))
                .anyMatch(outage -> winsIn(id, outage).anyMatch(at -> !at.isAfter(due)));
  }

  /**
   * True until the next definition of a schedule that a pause in an outage found unfinished, and
   * without the outage over, or removed after its backfills: it stays paused, as a pause wins.
   */
  private boolean wasOver(String id, Instant due) {
    return pausesInVain(id).anyMatch(pause -> !isDefinedBetween(id, pause, due));
  }

  private Stream<Instant> pausesInVain(String id) {
    return history.inputs().stream()
        .filter(input -> input.topic() == Input.Topic.COMMANDS && input.key().equals(id))
        .filter(Input::wins)
        .map(Input::at)
        .filter(at -> isInVain(id, Playback.correlationId(at)));
  }

  private boolean isInVain(String id, String pause) {
    return isAnswered(stopped, pause, Verdict.EXECUTED)
        && (isAnswered(always, pause, Verdict.REJECTED)
            || isAnswered(always, pause, Verdict.NOT_FOUND) && backfills(id).findAny().isPresent());
  }

  /**
   * True after a command that came shortly before a definition of a schedule which, without the
   * outage, had been removed: the command waited, and acted on the new life.
   *
   * @param until inclusive: the command came then at the latest
   */
  private boolean waitedForNextLife(String id, Instant until) {
    return history.inputs().stream()
        .filter(input -> input.topic() == Input.Topic.COMMANDS && input.key().equals(id))
        .map(Input::at)
        .filter(at -> !at.isAfter(until))
        .anyMatch(at -> isDefinedAfter(id, at) && !isFiredBefore(id, at));
  }

  private boolean isDefinedAfter(String id, Instant command) {
    return isDefinedBetween(id, command, command.plus(LONGEST_WAIT));
  }

  /** Both exclusive. */
  private boolean isDefinedBetween(String id, Instant after, Instant before) {
    return history.inputs().stream()
        .filter(input -> input.topic() == Input.Topic.SCHEDULES && input.key().equals(id))
        .map(Input::at)
        .anyMatch(at -> at.isAfter(after) && at.isBefore(before));
  }

  private boolean isFiredBefore(String id, Instant command) {
    return always.fires().stream()
        .filter(fire -> fire.getScheduleId().equals(id))
        .map(Fire::getDue)
        .anyMatch(due -> due.isAfter(command.minus(RETENTION)) && due.isBefore(command));
  }

  private static boolean isAnswered(Playback.Result result, String command, Verdict verdict) {
    return result.answers().stream()
        .anyMatch(
            answer -> answer.getCorrelationId().equals(command) && answer.getVerdict() == verdict);
  }

  /** When records have won over what was undecided because of an outage. */
  private Stream<Instant> winsIn(String id, History.Outage outage) {
    return winsSince(id, outage).filter(at -> !at.isAfter(caughtUp(id, outage)));
  }

  private Stream<Instant> winsSince(String id, History.Outage outage) {
    return Stream.concat(always.read().stream(), stopped.read().stream())
        .filter(input -> input.key().equals(id) && input.wins())
        .map(Input::at)
        .filter(at -> !at.isBefore(outage.from()));
  }

  private static boolean isCovered(Missed range, List<Missed> by) {
    return Stream.of(range.getFirst(), range.getLast())
        .allMatch(
            at ->
                by.stream()
                    .filter(other -> other.getScheduleId().equals(range.getScheduleId()))
                    .filter(other -> other.getReason() == range.getReason())
                    .anyMatch(
                        other -> !at.isBefore(other.getFirst()) && !at.isAfter(other.getLast())));
  }

  /** The number of occurrences of a schedule is the same, whatever became of them. */
  private Stream<String> accounts() {
    Map<String, Long> expected = accounts(always);
    Map<String, Long> found = accounts(stopped);
    return Stream.concat(expected.keySet().stream(), found.keySet().stream())
        .distinct()
        .filter(id -> pausesInVain(id).findAny().isEmpty() && !waitedForNextLife(id, Instant.MAX))
        .filter(id -> !expected.getOrDefault(id, 0L).equals(found.getOrDefault(id, 0L)))
        .map(
            id ->
                "%s: %s occurrences without an outage, %s with"
                    .formatted(id, expected.getOrDefault(id, 0L), found.getOrDefault(id, 0L)));
  }

  private static Map<String, Long> accounts(Playback.Result result) {
    return Stream.concat(
            result.fires().stream()
                .filter(
                    fire -> fire.getCause() != Cause.TRIGGERED && fire.getCause() != Cause.BACKFILL)
                .map(fire -> Map.entry(fire.getScheduleId(), 1L)),
            result.missed().stream()
                .map(range -> Map.entry(range.getScheduleId(), range.getCount())))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
  }

  /** What waits for the end of a run, or of a pause, is undecided long after it was due. */
  private boolean mayBeWon(Missed range) {
    String id = range.getScheduleId();
    return Stream.concat(Stream.of(range.getLast()), decidedAt(id, range.getLast()))
        .anyMatch(at -> mayBeWon(id, at));
  }

  private Stream<Instant> decidedAt(String id, Instant occurrence) {
    return Stream.concat(
        always.fires().stream()
            .filter(fire -> fire.getScheduleId().equals(id))
            .filter(fire -> fire.getOccurrence().equals(occurrence))
            .map(Fire::getFiredAt),
        always.missed().stream()
            .filter(range -> range.getScheduleId().equals(id))
            .filter(range -> !occurrence.isBefore(range.getFirst()))
            .filter(range -> !occurrence.isAfter(range.getLast()))
            .map(Missed::getDecidedAt));
  }

  private boolean mayBeWon(String id, Instant at) {
    return history.outages().stream()
        .filter(outage -> at.isAfter(undecidedAfter(id, outage)))
        .anyMatch(
            outage ->
                winsIn(id, outage).anyMatch(win -> !win.isBefore(at)) || staysLate(id, outage, at));
  }

  /** A schedule whose runs leave no time between them stays as late as the outage has made it. */
  private boolean staysLate(String id, History.Outage outage, Instant at) {
    return history.overlapping().contains(id)
        && winsSince(id, outage)
            .filter(win -> !win.isBefore(at))
            .anyMatch(win -> !win.isAfter(at.plus(history.longestReplay())));
  }

  /** When the replay of what was due in an outage is through at the latest. */
  private Instant caughtUp(String id, History.Outage outage) {
    return history.overlapping().contains(id)
        ? outage.to().plus(history.longestReplay())
        : outage.to();
  }

  /** An outage that follows another one soon may cut off its replay. */
  private Instant undecidedAfter(String id, History.Outage outage) {
    Instant after = outage.from().minus(OPEN);
    for (int i = history.outages().indexOf(outage) - 1; i >= 0; i--) {
      History.Outage before = history.outages().get(i);
      if (caughtUp(id, before).isBefore(after)) {
        return after;
      }
      after = before.from().minus(OPEN);
    }
    return after;
  }
}
