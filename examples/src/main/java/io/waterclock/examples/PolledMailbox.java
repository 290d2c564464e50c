package io.waterclock.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.avro.CatchUp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Polls a mailbox. A run has a timeout: it stops between two messages when the timeout ends, and
 * leaves its position as a checkpoint. The next run, in any process, continues there. The worker
 * drops a run that follows a late run too soon (tolerance). The scheduler skips missed runs,
 * because the next run reads all messages.
 */
public final class PolledMailbox {
  static final String ID = "examples/mailbox";

  private final List<String> messages;
  private final Consumer<String> handler;

  /**
   * @param messages the messages of the mail server, numbered, and never renumbered
   */
  PolledMailbox(List<String> messages, Consumer<String> handler) {
    this.messages = messages;
    this.handler = handler;
  }

  /** Reads a mailbox of 40 messages until it is interrupted, at two messages a second. */
  public static void main(String[] args) throws InterruptedException {
    String servers = Setup.bootstrapServers(args);
    List<String> messages = IntStream.range(0, 40).mapToObj(i -> "message " + i).toList();
    PolledMailbox mailbox = new PolledMailbox(messages, PolledMailbox::slowly);
    try (Schedules schedules = Schedules.connect(servers);
        FireWorker worker = mailbox.start(servers, schedules)) {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::close)); // lets the next one begin
      worker.await();
    }
  }

  FireWorker start(String servers, Schedules schedules) {
    schedules
        .put(
            ID,
            ScheduleBuilder.every(Duration.ofSeconds(3))
                .catchUp(CatchUp.SKIP)
                .timeout(Duration.ofSeconds(2))
                .tolerance(Duration.ofSeconds(1)))
        .join()
        .orThrow();
    return FireWorker.builder(servers, "examples-mailbox").onSchedule(ID, this::poll).start();
  }

  private void poll(Run run) {
    int next = run.checkpoint().map(PolledMailbox::number).orElse(0);
    int first = next;
    while (next < messages.size() && !run.isCancelled()) {
      handler.accept(messages.get(next));
      next++;
      run.leaveCheckpoint(Integer.toString(next).getBytes(UTF_8));
    }
    run.leaveCheckpoint(Integer.toString(next).getBytes(UTF_8));
    run.output("read " + (next - first) + ", so far " + next);
    System.out.println("read " + (next - first) + ", so far " + next);
  }

  private static int number(byte[] checkpoint) {
    return Integer.parseInt(new String(checkpoint, UTF_8));
  }

  private static void slowly(String message) {
    System.out.println(message);
    LockSupport.parkNanos(Duration.ofMillis(500).toNanos()); // an interrupt ends it, too
  }
}
