package io.waterclock.cli.diff;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.files.DefinitionFiles;
import io.waterclock.cli.files.FileCalendar;
import io.waterclock.cli.files.FileProblem;
import io.waterclock.cli.files.FileSchedule;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.console.preview.PlanInForce;
import io.waterclock.decide.whatif.Plan;
import io.waterclock.decide.whatif.Side;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The schedules and calendars of one side.
 *
 * @param plans by the id of the schedule
 * @param calendars by name, the oldest version first
 * @param unknown the ids of schedules whose occurrences the topics no longer show
 */
record DiffSide(
    SortedMap<String, Plan> plans,
    Map<String, List<CalendarVersion>> calendars,
    List<String> unknown) {

  static DiffSide ofCluster(Cluster cluster, ZoneId zone, Instant now, ReadProgress progress) {
    SortedMap<String, Plan> plans = new TreeMap<>();
    List<String> unknown = new ArrayList<>();
    for (KnownSchedule entry : cluster.catalogue(progress).all()) {
      if (entry.schedule().isEmpty() || entry.state().filter(State.REJECTED::equals).isPresent()) {
        continue;
      }
      Optional<Plan> plan = PlanInForce.of(entry, zone, now);
      plan.ifPresent(known -> plans.put(entry.id(), known));
      if (plan.isEmpty()) {
        unknown.add(entry.id());
      }
    }
    Map<String, List<CalendarVersion>> calendars = new HashMap<>();
    new CalendarTopic(cluster).all().forEach((name, one) -> calendars.put(name, since(one)));
    return new DiffSide(plans, calendars, unknown);
  }

  /** Files whose schedules are in force. */
  static DiffSide ofFiles(List<Path> files, ZoneId zone, Instant now) {
    DefinitionFiles read = read(files, List.of(), zone, now);
    SortedMap<String, Plan> plans = new TreeMap<>();
    for (FileSchedule one : read.schedules()) {
      String id = one.id().value();
      plans.put(
          id,
          Plan.established(
              id, PlanInForce.normal(one.schedule(), zone), now, Side.of(Calendars.NONE)));
    }
    Map<String, List<CalendarVersion>> calendars = new HashMap<>();
    for (FileCalendar one : read.calendars()) {
      calendars.put(one.name().value(), since(one.calendar()));
    }
    return new DiffSide(plans, calendars, List.of());
  }

  /**
   * This side after the files are applied now: their schedules replace those with the same ids, and
   * their calendars those with the same names. Others stay. The scheduler that accepts them has the
   * zone data of now.
   */
  DiffSide with(List<Path> files, ZoneId zone, Instant now) {
    DefinitionFiles read = read(files, List.copyOf(calendars.keySet()), zone, now);
    SortedMap<String, Plan> edited = new TreeMap<>(plans);
    Side side = Side.of(allCalendars());
    for (FileSchedule one : read.schedules()) {
      String id = one.id().value();
      Schedule schedule = PlanInForce.normal(one.schedule(), zone);
      edited.put(
          id,
          Optional.ofNullable(plans.get(id))
              .map(old -> old.edited(schedule, now, side))
              .orElseGet(() -> Plan.accepted(id, schedule, now, side)));
    }
    Map<String, List<CalendarVersion>> changed = new HashMap<>(calendars);
    for (FileCalendar one : read.calendars()) {
      List<CalendarVersion> versions =
          new ArrayList<>(calendars.getOrDefault(one.name().value(), List.of()));
      Optional<Instant> from = versions.isEmpty() ? Optional.empty() : Optional.of(now);
      versions.add(new CalendarVersion(1, now, from, Optional.of(one.calendar())));
      changed.put(one.name().value(), versions);
    }
    return new DiffSide(edited, changed, unknown);
  }

  Calendars allCalendars() {
    return Calendars.NONE.with(calendars);
  }

  private static DefinitionFiles read(
      List<Path> files, List<String> calendars, ZoneId zone, Instant now) {
    DefinitionFiles read = DefinitionFiles.read(files, zone);
    List<FileProblem> problems =
        read.problems().isEmpty() ? read.invalid(calendars, zone, now) : read.problems();
    if (!problems.isEmpty()) {
      throw new Failure(problems.stream().map(FileProblem::toString).toList());
    }
    return read;
  }

  private static List<CalendarVersion> since(Calendar calendar) {
    return List.of(new CalendarVersion(0, Instant.EPOCH, Optional.empty(), Optional.of(calendar)));
  }
}
