package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order of reading does not show: what was written in an outage, read in any order that
 * partitions allow, with any restarts meanwhile, leads to the same fires, the same {@code missed}
 * and the same status. See {@link Seeds} for its properties.
 */
final class ReadingOrderTest {
  private static final int IN_THE_BUILD = 6 * Integer.getInteger("waterclock.depth", 1);
  private static final int ORDERS = 4;
  private static final int MOST_FOR_A_FAULT = 200;
  private final LongAdder compared = new LongAdder();

  @Test
  void the_order_of_reading_does_not_show() {
    List<String> wrong = Seeds.find(IN_THE_BUILD, this::difference);
    System.out.println("reading order: " + compared + " fires and missed ranges compared");
    assertThat(wrong).isEmpty();
  }

  /** Reports of a run are one begin and one end, in whatever order: they show it to others only. */
  @ParameterizedTest
  @EnumSource(names = {"DEFINITIONS", "COMMANDS", "LIMITED"})
  void a_planted_fault_is_found(ReadWhenRead fault) {
    Set<Feature> features = EnumSet.of(Feature.STRAYS, Feature.STRAY_COMMANDS);
    features.addAll(fault.features());
    boolean isFound =
        LongStream.range(0, MOST_FOR_A_FAULT)
            .mapToObj(seed -> RandomHistory.of(seed, features, false))
            .anyMatch(history -> difference(history, 0, fault::inTheirOrder).isPresent());
    assertThat(isFound).isTrue();
  }

  /** Of what is read late while the scheduler is up, the order decides when it counts. */
  private Optional<String> difference(long seed, Set<Feature> features) {
    Set<Feature> but = EnumSet.noneOf(Feature.class);
    but.addAll(features);
    but.remove(Feature.LAG);
    return Smallest.of(
        RandomHistory.of(seed, but, false),
        history -> difference(history, seed, () -> Sabotage.NONE));
  }

  private Optional<String> difference(History history, long seed, Supplier<Sabotage> sabotage) {
    Playback.Result first = Playback.play(history, seed, sabotage.get());
    for (int i = 1; i < ORDERS; i++) {
      Playback.Result next = Playback.play(history, seed + i, sabotage.get());
      List<Input> vain = vain(history, first, next);
      Set<String> one = outcome(first, vain);
      Set<String> other = outcome(next, vain);
      compared.add(other.size());
      if (!one.equals(other)) {
        return Optional.of(
            only("in one order:     ", one, other) + only("in another order: ", other, one));
      }
    }
    return Optional.empty();
  }

  /**
   * The commands that found in one order that their schedule, which was complete, was removed. Just
   * before an outage, that is chance.
   */
  private static List<Input> vain(History history, Playback.Result... results) {
    Set<String> notFound =
        Stream.of(results)
            .flatMap(result -> result.answers().stream())
            .filter(answer -> answer.getVerdict() == Verdict.NOT_FOUND)
            .map(Answer::getCorrelationId)
            .collect(Collectors.toSet());
    return history.inputs().stream()
        .filter(command -> notFound.contains(Playback.correlationId(command.at())))
        .filter(command -> !isDefinedNear(command, history))
        .toList();
  }

  /** True for a fire that one of these commands has ordered. */
  private static boolean isOrdered(Fire fire, List<Input> commands) {
    return commands.stream()
        .filter(command -> command.key().equals(fire.getScheduleId()))
        .anyMatch(
            command ->
                fire.getCause() == Cause.BACKFILL
                    ? command.json().orElse("").contains("\"backfill\"")
                    : fire.getCause() == Cause.TRIGGERED
                        && command.at().equals(fire.getOccurrence()));
  }

  private static boolean isDefinedNear(Input command, History history) {
    return history.inputs().stream()
        .filter(input -> input.topic() == Input.Topic.SCHEDULES)
        .filter(input -> input.key().equals(command.key()))
        .filter(definition -> definition.at().isAfter(command.at().minus(Uptime.RETENTION)))
        .anyMatch(definition -> definition.at().isBefore(command.at().plus(Uptime.LONGEST_WAIT)));
  }

  private static String only(String prefix, Set<String> some, Set<String> others) {
    return some.stream()
        .filter(text -> !others.contains(text))
        .sorted()
        .map(text -> prefix + text + "\n")
        .collect(Collectors.joining());
  }

  private static Set<String> outcome(Playback.Result result, List<Input> vain) {
    Set<String> all = new HashSet<>();
    Stream.of(
            result.fires().stream()
                .filter(fire -> !isOrdered(fire, vain))
                .map(Playback::text)
                .map(ReadingOrderTest::whenever),
            result.missed().stream().map(Playback::text).map(ReadingOrderTest::whenever),
            result.statuses().entrySet().stream()
                .filter(status -> status.getValue().getState() != State.COMPLETED) // soon gone
                .map(ReadingOrderTest::text))
        .flatMap(texts -> texts)
        .forEach(text -> all.add(all.contains(text) ? text + " once more" : text));
    return all;
  }

  /** How long a gate waits, or what fires again, depends on when which transactions end. */
  private static String whenever(String text) {
    return text.replaceFirst("(fired )?at \\S+", "");
  }

  /** A stray gets its offset when it comes home, and a status its time when it is written. */
  private static String text(Map.Entry<String, ?> status) {
    return status
        .getValue()
        .toString()
        .replaceAll("(-\\d+@)\\d+", "$1")
        .replaceFirst("\"since\": [^,]*, ", "");
  }
}
