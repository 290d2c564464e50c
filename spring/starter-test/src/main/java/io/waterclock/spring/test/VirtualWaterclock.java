package io.waterclock.spring.test;

import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.BulkResult;
import io.waterclock.client.schedules.CalendarBuilder;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.testing.HandlerFailedException;
import io.waterclock.client.testing.TestWorker;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.spring.ChangeSender;
import io.waterclock.spring.ScheduleChange;
import io.waterclock.spring.WaterclockCalendar;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.handler.FireBinding;
import io.waterclock.testkit.SchedulerHarness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * The scheduler of a test on a virtual clock. The application's changes reach it instead of Kafka,
 * in no transaction, and it calls the application's handlers on the thread that moves the clock,
 * each when its fire is due. Handlers are not retried: the exception of a handler ends {@link
 * #advance}.
 *
 * <p>Declared schedules are defined when the application starts. Tests that share an application
 * share its clock. Thread-safe.
 */
public final class VirtualWaterclock
    implements ChangeSender, ApplicationListener<ContextRefreshedEvent>, AutoCloseable {
  private final SchedulerHarness scheduler;
  private final ObjectProvider<AnnotatedMethods> methods;
  private final ObjectProvider<PayloadMapper> payloads;
  private final ObjectProvider<WaterclockCalendar> calendars;
  private @Nullable TestWorker worker;

  private VirtualWaterclock(
      SchedulerHarness scheduler,
      ObjectProvider<AnnotatedMethods> methods,
      ObjectProvider<PayloadMapper> payloads,
      ObjectProvider<WaterclockCalendar> calendars) {
    this.scheduler = scheduler;
    this.methods = methods;
    this.payloads = payloads;
    this.calendars = calendars;
  }

  static VirtualWaterclock of(ConfigurableApplicationContext context, Instant startingAt) {
    return new VirtualWaterclock(
        SchedulerHarness.startingAt(startingAt),
        context.getBeanFactory().getBeanProvider(AnnotatedMethods.class),
        context.getBeanFactory().getBeanProvider(PayloadMapper.class),
        context.getBeanFactory().getBeanProvider(WaterclockCalendar.class));
  }

  /** Checks the handlers, and defines the declared calendars and schedules. */
  @Override
  public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
    if (worker == null) {
      FireWorker.Builder found =
          FireWorker.builder("none:9092", "test").payloads(payloads.getObject());
      for (FireBinding binding : methods.getObject().handlers()) {
        check(binding);
        binding.match().register(found, binding.handler());
      }
      worker =
          TestWorker.of(found)
              .definitions(
                  (id, definition) ->
                      definition.ifPresentOrElse(made -> put(id, made), () -> delete(id)));
      calendars.forEach(declared -> putCalendar(declared.name(), declared.dates()).join());
      methods
          .getObject()
          .schedules()
          .forEach(
              declared ->
                  put(declared.id(), declared.definition().orElseThrow())
                      .answer()
                      .join()
                      .orThrow());
    }
  }

  /** As a worker does at its start. */
  private static void check(FireBinding binding) {
    try {
      binding.handler().check();
    } catch (Exception e) {
      throw new IllegalStateException(
          "the handler " + binding.where() + " cannot work: " + e.getMessage(), e);
    }
  }

  /** The time of the scheduler. */
  public synchronized Instant now() {
    return scheduler.now();
  }

  /**
   * Advances the clock; each fire reaches its handler when it is due.
   *
   * @throws HandlerFailedException if a handler throws; the clock then stands at its fire
   */
  public void advance(Duration time) {
    advanceTo(now().plus(time));
  }

  /** As {@link #advance}, to an instant; does nothing if it is not in the future. */
  public synchronized void advanceTo(Instant end) {
    scheduler.advanceTo(
        end,
        (fire, key) -> Optional.ofNullable(worker).flatMap(handlers -> handlers.apply(fire, key)));
  }

  /** The fires of a schedule so far, oldest first. */
  public synchronized List<Fire> fires(String scheduleId) {
    return scheduler.fires(scheduleId);
  }

  /** The scheduler itself, for what this class does not have: outages, calendars, statuses. */
  public SchedulerHarness scheduler() {
    return scheduler;
  }

  @Override
  public synchronized ScheduleChange put(String id, Schedule definition) {
    return define(id, RecordCodecs.schedule().encode(definition, WireFormat.AVRO));
  }

  @Override
  public synchronized ScheduleChange delete(String id) {
    return define(id, null);
  }

  @Override
  public synchronized CompletableFuture<BulkResult> delete(Selector selector) {
    if (selector.isAll()) {
      throw new IllegalArgumentException("this selector matches every schedule");
    }
    Map<String, KnownSchedule> known = new TreeMap<>();
    for (Revision revision : scheduler.revisions()) {
      String id = revision.getScheduleId();
      known.put(id, known.getOrDefault(id, KnownSchedule.of(id)).withRevision(revision));
    }
    Map<String, Answer> answers = new TreeMap<>();
    for (KnownSchedule schedule : known.values()) {
      KnownSchedule now = schedule.withStatus(scheduler.status(schedule.id()));
      if (now.exists() && selector.selects(now)) {
        answers.put(now.id(), delete(now.id()).answer().join());
      }
    }
    return CompletableFuture.completedFuture(new BulkResult(answers, Map.of()));
  }

  private ScheduleChange define(String id, byte @Nullable [] value) {
    String correlationId = UUID.randomUUID().toString();
    scheduler.ask(id, value, correlationId);
    return answered(id, correlationId, Optional.empty());
  }

  @Override
  public synchronized ScheduleChange command(String id, ScheduleCommand command) {
    Command record = command.toRecord();
    scheduler.command(id, record);
    return answered(id, record.getCommandId(), Optional.of(record.getCommandId()));
  }

  @Override
  public synchronized CompletableFuture<Void> putCalendar(String name, CalendarBuilder calendar) {
    scheduler.putCalendar(name, calendar.build());
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized CompletableFuture<Void> deleteCalendar(String name) {
    scheduler.deleteCalendar(name);
    return CompletableFuture.completedFuture(null);
  }

  private ScheduleChange answered(String id, String correlationId, Optional<String> commandId) {
    CompletableFuture<Answer> answer =
        scheduler.answers().stream()
            .filter(received -> received.getCorrelationId().equals(correlationId))
            .findFirst()
            .map(received -> CompletableFuture.completedFuture(Answer.of(received, commandId)))
            .orElseGet(
                () ->
                    CompletableFuture.failedFuture(
                        new IllegalStateException("the scheduler is stopped")));
    return new ScheduleChange(id, () -> answer);
  }

  @Override
  public synchronized void close() {
    scheduler.close();
  }
}
