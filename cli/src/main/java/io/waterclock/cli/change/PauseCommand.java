package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.State;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Command;

@Command(
    name = "pause",
    description = {
      "Pause a schedule, or all that match, until they are resumed; print the scheduler's answer.",
      "",
      "Occurrences in the pause are missed. A new definition does not end the pause.",
      "A pause of all that match leaves paused schedules unchanged, and prints an id with which"
          + " 'resume --paused-by' ends exactly this pause."
    })
public final class PauseCommand extends SteeringCommand {
  private static final Set<State> NOT_PAUSED = EnumSet.of(State.ACTIVE, State.FAULTED);

  @Override
  public Integer call() {
    ObjectNode action = action();
    said.addTo(action);
    if (!bulk.isGiven()) {
      return send("pause", action, "paused");
    }
    BulkId bulkId = bulkId("pause");
    action.put("note", bulkId.note(said.text())).put("keep", true);
    return sendAll("pause", known -> action, "paused", bulkId, PauseCommand::mayFire);
  }

  /** A schedule that is paused already keeps its own pause. */
  private static boolean mayFire(KnownSchedule schedule) {
    return schedule.state().filter(NOT_PAUSED::contains).isPresent() || schedule.status().isEmpty();
  }
}
