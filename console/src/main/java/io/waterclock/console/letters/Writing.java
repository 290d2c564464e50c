package io.waterclock.console.letters;

import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.avro.Limit;
import java.util.Optional;

/**
 * How a console writes.
 *
 * @param schedules sends commands and definitions; stays its creator's to close
 * @param letters sends dead letters again
 */
public record Writing(Schedules schedules, Redrive.Brokers letters, Limits limits) {

  /** Writes records of the topic limits. */
  public interface Limits {
    /**
     * Writes a limit and waits until the brokers have it.
     *
     * @param limit empty to end it
     * @throws RuntimeException if they do not take it
     */
    void write(LimitName name, Optional<Limit> limit);
  }
}
