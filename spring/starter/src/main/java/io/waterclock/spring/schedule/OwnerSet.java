package io.waterclock.spring.schedule;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.Schedule;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schedules that one application declares: those with its name in a label.
 *
 * @param owner the name of the application
 */
record OwnerSet(String owner) {
  /** The label of declared schedules, whose value is the owner. */
  static final String LABEL = "declared-by";

  /** The definition as a member of this set. */
  Schedule member(Schedule definition) {
    Map<String, String> labels = new HashMap<>(definition.getLabels());
    labels.put(LABEL, owner);
    return Schedule.newBuilder(definition).setLabels(labels).build();
  }

  /** The schedules of this set. */
  Selector members() {
    return Selector.all().label(LABEL, owner);
  }

  /**
   * Those that the code no longer declares, with the position of their newest record. Leaves out a
   * schedule of which only the newest record is known: that record may have been rejected, and the
   * definition in force may be another application's.
   *
   * @param members as {@link #members} selects them
   * @param declared their ids
   */
  Map<String, String> stale(List<KnownSchedule> members, Set<String> declared) {
    return members.stream()
        .filter(known -> known.isDefinitionKnown() && !declared.contains(known.id()))
        .collect(
            Collectors.toMap(
                KnownSchedule::id, OwnerSet::position, (a, b) -> b, LinkedHashMap::new));
  }

  /** The ids that {@link #stale} leaves out although the code no longer declares them. */
  List<String> unsure(List<KnownSchedule> members, Set<String> declared) {
    return members.stream()
        .filter(known -> !known.isDefinitionKnown())
        .map(KnownSchedule::id)
        .filter(id -> !declared.contains(id))
        .toList();
  }

  private static String position(KnownSchedule known) {
    return known.definition().map(WrittenDefinition::revision).orElse("");
  }
}
