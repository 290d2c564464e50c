package io.waterclock.spring.actuate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.WaterclockException;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.Answer.RefusedException;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.handler.FireBinding;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final String NONE = "none";
  private static final int MOST_RUNS = 10;

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
   * @param definition in the JSON form, as a record has it; without payload and headers, unless the
   *     endpoint shows them
   * @param payloadHidden whether there is a payload or a header that the endpoint does not show
   * @param runs the newest fires with what workers reported of them, the newest first
   * @param problem why the rest is not known now
   */
  public record ScheduleView(
      String id,
      @Nullable String state,
      @Nullable String revision,
      @Nullable Instant next,
      @Nullable String definition,
      boolean payloadHidden,
      List<Run> runs,
      @Nullable String problem) {

    static ScheduleView of(
        KnownSchedule known,
        @Nullable Instant next,
        List<FireRun> runs,
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
              : json(hides ? ScheduleSnapshot.withoutPayload(schedule) : schedule),
          hides,
          runs.stream().map(run -> Run.of(run, showsPayloads)).toList(),
          problem);
    }

    private static String json(Schedule schedule) {
      return new String(RecordCodecs.schedule().encode(schedule, WireFormat.JSON), UTF_8);
    }
  }

  /**
   * The run of a fire.
   *
   * @param state how it ended, or STARTED; null without a report
   * @param attempts 0 without a report
   * @param why the error, or why it was dropped or given up
   * @param output null unless the endpoint shows payloads
   */
  public record Run(
      Instant occurrence,
      @Nullable String state,
      int attempts,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String worker,
      @Nullable String why,
      @Nullable String output) {
    static Run of(FireRun run, boolean showsPayloads) {
      return new Run(
          run.fire().occurrence(),
          run.state().map(Enum::name).orElse(null),
          run.attempts(),
          run.startedAt().orElse(null),
          run.endedAt().orElse(null),
          run.worker().orElse(null),
          run.why().orElse(null),
          showsPayloads ? run.output().orElse(null) : null);
    }
  }

  /**
   * The scheduler's answer to a command.
   *
   * @param answer {@code Accepted}, {@code Rejected}, {@code Conflict} or {@code NotFound}; {@code
   *     none} if there is none, or if the request was wrong and the scheduler was not asked
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
   * One schedule; null, which means 404, if it does not exist. Reads its partition of the topics of
   * definitions, fires and outcomes, and asks the scheduler for the next occurrence.
   */
  @ReadOperation
  public @Nullable ScheduleView schedule(
      @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    String schedule = String.join("/", id);
    try {
      return schedules.get(schedule).join().map(this::view).orElse(null);
    } catch (WaterclockException | InvalidIdException e) {
      return new ScheduleView(schedule, null, null, null, null, false, List.of(), e.getMessage());
    }
  }

  private ScheduleView view(KnownSchedule known) {
    Instant next = null;
    List<FireRun> runs = List.of();
    String problem = null;
    try {
      next = schedules.next(known.id()).join().orElse(null);
      runs = schedules.runs(known.id(), MOST_RUNS).join();
    } catch (WaterclockException e) {
      problem = e.getMessage();
    }
    return ScheduleView.of(known, next, runs, problem, showsPayloads);
  }

  /**
   * Pauses, resumes or triggers a schedule, and waits for the answer. The reason says what is wrong
   * with a request: Spring Boot would answer an exception without its message.
   */
  @WriteOperation
  public CommandAnswer command(
      @Nullable String action, @Selector(match = Selector.Match.ALL_REMAINING) String... id) {
    String schedule = String.join("/", id);
    Optional<ScheduleCommand> command = command(action);
    if (command.isEmpty()) {
      String given = action == null ? "there is no action" : Quoted.of(action) + " is no action";
      return new CommandAnswer(
          schedule, NONE, given + "; for example {\"action\":\"pause\"}, or resume or trigger");
    }
    try {
      Answer answer = schedules.command(schedule, command.get()).join();
      return new CommandAnswer(schedule, answer.getClass().getSimpleName(), reason(answer));
    } catch (WaterclockException | InvalidIdException e) {
      return new CommandAnswer(schedule, NONE, e.getMessage());
    }
  }

  private static Optional<ScheduleCommand> command(@Nullable String action) {
    return Optional.ofNullable(
        switch (String.valueOf(action)) {
          case "pause" -> ScheduleCommand.pause();
          case "resume" -> ScheduleCommand.resume();
          case "trigger" -> ScheduleCommand.trigger();
          default -> null;
        });
  }

  private static @Nullable String reason(Answer answer) {
    try {
      var unused = answer.orThrow();
      return null;
    } catch (RefusedException e) {
      return e.getMessage();
    }
  }
}
