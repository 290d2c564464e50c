package io.waterclock.topology.runtime.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether the state on this machine's disk belongs to the changelogs that there are.
 *
 * <p>Kafka Streams takes local state for good as long as its changelog reaches as far as it did.
 * After a reset there are others of the same names, which soon reach that far; so the ids that
 * Kafka gave the changelogs are kept beside the state.
 */
public final class LocalState {
  private final Path file;
  private final String present;

  /**
   * @param stateDir of Kafka Streams
   * @param changelogs the ids of those that exist, by name
   */
  public LocalState(Path stateDir, String applicationId, Map<String, String> changelogs) {
    this.file = stateDir.resolve(applicationId + ".changelogs");
    this.present =
        changelogs.isEmpty()
            ? ""
            : String.valueOf(new TreeMap<>(changelogs)) + System.lineSeparator();
  }

  /** True when what is stored here is of other changelogs, or may be. */
  public boolean isStale() {
    try {
      return present.isEmpty() || !Files.readString(file).equals(present);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says that what is stored here from now on is of the changelogs that there are. */
  public void remember() {
    try {
      Files.createDirectories(file.getParent());
      if (present.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.writeString(file, present);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
