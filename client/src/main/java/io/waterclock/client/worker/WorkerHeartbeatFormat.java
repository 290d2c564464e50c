package io.waterclock.client.worker;

import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.Downtime;
import io.waterclock.client.rules.WorkerHeartbeat;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The text form of a heartbeat in the metadata of a committed offset: {@code
 * alive=2026-11-21T09:00:00Z/2026-11-21T12:00:00Z@1a2b3c4d}, with the fingerprint of the worker's
 * handlers, and for each downtime of the backlog {@code ;<last alive>,<taken over at>,<end>} with
 * instants in milliseconds. The first of them is empty if there was no earlier heartbeat.
 */
final class WorkerHeartbeatFormat {
  private static final Pattern FORM =
      Pattern.compile("alive=([^/;]+)/([^@;]+)@([^;]*)((?:;-?\\d*,-?\\d+,\\d+)*)");

  private WorkerHeartbeatFormat() {}

  /**
   * @param handlers {@link Handlers#fingerprint}
   */
  static OffsetAndMetadata with(long offset, WorkerHeartbeat heartbeat, String handlers) {
    String downtimes =
        heartbeat.backlog().downtimes().stream()
            .map(WorkerHeartbeatFormat::text)
            .collect(Collectors.joining());
    return new OffsetAndMetadata(
        offset, "alive=" + heartbeat.since() + "/" + heartbeat.at() + "@" + handlers + downtimes);
  }

  /** Empty if there is none, for example because a tool has set the offset. */
  static Optional<WorkerHeartbeat> in(OffsetAndMetadata committed) {
    Matcher form = FORM.matcher(committed.metadata());
    try {
      return form.matches()
          ? Optional.of(
              new WorkerHeartbeat(
                  Instant.parse(form.group(1)),
                  Instant.parse(form.group(2)),
                  new Backlog(
                      Arrays.stream(form.group(4).split(";"))
                          .skip(1)
                          .map(WorkerHeartbeatFormat::downtime)
                          .toList())))
          : Optional.empty();
    } catch (DateTimeException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The fingerprint of the handlers of the worker that committed it. */
  static Optional<String> handlers(OffsetAndMetadata committed) {
    return FORM.matcher(committed.metadata()).results().map(form -> form.group(3)).findFirst();
  }

  private static String text(Downtime downtime) {
    String from = downtime.lastAlive().map(alive -> "" + alive.toEpochMilli()).orElse("");
    return ";" + from + "," + downtime.takenOverAt().toEpochMilli() + "," + downtime.end();
  }

  private static Downtime downtime(String text) {
    String[] fields = text.split(",");
    return new Downtime(
        Optional.of(fields[0]).filter(from -> !from.isEmpty()).map(WorkerHeartbeatFormat::ofMs),
        ofMs(fields[1]),
        Long.parseLong(fields[2]));
  }

  private static Instant ofMs(String text) {
    return Instant.ofEpochMilli(Long.parseLong(text));
  }
}
