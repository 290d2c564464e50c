package io.waterclock.spring.schedule;

import io.waterclock.client.WaterclockException;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.Answer.RefusedException;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.NoAnswerException;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.threads.DaemonThreads;
import io.waterclock.spring.WaterclockCalendar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Writes the declared calendars and schedules when the application starts, on a thread of its own:
 * brokers that do not answer delay no start, and it tries until they do. Then it looks for
 * schedules that the code no longer declares. Thread-safe.
 */
public final class ScheduleWriter implements SmartLifecycle {
  private static final Logger LOG = SafeLogger.of(ScheduleWriter.class);
  private static final int PHASE = Integer.MAX_VALUE - 200;
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Schedules schedules;
  private final List<WaterclockCalendar> calendars;
  private final Supplier<List<DeclaredSchedule>> declarations;
  private final Optional<OwnerSet> owned;
  private final Removal removal;
  private final CompletableFuture<Void> topics;
  private final Map<String, String> results = new ConcurrentHashMap<>();
  private @Nullable ScheduledExecutorService executor;

  /** The schedules that have waited once for the scheduler to know a calendar. */
  private final Set<String> waited = new HashSet<>();

  /**
   * @param owner the name of the application, by which it knows its schedules; empty: it removes
   *     none
   * @param topics complete when the topics exist, as far as this application can know; with an
   *     exception if it will not learn that
   */
  public ScheduleWriter(
      Schedules schedules,
      List<WaterclockCalendar> calendars,
      Supplier<List<DeclaredSchedule>> declarations,
      Optional<String> owner,
      Removal removal,
      CompletableFuture<Void> topics) {
    this.schedules = schedules;
    this.calendars = List.copyOf(calendars);
    this.declarations = declarations;
    this.owned = owner.map(OwnerSet::new);
    this.removal = removal;
    this.topics = topics;
  }

  /** What became of each declared schedule so far, for a person. */
  public Map<String, String> results() {
    return Map.copyOf(results);
  }

  @Override
  public synchronized void start() {
    if (executor == null) {
      executor =
          Executors.newSingleThreadScheduledExecutor(
              DaemonThreads.named("waterclock-declarations"));
      List<DeclaredSchedule> all = declarations.get();
      all.forEach(declared -> results.put(declared.id(), "not written yet"));
      var unused =
          topics.whenComplete(
              (done, cause) -> {
                if (cause == null) {
                  later(Duration.ZERO, () -> writeCalendars(all));
                } else {
                  String why = "not written, as the scheduler has ended: " + cause;
                  all.forEach(declared -> results.put(declared.id(), why));
                }
              });
    }
  }

  private synchronized void later(Duration delay, Runnable task) {
    if (executor != null) {
      var unused = executor.schedule(() -> attempt(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) { // an executor would keep it to itself
      if (isRunning()) {
        LOG.error("The declarations failed and are tried again in {}", PAUSE, e);
        later(PAUSE, task);
      }
    }
  }

  /** Writes the calendars, and then the schedules, which may name them. */
  private void writeCalendars(List<DeclaredSchedule> all) {
    for (WaterclockCalendar calendar : calendars) {
      try {
        schedules.putCalendar(calendar.name(), calendar.dates()).join();
        LOG.info("The calendar {} is written", calendar.name());
      } catch (WaterclockException e) {
        LOG.warn("The calendar {} is not written yet: {}", calendar.name(), e.getMessage());
        later(PAUSE, () -> writeCalendars(all));
        return;
      } catch (IllegalArgumentException | IllegalStateException e) {
        LOG.error("The calendar {} is wrong: {}", calendar.name(), e.getMessage());
      }
    }
    write(all);
  }

  /**
   * Writes the declarations, and tries those again that were not written. Each of them would wait
   * for brokers that do not answer, so the first failure ends the round; the next round begins with
   * the others.
   */
  private void write(List<DeclaredSchedule> all) {
    Map<DeclaredSchedule, CompletableFuture<Answer>> sent = new LinkedHashMap<>();
    for (DeclaredSchedule declared : all) {
      CompletableFuture<Answer> answer = put(declared);
      sent.put(declared, answer);
      if (answer.isCompletedExceptionally()) {
        break;
      }
    }
    List<DeclaredSchedule> unwritten = new ArrayList<>(all.subList(sent.size(), all.size()));
    sent.forEach(
        (declared, answer) -> {
          if (!isWritten(declared, answer)) {
            unwritten.add(declared);
          }
        });
    if (unwritten.isEmpty()) {
      if (looks()) {
        later(Duration.ZERO, () -> look(owned.orElseThrow()));
      }
    } else {
      later(PAUSE, () -> write(unwritten));
    }
  }

  private CompletableFuture<Answer> put(DeclaredSchedule declared) {
    Schedule definition = declared.definition().orElseThrow();
    return schedules.put(
        declared.id(), owned.map(set -> set.member(definition)).orElse(definition));
  }

  private boolean isWritten(DeclaredSchedule declared, CompletableFuture<Answer> answer) {
    try {
      Answer.Accepted accepted = answer.join().orThrow();
      results.put(
          declared.id(),
          (accepted.isChange() ? "written" : "in force")
              + accepted.next().map(next -> ", next " + next).orElse(""));
      LOG.info(
          "The schedule {} of {} is {}",
          declared.id(),
          declared.where(),
          results.get(declared.id()));
      if (!accepted.warnings().isEmpty()) {
        LOG.warn("The schedule {}: {}", declared.id(), Problems.text(accepted.warnings()));
      }
      return true;
    } catch (RefusedException e) {
      if (lacksOwnCalendar(e.answer()) && waited.add(declared.id())) {
        return false;
      }
      results.put(declared.id(), "refused: " + e.getMessage());
      LOG.error(
          "The scheduler refuses the schedule {} of {}: {}",
          declared.id(),
          declared.where(),
          e.getMessage());
      return true;
    } catch (WaterclockException e) {
      results.put(declared.id(), String.valueOf(e.getMessage()));
      LOG.warn(
          "The schedule {} of {} has no answer: {}",
          declared.id(),
          declared.where(),
          e.getMessage());
      return e instanceof NoAnswerException;
    }
  }

  /** True if the scheduler has not read a calendar yet that was written just before. */
  private boolean lacksOwnCalendar(Answer answer) {
    return !calendars.isEmpty()
        && answer instanceof Answer.Rejected rejected
        && rejected.problems().stream()
            .allMatch(
                problem ->
                    problem.getField().equals("except") || problem.getField().equals("only"));
  }

  /**
   * To look reads all schedules. An application that declares none does so only where it could
   * remove some.
   */
  private boolean looks() {
    return owned.isPresent()
        && (removal.mode() == Removal.Mode.DELETE
            || (removal.mode() == Removal.Mode.LOG && !results.isEmpty()));
  }

  private void look(OwnerSet set) {
    Map<String, String> stale;
    try {
      List<KnownSchedule> members = members(set);
      stale = set.stale(members, results.keySet());
      List<String> unsure = set.unsure(members, results.keySet());
      if (!unsure.isEmpty()) {
        LOG.warn(
            "The code of {} does not declare the schedules {}, which continue: the topics no longer"
                + " show whether their definitions in force are of this code;"
                + " waterclock get ID shows it, and waterclock delete ID removes it",
            set.owner(),
            unsure);
      }
    } catch (RuntimeException e) {
      if (isRunning()) {
        LOG.warn("The schedules that the code no longer declares were not looked for", e);
      }
      return;
    }
    if (stale.isEmpty()) {
      return;
    }
    boolean isLast = results.isEmpty() && !removal.mayEmpty();
    if (removal.mode() == Removal.Mode.LOG) {
      LOG.warn(
          "The code of {} no longer declares the schedules {}, which continue;"
              + " waterclock.schedules.removal=delete removes them",
          set.owner(),
          stale.keySet());
    } else if (isLast) {
      LOG.warn(
          "The code of {} declares no schedule at all, so the schedules {} continue;"
              + " waterclock.schedules.removal-may-empty=true removes them",
          set.owner(),
          stale.keySet());
    } else {
      LOG.warn(
          "The code of {} no longer declares the schedules {}; they are removed in {}, unless"
              + " another instance writes them",
          set.owner(),
          stale.keySet(),
          removal.delay());
      later(removal.delay(), () -> remove(set, stale));
    }
  }

  private List<KnownSchedule> members(OwnerSet set) {
    return schedules.list(set.members()).join();
  }

  /** Removes the schedules that were not written since they were found. */
  private void remove(OwnerSet set, Map<String, String> found) {
    try {
      Map<String, String> now = set.stale(members(set), results.keySet());
      found.forEach(
          (id, position) -> {
            if (position.equals(now.get(id))) {
              schedules.delete(id).join();
              LOG.warn("The schedule {} is removed: the code no longer declares it", id);
            } else {
              LOG.info("The schedule {} continues: another instance has written it", id);
            }
          });
    } catch (RuntimeException e) {
      LOG.warn("The schedules {} were not removed; the next start tries again", found.keySet(), e);
    }
  }

  @Override
  public synchronized void stop() {
    if (executor != null) {
      executor.shutdownNow();
    }
    executor = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return executor != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
