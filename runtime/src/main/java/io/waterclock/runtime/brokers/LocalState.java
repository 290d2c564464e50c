package io.waterclock.runtime.brokers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks whether the state on this machine's disk belongs to the current changelogs.
 *
 * <p>Kafka Streams trusts local state whose offset the changelog still reaches. After a reset, new
 * changelogs with the same names soon reach that offset. So this class stores Kafka's ids of the
 * changelogs beside the state.
 */
public final class LocalState {
  private final Path file;
  private final String present;

  /**
   * @param stateDir of Kafka Streams
   * @param changelogs the ids of the existing changelogs, by name
   */
  public LocalState(Path stateDir, String applicationId, Map<String, String> changelogs) {
    this.file = stateDir.resolve(applicationId + ".changelogs");
    this.present =
        changelogs.isEmpty()
            ? ""
            : String.valueOf(new TreeMap<>(changelogs)) + System.lineSeparator();
  }

  /** True when the stored state belongs, or may belong, to other changelogs. */
  public boolean isStale() {
    try {
      return present.isEmpty() || !Files.readString(file).equals(present);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records that the state stored from now on belongs to the current changelogs. */
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
