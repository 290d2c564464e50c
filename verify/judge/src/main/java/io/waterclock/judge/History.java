package io.waterclock.judge;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that the topics have ever held, cleaned or not. The entries of a partition are in its
 * order.
 *
 * @param partitions of the topics that schedulers read
 * @param schedules JSON, as written
 * @param commands JSON, as written
 * @param reports of workers
 * @param targets what the router took to targets; no value if that is no fire
 * @param deadLetters those of fires
 * @param carriers strays on their way, by their places
 * @param effects the ids of the fires that had their effect, once for each; empty if uncounted
 * @param confirmed the places of records that the brokers have confirmed to their producers
 */
public record History(
    int partitions,
    List<Entry<String>> schedules,
    List<Entry<String>> commands,
    List<Entry<Outcome>> reports,
    List<Entry<Fire>> fires,
    List<Entry<Missed>> missed,
    List<Entry<Alert>> alerts,
    List<Entry<Revision>> revisions,
    List<Entry<ScheduleStatus>> statuses,
    List<Entry<Fire>> targets,
    List<Entry<byte[]>> deadLetters,
    List<Entry<byte[]>> carriers,
    Optional<List<String>> effects,
    RegistryLog registry,
    Set<String> confirmed) {

  /** The same, with lists that may be changed. */
  History copy() {
    return new History(
        partitions,
        new ArrayList<>(schedules),
        new ArrayList<>(commands),
        new ArrayList<>(reports),
        new ArrayList<>(fires),
        new ArrayList<>(missed),
        new ArrayList<>(alerts),
        new ArrayList<>(revisions),
        new ArrayList<>(statuses),
        new ArrayList<>(targets),
        new ArrayList<>(deadLetters),
        new ArrayList<>(carriers),
        effects.map(ArrayList::new),
        new RegistryLog(new HashMap<>(registry.answers()), registry.outages()),
        confirmed);
  }
}
