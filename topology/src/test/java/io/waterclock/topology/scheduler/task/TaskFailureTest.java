package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.audit.Finding;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.State;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/**
 * A producer or a store that fails ends the task and its transaction. It is the fault of no
 * schedule and of no record, so the next task decides the same again.
 */
final class TaskFailureTest {
  private static final String REPLAY =
      "\"catch_up\":\"replay\",\"grace\":\"1s\",\"anchor\":\"2026-03-04T12:00:00Z\"";

  @Test
  void a_failure_at_any_moment_ends_the_task_and_leaves_no_trace() {
    History undisturbed = new History(Integer.MAX_VALUE);
    assertThat(undisturbed.cluster.fires()).hasSizeGreaterThan(20);
    int failure = 0;
    History history;
    do {
      history = new History(++failure);
      assertThat(history.outcomes()).as("failure " + failure).isEqualTo(undisturbed.outcomes());
    } while (history.hasFailed);
    assertThat(failure).as("moments").isGreaterThan(100);
  }

  private static final class EdgeFailedException extends RuntimeException {}

  /** A day of two schedules, with one failure. */
  private static final class History {
    final SimulatedCluster cluster = new SimulatedCluster(1);
    boolean hasFailed;
    private int untilFailure;
    private int produced;

    /**
     * @param failure which record that is sent, or which use of a store, fails; from 1
     */
    History(int failure) {
      untilFailure = failure;
      task().sabotage(new Failure());
      put("a", "{\"every\":\"1s\"," + REPLAY + "}");
      put("b", "{\"every\":\"2s\",\"grace\":\"1s\"}");
      pass(Duration.ofSeconds(5));
      command("a", "\"trigger\":{}");
      command("b", "\"pause\":{}");
      pass(Duration.ofSeconds(9));
      put("a", "{\"every\":\"3s\"," + REPLAY + "}");
      put("b", "{\"every\":\"soon\"}");
      command("b", "\"resume\":{}");
      pass(Duration.ofSeconds(8));
      produce(cluster.topics().schedules(), "b", Optional.empty());
      pass(Duration.ofSeconds(9));
    }

    private void put(String id, String json) {
      produce(cluster.topics().schedules(), id, Optional.of(json));
    }

    private void command(String id, String action) {
      String json = "{\"command_id\":\"c" + produced + "\"," + action + "}";
      produce(cluster.topics().commands(), id, Optional.of(json));
    }

    private void produce(String topic, String id, Optional<String> json) {
      cluster.produce(topic, 0, id, json, cluster.now(), "r-" + produced++);
      go();
    }

    private void pass(Duration time) {
      cluster.advance(time);
      go();
    }

    /** Kafka Streams ends a task that throws, and begins the next one from what is committed. */
    private void go() {
      try {
        cluster.drain();
      } catch (EdgeFailedException e) {
        task().crash();
        cluster.drain(); // loads the queue
        cluster.drain();
      }
      assertThat(cluster.counts(0).schedules(State.FAULTED)).isZero();
    }

    private SimulatedTask task() {
      return cluster.tasks().get(0);
    }

    /** What has become of each occurrence, and what was answered, in an order of its own. */
    String outcomes() {
      List<String> lines = new ArrayList<>();
      for (Fire fire : cluster.fires()) {
        lines.add(
            fire.getScheduleId()
                + " "
                + fire.getOccurrence()
                + " "
                + fire.getCause()
                + " "
                + fire.getFireId());
      }
      for (Missed range : cluster.committed().missed()) {
        lines.add(range.getScheduleId() + " " + range.getFirst() + ".." + range.getLast());
      }
      for (Answer answer : cluster.answers()) {
        lines.add(answer.getCorrelationId() + " " + answer.getVerdict());
      }
      lines.sort(null);
      lines.addAll(cluster.committed().findings("a").stream().map(Finding::toString).toList());
      lines.addAll(cluster.committed().findings("b").stream().map(Finding::toString).toList());
      return String.join("\n", lines);
    }

    private final class Failure implements Sabotage {
      @Override
      public boolean sends(Sink sink, Record<?, ?> record) {
        maybeFail();
        return true;
      }

      @Override
      public boolean writes(String store, Bytes key, boolean isDelete) {
        maybeFail();
        return true;
      }

      @Override
      public void reads() {
        maybeFail();
      }

      private void maybeFail() {
        if (--untilFailure == 0) {
          hasFailed = true;
          throw new EdgeFailedException();
        }
      }
    }
  }
}
