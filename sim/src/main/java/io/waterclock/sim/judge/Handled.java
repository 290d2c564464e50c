package io.waterclock.sim.judge;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.worker.WorkerNode;
import java.util.List;

/** Whether workers have handled each fire that they have committed. */
record Handled(Facts facts, Evidence evidence, List<String> findings) {
  void judge() {
    for (int p = 0; p < facts.partitions(); p++) {
      Place place = new Place(facts.topics().fires(), p);
      long committed = facts.broker().group(WorkerNode.GROUP).offset(place).orElse(0L);
      for (LogRecord record : evidence.committed(place.topic(), p)) {
        if (record.offset() < committed
            && !facts.consumers().runs().isHandled(place, record.offset())) {
          findings.add(record.keyText() + ": workers have passed it and have not handled it");
        }
      }
    }
  }
}
