package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.log.RejectionLog;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import io.waterclock.topology.scheduler.admit.AnswerSender.Reply;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/** Sends records that cannot be admitted to the dead-letter topic. */
record DeadLetterSender(
    Topics topics,
    OutgoingRecords records,
    Counts counts,
    RejectionLog rejections,
    AnswerSender answers) {
  private static final Logger LOG = SafeLogger.of(DeadLetterSender.class);

  /** Sends a record whose problem the caller also reports in the status of its schedule. */
  Effect send(Inbound inbound, Problem problem, Instant now) {
    String error = Problems.text(BoundedText.problems(List.of(problem)));
    return new Effect.Send(records.dead(inbound, error, now));
  }

  /** Sends a record that changes no status; answers it if it asks for an answer. */
  List<Effect> refuse(Inbound inbound, Problem problem, Instant now) {
    return refuse(inbound, List.of(problem), now);
  }

  /** Sends a record with all that is wrong with it; answers it if it asks for an answer. */
  List<Effect> refuse(Inbound inbound, List<Problem> all, Instant now) {
    List<Problem> problems = BoundedText.problems(all);
    String error = Problems.text(problems);
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.Send(records.dead(inbound, error, now)));
    counts.rejected(input(inbound.topic()));
    rejections.rejected("Dead letter at " + inbound.revision(), error);
    Reply reply = Reply.refusing(Verdict.REJECTED, Optional.empty(), problems);
    effects.addAll(answers.answer(inbound, reply, now));
    return effects;
  }

  /** Sends an unread record with the reason, and does nothing else: the record may be deadly. */
  Effect setAside(Inbound inbound, String why, Instant now) {
    counts.setAside();
    LOG.error("Set aside {}, unread, to the dead-letter topic: {}", inbound.revision(), why);
    return new Effect.Send(records.dead(inbound, why, now));
  }

  /** A record of the internal topic of strays counts as a definition. */
  private InputTopic input(String topic) {
    if (topic.equals(topics.commands())) {
      return InputTopic.COMMANDS;
    }
    return topic.equals(topics.outcomes()) ? InputTopic.OUTCOMES : InputTopic.SCHEDULES;
  }
}
