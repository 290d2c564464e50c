package io.waterclock.spring.actuate;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.handler.FireBinding;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/waterclock}: the application's handlers and declared schedules, the state of its
 * parts, and single schedules, which it can pause, resume and trigger.
 */
@Endpoint(id = "waterclock")
public final class WaterclockEndpoint {
  private final Schedules schedules;
  private final AnnotatedMethods methods;
  private final Supplier<Map<String, String>> declared;
  private final Map<String, Supplier<PartHealth>> parts;

  /** What the application does with Waterclock. */
  public record Overview(
      List<Handler> handlers,
      Map<String, String> declaredSchedules,
      Map<String, PartHealth> parts) {}

  /**
   * A handler.
   *
   * @param fires which fires it handles
   */
  public record Handler(String fires, String method) {}

  /** A schedule. */
  public record ScheduleView(
      String id,
      @Nullable String state,
      @Nullable String revision,
      @Nullable Instant next,
      @Nullable String definition) {}

  /**
   * @param declared what became of each declared schedule
   * @param parts by their names
   */
  public WaterclockEndpoint(
      Schedules schedules,
      AnnotatedMethods methods,
      Supplier<Map<String, String>> declared,
      Map<String, Supplier<PartHealth>> parts) {
    this.schedules = schedules;
    this.methods = methods;
    this.declared = declared;
    this.parts = Map.copyOf(parts);
  }

  /** The overview; asks the brokers once. */
  @ReadOperation
  public Overview overview() {
    return new Overview(
        methods.handlers().stream().map(WaterclockEndpoint::handler).toList(),
        new TreeMap<>(declared.get()),
        parts.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, part -> part.getValue().get())));
  }

  private static Handler handler(FireBinding binding) {
    return new Handler(binding.match().toString(), binding.where());
  }

  /**
   * One schedule; null, which means 404, if it does not exist. Reads its partition, and asks the
   * scheduler for the next occurrence.
   */
  @ReadOperation
  public @Nullable ScheduleView schedule(
      @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    return schedules.get(String.join("/", id)).join().map(this::view).orElse(null);
  }

  private ScheduleView view(KnownSchedule known) {
    ScheduleStatus status = known.status().orElse(null);
    return new ScheduleView(
        known.id(),
        status == null ? null : status.getState().name(),
        status == null ? null : status.getRevision(),
        schedules
            .next(known.id())
            .handle((next, failure) -> next == null ? null : next.orElse(null))
            .join(),
        known.schedule().map(String::valueOf).orElse(null));
  }

  /**
   * Pauses, resumes or triggers a schedule, and waits for the answer.
   *
   * @throws IllegalArgumentException for another action
   */
  @WriteOperation
  public Map<String, String> command(
      String action, @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    String schedule = String.join("/", id);
    Answer answer =
        switch (action) {
          case "pause" -> schedules.pause(schedule).join();
          case "resume" -> schedules.resume(schedule).join();
          case "trigger" -> schedules.trigger(schedule).join();
          default ->
              throw new IllegalArgumentException(
                  "the action \"" + action + "\" is none of pause, resume and trigger");
        };
    return Map.of("schedule", schedule, "answer", answer.getClass().getSimpleName());
  }
}
