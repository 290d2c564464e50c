package io.waterclock.judge;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;

/** The records of a history by the ids of their schedules. */
final class Evidence {
  /** How long compaction leaves a record of the schedules topic alone. */
  static final long MIN_COMPACTION_LAG = 7 * 24 * 3_600_000L;

  final History history;
  private final Map<String, List<Entry<String>>> written = new TreeMap<>();
  private final Map<String, List<Entry<String>>> elsewhere = new HashMap<>();
  private final Map<String, Entry<String>> schedules = new HashMap<>();
  private final Map<String, List<Entry<String>>> commands = new HashMap<>();
  private final Map<String, List<Entry<Outcome>>> reports = new HashMap<>();
  private final Map<String, List<Entry<Revision>>> revisions = new HashMap<>();
  private final Map<String, List<Entry<Fire>>> fires = new HashMap<>();
  private final Map<String, List<Entry<Missed>>> missed = new HashMap<>();
  private final Map<String, List<Entry<Alert>>> alerts = new HashMap<>();
  private final Map<String, Optional<String>> statuses = new HashMap<>();
  private final Set<String> paused = new HashSet<>();
  private final Set<String> broughtHome = new HashSet<>();

  Evidence(History history) {
    this.history = history;
    for (Entry<String> entry : history.schedules()) {
      add(entry.partition() == home(entry.key()) ? written : elsewhere, entry.key(), entry);
      schedules.put(entry.place(), entry);
      entry.header(Entry.STRAY).ifPresent(broughtHome::add);
    }
    for (Entry<Fire> entry : history.fires()) {
      add(fires, entry.value().orElseThrow().getScheduleId(), entry);
    }
    for (Entry<Missed> entry : history.missed()) {
      add(missed, entry.value().orElseThrow().getScheduleId(), entry);
    }
    for (Entry<Alert> entry : history.alerts()) {
      add(alerts, entry.value().orElseThrow().getScheduleId(), entry);
    }
    for (Entry<Revision> entry : history.revisions()) {
      add(revisions, entry.value().orElseThrow().getScheduleId(), entry);
    }
    history.commands().forEach(entry -> add(commands, entry.key(), entry));
    for (Entry<Outcome> entry : history.reports()) {
      if (entry.header(Entry.STRAY).isEmpty()
          && entry.value().orElseThrow().getBackfill() == null) {
        add(reports, entry.value().orElseThrow().getFireKey(), entry);
      }
    }
    history.statuses().forEach(this::shown);
    Comparator<Entry<?>> inOrder =
        Comparator.<Entry<?>>comparingLong(Entry::timestampMs)
            .thenComparingInt(Entry::partition)
            .thenComparingLong(Entry::offset);
    commands.values().forEach(all -> all.sort(inOrder));
    reports.values().forEach(all -> all.sort(inOrder));
  }

  private void shown(Entry<ScheduleStatus> entry) {
    Optional<ScheduleStatus> status = entry.value();
    statuses.put(entry.key(), status.map(shown -> String.valueOf(shown.getRevision())));
    if (status.filter(shown -> shown.getState() == State.PAUSED).isPresent()) {
      paused.add(entry.key());
    } else {
      paused.remove(entry.key());
    }
  }

  private static <T> void add(Map<String, List<T>> to, String id, T what) {
    to.computeIfAbsent(id, any -> new ArrayList<>()).add(what);
  }

  Set<String> ids() {
    Set<String> ids = new TreeSet<>(written.keySet());
    ids.addAll(fires.keySet());
    ids.addAll(missed.keySet());
    return ids;
  }

  /** The partition of a key, as Kafka's own clients choose it. */
  int home(String id) {
    byte[] key = id.getBytes(StandardCharsets.UTF_8);
    return Utils.toPositive(Utils.murmur2(key)) % history.partitions();
  }

  /** The record of the schedules topic at a place. */
  Optional<Entry<String>> schedule(String place) {
    return Optional.ofNullable(schedules.get(place));
  }

  /** Whether a stray has a copy at home. */
  boolean isBroughtHome(Entry<?> stray) {
    return broughtHome.contains(stray.place());
  }

  boolean hasStatus(String id) {
    return statuses.containsKey(id);
  }

  /** The revision that the status topic shows at the end; empty for a tombstone. */
  Optional<String> status(String id) {
    return statuses.getOrDefault(id, Optional.empty());
  }

  /** Whether the status topic shows it as paused at the end. */
  boolean isPaused(String id) {
    return paused.contains(id);
  }

  /** The definitions and deletes in the partition of an id. */
  List<Entry<String>> written(String id) {
    return written.getOrDefault(id, List.of());
  }

  /** Those in other partitions. */
  List<Entry<String>> elsewhere(String id) {
    return elsewhere.getOrDefault(id, List.of());
  }

  /** Those of all partitions, in the order of their timestamps. */
  List<Entry<String>> commands(String id) {
    return commands.getOrDefault(id, List.of());
  }

  List<Entry<Revision>> revisions(String id) {
    return revisions.getOrDefault(id, List.of());
  }

  List<Entry<Fire>> fires(String id) {
    return fires.getOrDefault(id, List.of());
  }

  List<Entry<Missed>> missed(String id) {
    return missed.getOrDefault(id, List.of());
  }

  /** In the order of their partition. */
  List<Entry<Alert>> alerts(String id) {
    return alerts.getOrDefault(id, List.of());
  }

  /** What workers report of a fire, without the copies of strays at home. */
  List<Entry<Outcome>> reports(String fireKey) {
    return reports.getOrDefault(fireKey, List.of());
  }
}
