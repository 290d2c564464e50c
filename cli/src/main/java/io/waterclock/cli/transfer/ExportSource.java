package io.waterclock.cli.transfer;

import java.util.function.Consumer;

interface ExportSource {
  /**
   * Hands over every schedule.
   *
   * @throws io.waterclock.cli.terminal.Failure if Kafka is away, or the topics are incomplete
   */
  void forEach(Consumer<ExportedSchedule> each);
}
