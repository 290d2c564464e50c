package io.waterclock.runtime.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks whether the state on this machine's disk belongs to the current changelogs.
 *
 * <p>Kafka Streams trusts local state whose offset the changelog still reaches. After a reset, new
 * changelogs with the same names soon reach that offset. So this class stores Kafka's ids of the
 * changelogs beside the state. For one thread at a time.
 */
public final class LocalState {
  private final Path file;
  private final Map<String, String> changelogs;

  /**
   * @param stateDir of Kafka Streams
   * @param changelogs the ids of the existing changelogs, by name
   */
  public LocalState(Path stateDir, String applicationId, Map<String, String> changelogs) {
    this.file = stateDir.resolve(applicationId + ".changelogs");
    this.changelogs = new TreeMap<>(changelogs);
  }

  /** True when the stored state belongs, or may belong, to other changelogs. */
  public boolean isStale() {
    try {
      return changelogs.isEmpty() || !Arrays.equals(Files.readAllBytes(file), content());
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
      if (changelogs.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.write(file, content());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** True when a changelog did not exist yet; Kafka Streams creates those that are missing. */
  public boolean lacksOneOf(Collection<String> names) {
    return !changelogs.keySet().containsAll(names);
  }

  /**
   * Adds the changelogs that were created since the state began. Does nothing when one of the
   * others is another now: the state does not belong to that one.
   *
   * @param present the ids of the existing changelogs, by name
   */
  public void add(Map<String, String> present) {
    if (present.entrySet().containsAll(changelogs.entrySet())) {
      changelogs.putAll(present);
      remember();
    }
  }

  private byte[] content() {
    return (changelogs + System.lineSeparator()).getBytes(UTF_8);
  }
}
