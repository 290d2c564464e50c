package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Answers requests whose headers ask for an answer. */
final class AnswerSender {
  private final OutgoingRecords records;
  private final Consumer<Effect> effects;

  AnswerSender(TaskContext task, Consumer<Effect> effects) {
    this.records = task.records();
    this.effects = effects;
  }

  /**
   * @param state after the request
   * @param next the first occurrence that is undecided then
   * @return false when the request asks for no answer
   */
  boolean answer(
      Inbound inbound,
      Verdict verdict,
      Optional<ScheduleState> state,
      Optional<Occurrence> next,
      List<Problem> problems,
      Instant now) {
    return answer(inbound, verdict, state, next, List.of(), problems, now);
  }

  /** Answers a question with the occurrences that it asks for. */
  void answerQuestion(
      Inbound inbound, ScheduleState state, List<Occurrence> upcoming, Instant now) {
    Optional<Occurrence> next = upcoming.stream().findFirst();
    answer(inbound, Verdict.UNCHANGED, Optional.of(state), next, upcoming, List.of(), now);
  }

  private boolean answer(
      Inbound inbound,
      Verdict verdict,
      Optional<ScheduleState> state,
      Optional<Occurrence> next,
      List<Occurrence> upcoming,
      List<Problem> problems,
      Instant now) {
    Optional<AnswerAddress> request = AnswerAddress.of(inbound.headers());
    if (request.isEmpty()) {
      return false;
    }
    Answer answer =
        Answer.newBuilder()
            .setCorrelationId(request.get().correlationId())
            .setScheduleId(BoundedText.text(inbound.keyText()))
            .setVerdict(verdict)
            .setProblems(problems)
            .setOccurrences(upcoming.stream().map(Occurrence::at).toList())
            .build();
    state.ifPresent(
        known -> {
          answer.setRevision(known.current().revision());
          answer.setState(life(known, verdict, next));
        });
    next.ifPresent(occurrence -> answer.setNext(occurrence.at()));
    effects.accept(new Effect.Send(records.answer(answer, request.get().partition(), now)));
    return true;
  }

  /**
   * A schedule without further occurrences is reported as complete before the watchdog records it.
   */
  private static State life(ScheduleState state, Verdict verdict, Optional<Occurrence> next) {
    boolean isDone =
        switch (verdict) {
          case ACCEPTED, UNCHANGED, EXECUTED -> next.isEmpty();
          case DELETED, NOT_FOUND, REJECTED, CONFLICT -> false;
        };
    return isDone && state.life() == State.ACTIVE ? State.COMPLETED : state.life();
  }
}
