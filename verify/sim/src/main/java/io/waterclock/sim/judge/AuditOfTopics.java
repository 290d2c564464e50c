package io.waterclock.sim.judge;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.sim.broker.LogRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the product's audit on the same topics. */
final class AuditOfTopics {
  private AuditOfTopics() {}

  static List<String> findings(Facts facts, Evidence evidence) {
    Audit audit = new Audit();
    Map<Integer, Instant> through = new HashMap<>();
    for (int p = 0; p < facts.partitions(); p++) {
      for (LogRecord record : evidence.committed(facts.topics().watermarks(), p)) {
        Watermark watermark = RecordCodecs.watermark().decode(record.value().orElseThrow());
        through.put(watermark.getPartition(), watermark.getDecidedThrough());
      }
      for (LogRecord record : evidence.committed(facts.topics().status(), p)) {
        if (record.value().isPresent()) {
          ScheduleStatus status = RecordCodecs.status().decode(record.value().get());
          audit.add(status);
        } else {
          audit.statusDeleted(record.keyText());
        }
      }
    }
    for (String id : evidence.ids()) {
      evidence.revisions(id).forEach(each -> audit.add(each.value()));
      evidence.fires(id).forEach(each -> audit.add(each.value()));
      evidence.missed(id).forEach(each -> audit.add(each.value()));
    }
    List<String> findings = new ArrayList<>();
    for (String id : evidence.ids()) {
      Instant decided = through.get(evidence.home(id));
      if (decided != null) {
        for (Account account : audit.of(id, new Window(Instant.MIN, decided)).accounts()) {
          for (Finding finding : account.findings()) {
            findings.add(finding.toString());
          }
        }
      }
    }
    return findings;
  }
}
