package io.waterclock.cli.doctor;

import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Diagnosis;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which schedules need a person, the gravest kind first, as the console's list of problems. Pure.
 *
 * @param lint finds those that are valid and probably not meant
 */
record NeedsPerson(Lint lint) {
  /** Of each kind, so many have lines of their own. */
  private static final int FIRST = 3;

  /** The gravest first, and the command that shows all. */
  private enum Kind {
    FAULTED("list --state FAULTED"),
    REJECTED("list --state REJECTED"),
    FAILING("list --state FAILING"),
    OVERDUE("list --where overdue"),
    NEVER_FIRES("lint"),
    PAUSED("list --state PAUSED"),
    ODD_ZONE("lint");

    private final String command;

    Kind(String command) {
      this.command = command;
    }
  }

  /** The first schedules of each kind, and how many more there are. */
  List<Symptom> of(Collection<KnownSchedule> all) {
    Map<Kind, List<Symptom>> found = new EnumMap<>(Kind.class);
    all.forEach(
        entry ->
            of(entry)
                .forEach(
                    (kind, one) -> found.computeIfAbsent(kind, key -> new ArrayList<>()).add(one)));
    found.put(Kind.NEVER_FIRES, lint.never(all));
    found.put(
        Kind.ODD_ZONE,
        lint.zones(all).stream().map(odd -> Symptom.good(odd.about(), odd.text())).toList());
    List<Symptom> lines = new ArrayList<>();
    found.forEach((kind, symptoms) -> lines.addAll(few(kind, symptoms)));
    return lines;
  }

  private Map<Kind, Symptom> of(KnownSchedule entry) {
    Map<Kind, Symptom> found = new EnumMap<>(Kind.class);
    for (Diagnosis one : Diagnosis.of(entry, lint.upcoming(), lint.now())) {
      Symptom bad = Symptom.bad(entry.id(), one.text());
      switch (one.kind()) {
        case FAULTED -> found.putIfAbsent(Kind.FAULTED, bad);
        case REJECTED, EDIT_REJECTED -> found.putIfAbsent(Kind.REJECTED, bad);
        case FAILING -> found.putIfAbsent(Kind.FAILING, bad);
        case OVERDUE -> found.putIfAbsent(Kind.OVERDUE, bad);
        case PAUSED -> found.putIfAbsent(Kind.PAUSED, Symptom.paused(entry.id(), one.text()));
        default -> {}
      }
    }
    return found;
  }

  private static List<Symptom> few(Kind kind, List<Symptom> all) {
    if (all.size() <= FIRST) {
      return all;
    }
    List<Symptom> lines = new ArrayList<>(all.subList(0, FIRST));
    Symptom first = all.get(0);
    lines.add(
        new Symptom(
            first.wrong(),
            first.paused(),
            "schedules",
            "%s more are the same kind of problem; waterclock %s shows all."
                .formatted(all.size() - FIRST, kind.command),
            Map.of()));
    return lines;
  }
}
