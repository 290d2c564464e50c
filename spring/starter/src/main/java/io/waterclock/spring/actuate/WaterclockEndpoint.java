package io.waterclock.spring.actuate;

import io.waterclock.client.WaterclockException;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.Answer.RefusedException;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Schedule;
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
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/waterclock}: the application's handlers and declared schedules, the state of its
 * parts, and single schedules, which it can pause, resume and trigger.
 *
 * @param declared what became of each declared schedule
 * @param parts by their names
 * @param showsPayloads whether definitions have their payloads and headers
 */
@Endpoint(id = "waterclock")
public record WaterclockEndpoint(
    Schedules schedules,
    AnnotatedMethods methods,
    Supplier<Map<String, String>> declared,
    Map<String, Supplier<PartHealth>> parts,
    boolean showsPayloads) {

  public WaterclockEndpoint {
    parts = Map.copyOf(parts);
  }

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

  /**
   * A schedule.
   *
   * @param definition without payload and headers, unless the endpoint shows them
   * @param payloadHidden whether there is a payload or a header that the endpoint does not show
   * @param problem why the rest is not known now
   */
  public record ScheduleView(
      String id,
      @Nullable String state,
      @Nullable String revision,
      @Nullable Instant next,
      @Nullable String definition,
      boolean payloadHidden,
      @Nullable String problem) {

    static ScheduleView of(
        KnownSchedule known,
        @Nullable Instant next,
        @Nullable String problem,
        boolean showsPayloads) {
      ScheduleStatus status = known.status().orElse(null);
      Schedule schedule = known.schedule().orElse(null);
      boolean hides =
          !showsPayloads
              && schedule != null
              && (schedule.getPayload() != null || !schedule.getHeaders().isEmpty());
      return new ScheduleView(
          known.id(),
          status == null ? null : status.getState().name(),
          status == null ? null : status.getRevision(),
          next,
          schedule == null
              ? null
              : String.valueOf(hides ? ScheduleSnapshot.withoutPayload(schedule) : schedule),
          hides,
          problem);
    }
  }

  /**
   * The scheduler's answer to a command.
   *
   * @param answer {@code Accepted}, {@code Rejected}, {@code Conflict} or {@code NotFound}; {@code
   *     none} if there is none
   * @param reason unless it is accepted
   */
  public record CommandAnswer(String schedule, String answer, @Nullable String reason) {}

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
   *
   * @throws InvalidEndpointRequestException if it is no id of a schedule
   */
  @ReadOperation
  public @Nullable ScheduleView schedule(
      @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    String schedule = id(id);
    try {
      return schedules.get(schedule).join().map(this::view).orElse(null);
    } catch (WaterclockException e) {
      return new ScheduleView(schedule, null, null, null, null, false, e.getMessage());
    }
  }

  private ScheduleView view(KnownSchedule known) {
    Instant next = null;
    String problem = null;
    try {
      next = schedules.next(known.id()).join().orElse(null);
    } catch (WaterclockException e) {
      problem = e.getMessage();
    }
    return ScheduleView.of(known, next, problem, showsPayloads);
  }

  /**
   * Pauses, resumes or triggers a schedule, and waits for the answer.
   *
   * @throws InvalidEndpointRequestException for another action, or if it is no id of a schedule
   */
  @WriteOperation
  public CommandAnswer command(
      String action, @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    String schedule = id(id);
    ScheduleCommand command =
        switch (action) {
          case "pause" -> ScheduleCommand.pause();
          case "resume" -> ScheduleCommand.resume();
          case "trigger" -> ScheduleCommand.trigger();
          default ->
              throw invalid("the action \"" + action + "\" is none of pause, resume and trigger");
        };
    try {
      Answer answer = schedules.command(schedule, command).join();
      return new CommandAnswer(schedule, answer.getClass().getSimpleName(), reason(answer));
    } catch (WaterclockException e) {
      return new CommandAnswer(schedule, "none", e.getMessage());
    }
  }

  private static @Nullable String reason(Answer answer) {
    try {
      var unused = answer.orThrow();
      return null;
    } catch (RefusedException e) {
      return e.getMessage();
    }
  }

  private static String id(String... parts) {
    try {
      return ScheduleId.parse(String.join("/", parts)).value();
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  private static InvalidEndpointRequestException invalid(String reason) {
    return new InvalidEndpointRequestException(reason, reason);
  }
}
