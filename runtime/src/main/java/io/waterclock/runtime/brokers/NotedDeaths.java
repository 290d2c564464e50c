package io.waterclock.runtime.brokers;

import io.waterclock.schemas.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The notes about records of one partition, the latest last. They are the metadata of a committed
 * offset, at most 4,096 characters. Each record has a line: its offset, the number of deaths or
 * {@code by-hand}, and the cause of the last death.
 *
 * @param notes at most {@value #MOST}
 */
public record NotedDeaths(List<Note> notes) {
  /** The number of deaths after which a record is set aside. */
  public static final int ENOUGH = 3;

  static final int MOST = 10;
  private static final int LONGEST_CAUSE = 300;
  private static final String BY_HAND = "by-hand";

  public NotedDeaths {
    notes = List.copyOf(notes);
  }

  /**
   * The note about a record.
   *
   * @param byHand whether an administrator has set it aside
   * @param cause of the last death
   */
  public record Note(long offset, int deaths, boolean byHand, String cause) {
    /** Why the record must be set aside; empty while it may be taken in. */
    public Optional<String> verdict() {
      if (byHand) {
        return Optional.of("an administrator has set it aside unread");
      }
      return deaths < ENOUGH
          ? Optional.empty()
          : Optional.of(
              ("taking it in has ended a stream thread or a process %s times, the last"
                      + " time by: %s")
                  .formatted(deaths, cause));
    }

    private String line() {
      return offset + " " + (byHand ? BY_HAND : Integer.toString(deaths)) + " " + cause;
    }

    private static Optional<Note> parse(String line) {
      String[] parts = line.split(" ", 3);
      try {
        long offset = Long.parseLong(parts[0]);
        boolean byHand = parts[1].equals(BY_HAND);
        int deaths = byHand ? 0 : Integer.parseInt(parts[1]);
        return Optional.of(new Note(offset, deaths, byHand, parts[2]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty(); // not ours
      }
    }
  }

  public static NotedDeaths none() {
    return new NotedDeaths(List.of());
  }

  /** Reads metadata; lines in another format are left out. */
  public static NotedDeaths parse(String metadata) {
    return new NotedDeaths(metadata.lines().map(Note::parse).flatMap(Optional::stream).toList());
  }

  public Optional<Note> find(long offset) {
    return notes.stream().filter(note -> note.offset() == offset).findFirst();
  }

  /** The notes with one more death of a record. */
  NotedDeaths died(long offset, String cause) {
    Note before = find(offset).orElse(new Note(offset, 0, false, ""));
    return with(new Note(offset, before.deaths() + 1, before.byHand(), cause));
  }

  /** The notes with a record that an administrator sets aside. */
  public NotedDeaths byHand(long offset) {
    return with(new Note(offset, 0, true, "by hand"));
  }

  private NotedDeaths with(Note note) {
    List<Note> all = new ArrayList<>(notes);
    all.removeIf(other -> other.offset() == note.offset());
    all.add(new Note(note.offset(), note.deaths(), note.byHand(), oneLine(note.cause())));
    return new NotedDeaths(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /** Printable ASCII, so that a character is a byte. */
  private static String oneLine(String text) {
    return SafeText.cut(text, LONGEST_CAUSE).replaceAll("[^ -~]", "?");
  }

  public String text() {
    return notes.stream().map(Note::line).collect(Collectors.joining("\n"));
  }
}
