package io.waterclock.spring.schedule;

import io.waterclock.client.schedules.Selector;
import io.waterclock.schemas.avro.Schedule;
import java.util.HashMap;
import java.util.Map;

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
}
