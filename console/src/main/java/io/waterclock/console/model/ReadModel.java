package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WhereExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the console knows of the schedules of one prefix, from the records of its topics.
 *
 * <p>Memory is bounded in bytes by {@link ModelWriter.Limits}: of what grows with time, the newest
 * stays; of schedules, those that came first, and {@link ModelQueries#isIncomplete} says that
 * others are missing. Payloads are not kept, see {@link KeptPayload}. A schedule takes about half a
 * kilobyte beside its definition, a fire 29 bytes.
 *
 * <p>Thread-safe: {@link ModelWriter} changes the state, {@link ModelQueries} reads it, one at a
 * time.
 */
public final class ReadModel {
  /** Of a condition: one or two seconds of a processor. */
  private static final long MOST_STEPS = 200_000_000;

  /** To read a definition, beside the condition. */
  private static final long STEPS_OF_SCHEDULE = 400;

  private final ModelWriter.Limits limits;
  private ModelWriter writer;
  private ModelQueries queries;

  /**
   * @param zone of schedules that name none
   */
  public ReadModel(ZoneId zone, ModelWriter.Limits limits) {
    this.limits = limits;
    this.writer = new ModelWriter(zone, limits);
    this.queries = new ModelQueries(writer);
  }

  /** Forgets everything; the records must come again. */
  public synchronized void clear() {
    writer = new ModelWriter(queries.upcoming().zone(), limits);
    queries = new ModelQueries(writer);
  }

  /** Takes records over; readers wait meanwhile. */
  public synchronized void write(Consumer<ModelWriter> change) {
    change.accept(writer);
  }

  /**
   * Answers questions that belong together, all of one state. The writer waits meanwhile, so what
   * does not need the state is to be computed afterwards.
   */
  public synchronized <T> T read(Function<ModelQueries, T> question) {
    return question.apply(queries);
  }

  /** How many bytes it may take. */
  public long mostBytes() {
    return limits.bytes();
  }

  /**
   * A page of schedules. Looks at memory alone for a filter without a condition. A condition needs
   * each definition: up to some seconds, and a budget bounds the search; the page says if more may
   * fit.
   *
   * @param visible the ids that may be shown
   * @param shown what a condition may read of a schedule; empty if the person may not see it
   * @param after exclusive, from an earlier page of the same order; empty for the first page
   * @param most at most this many
   * @throws IllegalArgumentException if {@code after} is of no page
   */
  public SchedulePage page(
      ScheduleFilter filter,
      Predicate<String> visible,
      Function<KnownSchedule, Optional<KnownSchedule>> shown,
      SchedulePage.Order order,
      Optional<String> after,
      int most) {
    if (filter.where().isEmpty()) {
      return read(all -> all.page(filter, visible, order, after, most));
    }
    WhereExpression where = filter.where().get();
    Set<String> matching = new HashSet<>();
    long steps = 0;
    for (String id : read(all -> all.candidates(filter, visible))) {
      if (steps > MOST_STEPS) {
        break;
      }
      Optional<KnownSchedule> known = read(all -> all.schedule(id)).flatMap(shown);
      steps += STEPS_OF_SCHEDULE + known.map(where::steps).orElse(0L);
      if (known.filter(KnownSchedule::isDefinitionKnown).filter(where).isPresent()) {
        matching.add(id);
      }
    }
    SchedulePage page = read(all -> all.page(filter, matching::contains, order, after, most));
    return new SchedulePage(page.rows(), page.total(), page.after(), steps > MOST_STEPS);
  }

  /** How many occurrences are due in each minute of the coming week. Takes up to some seconds. */
  public LoadAhead load(LoadQuestion question, Predicate<String> visible, Instant now) {
    LoadSurvey survey = read(all -> all.survey(question, visible));
    LoadAhead load =
        survey.count(id -> read(all -> all.schedule(id)), read(ModelQueries::upcoming), now);
    return question.by().filter(LoadQuestion.By.LIMIT::equals).isEmpty()
        ? load
        : load.limited(read(all -> all.limitsNow(now)));
  }

  /**
   * The active schedules that are due in a range, in the order of their ids. Takes up to some
   * seconds: a budget bounds the search, and the page says if there may be more.
   *
   * @param from inclusive
   * @param to exclusive
   * @param question of which group
   */
  public SchedulePage dueIn(
      Instant from, Instant to, LoadQuestion question, Predicate<String> visible, int most) {
    List<ScheduleRow> rows = new ArrayList<>();
    long total = 0;
    DueSearch search = new DueSearch(read(ModelQueries::upcoming), from, to);
    for (ScheduleEntry entry : read(all -> all.perhapsDue(to, question, visible))) {
      if (search.isSpent()) {
        return new SchedulePage(rows, total, Optional.empty(), true);
      }
      if (isDue(entry, search) && ++total <= most) {
        rows.add(read(all -> all.row(entry)));
      }
    }
    return new SchedulePage(rows, total, Optional.empty(), false);
  }

  private boolean isDue(ScheduleEntry entry, DueSearch search) {
    Optional<String> group = read(all -> all.alikeGroup(entry));
    return group
        .flatMap(search::found)
        .orElseGet(() -> search.isDue(read(all -> all.subject(entry)), group));
  }
}
