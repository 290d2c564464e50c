package io.waterclock.sim.judge;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import java.util.List;

/** Whether workers have handled each fire before they committed an offset beyond it. */
record Handled(Facts facts, Evidence evidence, List<String> findings) {
  void judge() {
    for (int p = 0; p < facts.partitions(); p++) {
      Place place = new Place(facts.topics().fires(), p);
      for (LogRecord record : evidence.committed(place.topic(), p)) {
        if (facts.consumers().handled().isPassed(place, record.offset())) {
          findings.add(record.keyText() + ": workers have passed it and have not handled it");
        }
      }
    }
  }
}
