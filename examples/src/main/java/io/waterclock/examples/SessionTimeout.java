package io.waterclock.examples;

import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Ends sessions after silence, by the time of their events. Events arrive late and in any order; a
 * late one never shortens a session, because its timer only moves to a later instant.
 */
public final class SessionTimeout {
  private static final String PREFIX = "examples/sessions/";

  private SessionTimeout() {}

  /** A session as the fire carries it. */
  record Session(String id, Instant lastSeen) {}

  /** Three events of a session, out of order; it ends three seconds after the latest one. */
  public static void main(String[] args) throws InterruptedException {
    String servers = Setup.bootstrapServers(args);
    Duration silence = Duration.ofSeconds(3);
    try (Schedules schedules = Schedules.connect(servers);
        FireWorker worker =
            start(servers, session -> System.out.println(Instant.now() + " ended " + session))) {
      Runtime.getRuntime().addShutdownHook(new Thread(worker::close)); // lets the next one begin
      Instant now = Instant.now();
      for (Instant at : List.of(now.minusMillis(500), now, now.minusMillis(900))) {
        boolean moved = seen(schedules, new Session("42", at), silence).isChange();
        System.out.println("event of " + at + (moved ? " moved the timer" : " was too old"));
      }
      worker.await();
    }
  }

  /** An event of a session: its timer is at the latest event of all, plus the silence. */
  static Answer.Accepted seen(Schedules schedules, Session session, Duration silence) {
    return schedules
        .timer(PREFIX + session.id())
        .with(timer -> timer.payload(session))
        .rearmIfLater(session.lastSeen().plus(silence))
        .join()
        .orThrow();
  }

  static FireWorker start(String servers, Consumer<Session> end) {
    return FireWorker.builder(servers, "examples-sessions")
        .onPrefix(PREFIX, run -> end.accept(run.payloadAs(Session.class)))
        .start();
  }
}
