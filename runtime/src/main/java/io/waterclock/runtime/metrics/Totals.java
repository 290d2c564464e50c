package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.WatchdogAction;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The counters of an instance: the sums over its tasks since its start, revoked tasks included.
 * Thread-safe.
 */
final class Totals {
  private record Total(ToLongFunction<Counts> ofTask, Counter counter) {}

  private final PrometheusMeterRegistry registry;
  private final List<Total> totals = new ArrayList<>();
  private final LatenessHistogram lateness = new LatenessHistogram();

  Totals(PrometheusMeterRegistry registry) {
    this.registry = registry;
    for (Cause cause : Cause.values()) {
      add(
          "fires",
          Tags.of("cause", Metrics.label(cause)),
          "Fires.",
          counts -> counts.fired(cause).count());
    }
    for (MissedReason reason : MissedReason.values()) {
      add(
          "missed",
          Tags.of("reason", Metrics.label(reason)),
          "Missed occurrences; a range counts each of them.",
          counts -> counts.missed(reason));
    }
    for (InputTopic input : InputTopic.values()) {
      Tags tags = Tags.of("input", Metrics.label(input));
      add("rejected", tags, "Invalid records.", counts -> counts.rejectedFrom(input));
      if (input != InputTopic.CALENDARS) {
        add("accepted", tags, "Valid records.", counts -> counts.acceptedFrom(input));
      }
    }
    for (OutcomeState state : OutcomeState.values()) {
      Tags tags = Tags.of("state", Metrics.label(state));
      add("outcomes", tags, "Outcomes that workers reported.", counts -> counts.outcomes(state));
    }
    add(
        "outcomes.ignored",
        Tags.empty(),
        "Valid outcomes that changed nothing.",
        Counts::outcomesIgnored);
    add(
        "set.aside",
        Tags.empty(),
        "Records set aside unread, after deaths of threads or by an administrator.",
        Counts::recordsSetAside);
    add("faulted", Tags.empty(), "Times that a schedule became FAULTED.", Counts::faulted);
    add(
        "watchdog.checked",
        Tags.empty(),
        "Schedules that the watchdog has checked.",
        Counts::checked);
    add(
        "repaired",
        Tags.empty(),
        "Queue entries that the watchdog has repaired.",
        Counts::repaired);
    for (WatchdogAction action : WatchdogAction.values()) {
      add(
          "watchdog",
          Tags.of("action", Metrics.label(action)),
          "Actions of the watchdog.",
          counts -> counts.watchdog(action));
    }
    registry.getPrometheusRegistry().register(lateness);
  }

  private void add(String name, Tags tags, String help, ToLongFunction<Counts> ofTask) {
    Counter counter =
        Counter.builder("waterclock." + name).tags(tags).description(help).register(registry);
    totals.add(new Total(ofTask, counter));
  }

  /** The carries that add the counts of a task to these totals. */
  List<Carry> carries(Counts counts) {
    List<Carry> carries = new ArrayList<>();
    for (Total total : totals) {
      carries.add(new Carry(() -> total.ofTask().applyAsLong(counts), total.counter()::increment));
    }
    lateness.carries(counts).forEach(carries::add);
    return carries;
  }
}
