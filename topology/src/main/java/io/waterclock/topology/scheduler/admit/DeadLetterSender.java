package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/** Sends what is of no use to the dead-letter topic. */
public final class DeadLetterSender {
  private static final Logger LOG = SafeLogger.of(DeadLetterSender.class);

  private final Settings settings;
  private final Applier applier;
  private final OutgoingRecords records;
  private final AnswerSender answering;
  private final Counts counts;

  public DeadLetterSender(
      Settings settings,
      Applier applier,
      OutgoingRecords records,
      AnswerSender answering,
      Counts counts) {
    this.settings = settings;
    this.applier = applier;
    this.records = records;
    this.answering = answering;
    this.counts = counts;
  }

  /** Sends a record that is about a schedule whose status will tell of it. */
  void send(Inbound inbound, Problem problem, Instant now) {
    send(inbound, List.of(problem), now);
  }

  private void send(Inbound inbound, List<Problem> problems, Instant now) {
    String error = Problems.text(BoundedText.problems(problems));
    applier.send(records.dead(inbound, error, now));
  }

  /** Sends a record that changes no status, and answers whoever asked. */
  void refuse(Inbound inbound, Problem problem, Instant now) {
    refuse(inbound, List.of(problem), now);
  }

  /** As above, with all that is wrong. */
  void refuse(Inbound inbound, List<Problem> all, Instant now) {
    send(inbound, all, now);
    counts.rejected(input(inbound.topic()));
    List<Problem> problems = BoundedText.problems(all);
    LOG.warn("Dead letter at {}: {}", inbound.revision(), Problems.text(problems));
    answering.answer(inbound, Verdict.REJECTED, Optional.empty(), Optional.empty(), problems, now);
  }

  /** Sends a record that nobody has read, with the reason alone: it must harm nothing here. */
  void setAside(Inbound inbound, String why, Instant now) {
    applier.send(records.dead(inbound, why, now));
    counts.setAside();
    LOG.error("Set aside {}, unread, to the dead-letter topic: {}", inbound.revision(), why);
  }

  /** Of a topic that only the scheduler writes to, as if it had been a definition. */
  private InputTopic input(String topic) {
    if (topic.equals(settings.topics().commands())) {
      return InputTopic.COMMANDS;
    }
    return topic.equals(settings.topics().outcomes()) ? InputTopic.OUTCOMES : InputTopic.SCHEDULES;
  }
}
