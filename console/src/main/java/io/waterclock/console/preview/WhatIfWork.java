package io.waterclock.console.preview;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ReadModel;
import io.waterclock.decide.whatif.OccurrenceChange;
import io.waterclock.decide.whatif.Outage;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.ScheduleDifference;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.TimeFrame;
import io.waterclock.decide.whatif.WhatIf;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Computes a scenario for the schedules that a person may see, one by one. Looks at up to {@value
 * #MOST} occurrences of each, and keeps up to {@value #ROWS} schedules that are affected.
 */
public final class WhatIfWork implements Work {
  private static final int MOST = 10_000;
  private static final int ROWS = 2_000;
  private static final int CHANGES = 20;

  /** The job reports its progress after this many schedules. */
  private static final int STEP = 50;

  private final ReadModel model;
  private final Predicate<String> visible;
  private final String prefix;
  private final Scenario scenario;
  private final TimeFrame window;
  private final Side before;
  private final Side after;
  private final ObjectNode result = JsonNodeFactory.instance.objectNode();
  private final ArrayNode rows = JsonNodeFactory.instance.arrayNode();
  private final Map<String, Long> totals = new HashMap<>();

  /**
   * @param visible the ids that may be shown
   * @param prefix the beginning of the ids to look at
   * @param now a whole millisecond
   */
  public WhatIfWork(
      ReadModel model, Predicate<String> visible, String prefix, Scenario scenario, Instant now) {
    this.model = model;
    this.visible = visible;
    this.prefix = prefix;
    this.scenario = scenario;
    this.window = new TimeFrame(now, now.plus(scenario.window()));
    Calendars calendars = model.read(ModelQueries::upcoming).calendars();
    this.before = Side.of(calendars);
    this.after = changed(calendars, now);
  }

  private Side changed(Calendars calendars, Instant now) {
    if (scenario instanceof Scenario.OtherZones other) {
      return new Side(calendars, other.data()::zone);
    }
    if (scenario instanceof Scenario.OtherCalendar other) {
      Map<String, List<CalendarVersion>> all = new HashMap<>(model.read(ModelQueries::calendars));
      List<CalendarVersion> versions = new ArrayList<>(all.getOrDefault(other.name(), List.of()));
      Optional<Instant> from = versions.isEmpty() ? Optional.empty() : Optional.of(now);
      versions.add(new CalendarVersion(1, now, from, Optional.of(other.calendar())));
      all.put(other.name(), versions);
      return Side.of(Calendars.NONE.with(all));
    }
    return before;
  }

  @Override
  public ObjectNode run(Progress progress) {
    List<String> ids = model.read(all -> all.ids(prefix)).stream().filter(visible).toList();
    int done = 0;
    long unknown = 0;
    for (String id : ids) {
      if (done % STEP == 0) {
        progress.at(done, ids.size());
        if (progress.isCancelled()) {
          break;
        }
      }
      done++;
      Optional<KnownSchedule> known = model.read(all -> all.schedule(id));
      Optional<Plan> plan =
          known.flatMap(
              one -> PlanInForce.of(one, model.read(ModelQueries::upcoming).zone(), window.now()));
      if (plan.isPresent()) {
        look(plan.get());
      } else if (known.flatMap(KnownSchedule::state).filter(State.ACTIVE::equals).isPresent()) {
        unknown++;
      }
    }
    progress.at(done, ids.size());
    result.put("from", window.now().toString()).put("to", window.end().toString());
    result.put("compared", done).put("of", ids.size()).put("unknown", unknown);
    totals.forEach(result::put);
    result.set("rows", rows);
    return result;
  }

  private void look(Plan plan) {
    if (scenario instanceof Scenario.Down) {
      outage(plan);
    } else {
      difference(plan);
    }
  }

  private void outage(Plan plan) {
    Outage outage = Outage.of(plan, before, window, MOST);
    add("due", outage.due());
    add("fires", outage.fires());
    add("missed", outage.missed());
    if (outage.due() == 0 && outage.problem().isEmpty()) {
      return;
    }
    add("affected", 1);
    if (rows.size() < ROWS) {
      ObjectNode row =
          rows.addObject()
              .put("id", plan.id())
              .put("catch_up", plan.schedule().getCatchUp().name())
              .put("due", outage.due())
              .put("fires", outage.fires())
              .put("missed", outage.missed());
      outage.first().ifPresent(at -> row.put("first", at.toString()));
      outage.last().ifPresent(at -> row.put("last", at.toString()));
      outage.countedUntil().ifPresent(at -> row.put("until", at.toString()));
      outage.problem().ifPresent(why -> row.put("problem", why));
    }
  }

  private void difference(Plan plan) {
    ScheduleDifference difference =
        new WhatIf(before, after, window, MOST)
            .compare(plan.id(), Optional.of(plan), Optional.of(changed(plan)));
    for (OccurrenceChange.Kind kind : OccurrenceChange.Kind.values()) {
      add(kind.name().toLowerCase(Locale.ROOT), difference.count(kind));
    }
    if (difference.isEmpty()) {
      return;
    }
    add("affected", 1);
    if (rows.size() < ROWS) {
      ObjectNode row = rows.addObject().put("id", plan.id());
      row.put("changes", difference.changes().size());
      difference.comparedUntil().ifPresent(at -> row.put("until", at.toString()));
      difference.problems().stream().findFirst().ifPresent(why -> row.put("problem", why));
      ArrayNode list = row.putArray("first");
      difference.changes().stream().limit(CHANGES).forEach(change -> add(change, list));
    }
  }

  private Plan changed(Plan plan) {
    if (!(scenario instanceof Scenario.OtherCalendar other)
        || !other.forAll()
        || plan.schedule().getExcept().contains(other.name())) {
      return plan;
    }
    List<String> names = new ArrayList<>(plan.schedule().getExcept());
    names.add(other.name());
    Schedule edited = Schedule.newBuilder(plan.schedule()).setExcept(names).build();
    return plan.edited(edited, window.now(), after);
  }

  private static void add(OccurrenceChange change, ArrayNode list) {
    ObjectNode tree = list.addObject().put("change", change.kind().name());
    change.before().map(Occurrence::due).ifPresent(at -> tree.put("before", at.toString()));
    change.after().map(Occurrence::due).ifPresent(at -> tree.put("after", at.toString()));
  }

  private void add(String name, long number) {
    totals.merge(name, number, Long::sum);
  }
}
