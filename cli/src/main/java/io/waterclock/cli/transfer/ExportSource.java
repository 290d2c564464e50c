package io.waterclock.cli.transfer;

import java.util.function.Consumer;

/** Where an export comes from. */
interface ExportSource {
  /**
   * Hands over every schedule.
   *
   * @throws io.waterclock.cli.terminal.Failure if Kafka is away, or does not hold what is needed
   */
  void forEach(Consumer<ExportedSchedule> each);
}
