package io.waterclock.client.rules;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The heartbeat that a worker commits beside the offset of a partition. As text: {@code
 * alive=2026-11-21T09:00:00Z/2026-11-21T12:00:00Z@1a2b3c4d}, with the fingerprint of the worker's
 * handlers, and for each downtime of the backlog {@code ;<last alive>,<taken over at>,<end>} with
 * instants in milliseconds. The first of them is empty if there was no earlier heartbeat.
 *
 * @param since when this worker took the partition over
 * @param at when the worker committed it
 * @param backlog the downtimes with fires that were unfinished then
 */
public record WorkerHeartbeat(Instant since, Instant at, List<Downtime> backlog) {
  private static final Pattern FORM =
      Pattern.compile("alive=([^/;]+)/([^@;]+)@([^;]*)((?:;-?\\d*,-?\\d+,\\d+)*)");

  /**
   * The text, for the metadata of an offset.
   *
   * @param handlers the fingerprint of the worker's handlers
   */
  public String text(String handlers) {
    return backlog.stream()
        .map(WorkerHeartbeat::text)
        .collect(Collectors.joining("", "alive=" + since + "/" + at + "@" + handlers, ""));
  }

  /** Empty if the metadata is no heartbeat, for example because a tool has set the offset. */
  public static Optional<WorkerHeartbeat> parse(String metadata) {
    Matcher form = FORM.matcher(metadata);
    try {
      return form.matches()
          ? Optional.of(
              new WorkerHeartbeat(
                  Instant.parse(form.group(1)),
                  Instant.parse(form.group(2)),
                  Arrays.stream(form.group(4).split(";"))
                      .skip(1)
                      .map(WorkerHeartbeat::downtime)
                      .toList()))
          : Optional.empty();
    } catch (DateTimeException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The fingerprint of the handlers of the worker that committed the metadata. */
  public static Optional<String> handlers(String metadata) {
    return FORM.matcher(metadata).results().map(form -> form.group(3)).findFirst();
  }

  private static String text(Downtime downtime) {
    String from = downtime.lastAlive().map(alive -> "" + alive.toEpochMilli()).orElse("");
    return ";" + from + "," + downtime.takenOverAt().toEpochMilli() + "," + downtime.end();
  }

  private static Downtime downtime(String text) {
    String[] fields = text.split(",");
    return new Downtime(
        Optional.of(fields[0]).filter(from -> !from.isEmpty()).map(WorkerHeartbeat::ofMs),
        ofMs(fields[1]),
        Long.parseLong(fields[2]));
  }

  private static Instant ofMs(String text) {
    return Instant.ofEpochMilli(Long.parseLong(text));
  }
}
