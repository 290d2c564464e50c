package io.waterclock.examples;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Debounces: a document is indexed once it has not changed for a while, and not with each change.
 * The timer fires this time after the last change, wherever the changes happen.
 */
public final class Debounce {
  private static final String PREFIX = "examples/index/";

  private Debounce() {}

  /** Changes a document five times within a second, and indexes it once, two seconds later. */
  public static void main(String[] args) throws InterruptedException {
    String servers = Setup.bootstrapServers(args);
    try (Schedules schedules = Schedules.connect(servers);
        FireWorker worker =
            start(
                servers, document -> System.out.println(Instant.now() + " indexed " + document))) {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::close)); // lets the next one begin
      for (int change = 0; change < 5; change++) {
        changed(schedules, "manual", Duration.ofSeconds(2));
        System.out.println(Instant.now() + " changed manual");
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
      worker.await();
    }
  }

  /** A document has changed: (re)starts its timer. */
  static void changed(Schedules schedules, String document, Duration quiet) {
    schedules.timer(PREFIX + document).rearm(quiet).join().orThrow();
  }

  static FireWorker start(String servers, Consumer<String> index) {
    return FireWorker.builder(servers, "examples-index")
        .onPrefix(
            PREFIX, run -> index.accept(run.fire().getScheduleId().substring(PREFIX.length())))
        .start();
  }
}
