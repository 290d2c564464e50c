package io.waterclock.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.files.DefinitionFiles;
import io.waterclock.cli.files.FileCalendar;
import io.waterclock.cli.files.FileLimit;
import io.waterclock.cli.files.FileProblem;
import io.waterclock.cli.files.FileSchedule;
import io.waterclock.cli.read.NewestRecord;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.FieldDifference;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Compares the files of a set with a cluster. Pure.
 *
 * <p>A definition is unchanged if it means the same as the one in force: the same fields after
 * defaults, in any order. A definition without a time zone has that of the scheduler; so it is
 * unchanged if the record in the topic has none either. A record that the scheduler has not decided
 * about, or has perhaps refused, is written again, because the command waits for every answer.
 */
final class Comparison {
  /** The label that names the set of a schedule. */
  static final String SET = "waterclock-set";

  private static final int SHOWN_USERS = 5;

  /**
   * What an apply may do.
   *
   * @param set the name of the set that the files are; empty for none
   * @param prune whether schedules of the set that no file defines are deleted
   * @param adopt whether schedules of other sets are taken over
   * @param allowPast whether schedules may be defined that fire once, and at once
   * @param zone of schedules without a time zone
   */
  record Rules(
      Optional<String> set,
      boolean prune,
      boolean adopt,
      boolean allowPast,
      ZoneId zone,
      Instant now) {}

  private final Rules rules;
  private final Map<String, KnownSchedule> known;
  private final Map<String, Calendar> calendars;
  private final Map<String, Limit> limits;
  private final Effects effects;
  private final Validation validation;
  private final List<Difference> changes = new ArrayList<>();
  private final List<FileProblem> problems = new ArrayList<>();
  private int unchanged;

  /**
   * @param known the schedules of the cluster by id
   */
  Comparison(
      Rules rules,
      Map<String, KnownSchedule> known,
      Map<String, Calendar> calendars,
      Map<String, Limit> limits,
      Effects effects) {
    this.rules = rules;
    this.known = known;
    this.calendars = calendars;
    this.limits = limits;
    this.effects = effects;
    this.validation = new Validation(Duration.ofMillis(1), rules.zone());
  }

  /** In the order in which they must be written: calendars, limits, definitions, deletes. */
  List<Difference> changes() {
    return changes;
  }

  /** Why nothing may be written. */
  List<FileProblem> problems() {
    return problems;
  }

  int unchanged() {
    return unchanged;
  }

  Comparison run(DefinitionFiles files) {
    files.calendars().forEach(this::calendar);
    files.limits().forEach(this::limit);
    files.schedules().forEach(this::schedule);
    if (rules.prune()) {
      Set<String> kept = new HashSet<>();
      files.schedules().forEach(one -> kept.add(one.id().value()));
      known.values().stream()
          .filter(entry -> !kept.contains(entry.id()) && entry.definition().isPresent())
          .filter(KnownSchedule::hasValidId)
          .filter(KnownSchedule::isDefinitionKnown) // a rejected record may carry the label
          .filter(entry -> rules.set().isPresent() && set(entry).equals(rules.set()))
          .forEach(entry -> changes.add(removal(entry)));
    }
    return this;
  }

  private static Difference removal(KnownSchedule entry) {
    return new Difference(
        Difference.Kind.REMOVE, "schedule", entry.id(), Optional.empty(), List.of(), List.of());
  }

  private void calendar(FileCalendar file) {
    String name = file.name().value();
    named(
        "calendar",
        name,
        RecordCodecs.calendar(),
        Optional.ofNullable(calendars.get(name)),
        file.calendar(),
        schedule -> Exclusions.calendars(schedule).contains(name));
  }

  /** A pause that the file does not mention is a person's, and stays. */
  private void limit(FileLimit file) {
    String name = file.name().value();
    Optional<Limit> before = Optional.ofNullable(limits.get(name));
    Limit wanted = Limit.newBuilder(file.limit()).build();
    if (wanted.getPaused() == null) {
      wanted.setPaused(before.map(Limit::getPaused).orElse(null));
    }
    named(
        "limit",
        name,
        RecordCodecs.limit(),
        before,
        wanted,
        schedule -> name.equals(schedule.getLimit()));
  }

  private <T extends SpecificRecordBase> void named(
      String what,
      String name,
      RecordCodec<T> codec,
      Optional<T> before,
      T wanted,
      Predicate<Schedule> uses) {
    if (before.filter(wanted::equals).isPresent()) {
      unchanged++;
      return;
    }
    List<String> users =
        known.values().stream()
            .filter(entry -> entry.schedule().filter(uses).isPresent())
            .map(KnownSchedule::id)
            .toList();
    changes.add(
        new Difference(
            before.isPresent() ? Difference.Kind.EDIT : Difference.Kind.ADD,
            what,
            name,
            Optional.of(codec.encode(wanted, WireFormat.JSON)),
            before
                .map(old -> FieldDifference.between(codec.toJson(old), codec.toJson(wanted)))
                .orElse(List.of()),
            users.isEmpty() ? List.of() : List.of(used(users))));
  }

  private static String used(List<String> users) {
    return "schedules that name it: "
        + String.join(", ", users.subList(0, Math.min(SHOWN_USERS, users.size())))
        + (users.size() > SHOWN_USERS ? " and " + (users.size() - SHOWN_USERS) + " more" : "");
  }

  private void schedule(FileSchedule file) {
    String id = file.id().value();
    KnownSchedule entry = known.getOrDefault(id, KnownSchedule.of(id));
    Optional<String> ownSet = Optional.ofNullable(file.schedule().getLabels().get(SET));
    if (rules.set().isPresent()
        && ownSet.filter(name -> !rules.set().get().equals(name)).isPresent()) {
      problem(file, "labels." + SET, "its label %s says %s".formatted(SET, ownSet.get()));
      return;
    }
    ObjectNode labelled = file.json().deepCopy();
    Schedule wanted = Schedule.newBuilder(file.schedule()).build();
    rules
        .set()
        .ifPresent(
            name -> {
              Map<String, String> labels = new java.util.LinkedHashMap<>(wanted.getLabels());
              labels.put(SET, name);
              wanted.setLabels(labels);
              ObjectNode written = labelled.putObject("labels");
              labels.forEach(written::put);
            });
    Optional<String> newSet = Optional.ofNullable(wanted.getLabels().get(SET));
    Optional<String> oldSet = entry.definition().isPresent() ? set(entry) : Optional.empty();
    if (oldSet.isPresent() && !oldSet.equals(newSet) && !rules.adopt()) {
      problem(
          file,
          "schedule",
          "belongs to the set %s; --adopt takes it over, --set %s applies to that set"
              .formatted(oldSet.get(), oldSet.get()));
      return;
    }
    compare(file, entry, wanted, labelled);
  }

  private void compare(
      FileSchedule file, KnownSchedule entry, Schedule wanted, ObjectNode written) {
    Optional<Schedule> inForce =
        entry.definition().isPresent() ? entry.schedule() : Optional.empty();
    Schedule normal = normal(wanted, entry);
    if (inForce.isPresent()
        && entry.isDefinitionKnown()
        && NewestRecord.isInForce(entry)
        && normal.equals(normal(inForce.get(), entry))) {
      unchanged++;
      return;
    }
    boolean isNewTrigger =
        inForce.isEmpty() || !inForce.get().getTrigger().equals(normal.getTrigger());
    if (isNewTrigger && !rules.allowPast() && firesAtOnce(wanted)) {
      problem(
          file,
          "at",
          "would fire at once, and again whenever it is applied after it has completed; leave it"
              + " out, or add --allow-past");
      return;
    }
    List<FieldDifference> fields =
        inForce
            .map(
                before ->
                    FieldDifference.between(
                        RecordCodecs.schedule().toJson(normal(before, entry)),
                        RecordCodecs.schedule().toJson(normal)))
            .orElse(List.of());
    List<String> effect = new ArrayList<>(effects.of(entry, inForce, normal));
    if (inForce.isPresent() && fields.isEmpty()) {
      effect.add(0, whyAgain(entry));
    }
    changes.add(
        new Difference(
            inForce.isPresent() ? Difference.Kind.EDIT : Difference.Kind.ADD,
            "schedule",
            entry.id(),
            Optional.of(written.toString().getBytes(UTF_8)),
            fields,
            effect));
  }

  private static String whyAgain(KnownSchedule entry) {
    return entry.newestIsRejected()
        ? "no field differs, but the newest record was rejected: this one ends the report of that"
        : "no field differs, but the newest record is not known to be in force: this one follows it";
  }

  /** A time zone that neither the file nor the topic names is the scheduler's. */
  private Schedule normal(Schedule schedule, KnownSchedule entry) {
    Schedule copy = Schedule.newBuilder(schedule).build();
    boolean isOpen =
        entry
            .definition()
            .flatMap(WrittenDefinition::schedule)
            .filter(newest -> newest.getTimezone() == null)
            .isPresent();
    if (copy.getTimezone() == null && isOpen) {
      entry
          .currentRevision()
          .map(Revision::getSchedule)
          .map(Schedule::getTimezone)
          .ifPresent(copy::setTimezone);
    }
    return validation.normalise(copy);
  }

  private boolean firesAtOnce(Schedule wanted) {
    Instant now = rules.now();
    return wanted.getTrigger() instanceof OnceTrigger once
        && (once.getAt() == null || !once.getAt().isAfter(now));
  }

  private static Optional<String> set(KnownSchedule entry) {
    return entry.schedule().map(Schedule::getLabels).map(labels -> labels.get(SET));
  }

  private void problem(FileSchedule file, String field, String what) {
    problems.add(new FileProblem(file.source().place(field), file.id().value() + " " + what));
  }
}
