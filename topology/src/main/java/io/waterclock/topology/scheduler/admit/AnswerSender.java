package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AnswerAddress;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Answers requests whose headers ask for an answer. */
record AnswerSender(OutgoingRecords records) {

  /**
   * The content of an answer.
   *
   * @param state after the request
   * @param waits whether an occurrence is undecided then, which may be left out
   * @param next the first occurrence that is undecided then; to a definition, the first that fires
   * @param upcoming the occurrences that the request asks for
   * @param repeats when a command of the same id was executed or refused before
   * @param warnings what is valid in the definition and may not be meant
   */
  record Reply(
      Verdict verdict,
      Optional<ScheduleState> state,
      boolean waits,
      Optional<Occurrence> next,
      List<Occurrence> upcoming,
      List<Problem> problems,
      Optional<Instant> repeats,
      List<Problem> warnings) {

    static Reply of(Verdict verdict, Optional<ScheduleState> state, Optional<Occurrence> next) {
      return of(verdict, state, next.isPresent(), next);
    }

    static Reply of(
        Verdict verdict, Optional<ScheduleState> state, boolean waits, Optional<Occurrence> next) {
      return new Reply(
          verdict, state, waits, next, List.of(), List.of(), Optional.empty(), List.of());
    }

    static Reply refusing(Verdict verdict, Optional<ScheduleState> state, List<Problem> problems) {
      return new Reply(
          verdict,
          state,
          false,
          Optional.empty(),
          List.of(),
          problems,
          Optional.empty(),
          List.of());
    }

    static Reply toQuestion(ScheduleState state, List<Occurrence> upcoming) {
      return new Reply(
          Verdict.UNCHANGED,
          Optional.of(state),
          !upcoming.isEmpty(),
          upcoming.stream().findFirst(),
          upcoming,
          List.of(),
          Optional.empty(),
          List.of());
    }

    Reply with(List<Problem> warnings) {
      return new Reply(verdict, state, waits, next, upcoming, problems, repeats, warnings);
    }
  }

  /**
   * @return empty when the request asks for no answer
   */
  List<Effect> answer(Inbound inbound, Reply reply, Instant now) {
    Optional<AnswerAddress> request = AnswerAddress.of(inbound.headers());
    if (request.isEmpty()) {
      return List.of();
    }
    Answer answer =
        Answer.newBuilder()
            .setCorrelationId(request.get().correlationId())
            .setScheduleId(BoundedText.text(inbound.keyText()))
            .setVerdict(reply.verdict())
            .setProblems(reply.problems())
            .setWarnings(reply.warnings())
            .setOccurrences(reply.upcoming().stream().map(Occurrence::at).toList())
            .build();
    reply
        .state()
        .ifPresent(
            known -> {
              answer.setRevision(known.current().revision());
              answer.setState(life(known, reply.verdict(), reply.waits()));
            });
    reply.repeats().ifPresent(answer::setRepeats);
    reply.next().ifPresent(occurrence -> answer.setNext(occurrence.at()));
    return List.of(
        new Effect.Send(records.answer(answer, request.get().partition(), inbound.isJson(), now)));
  }

  /**
   * A schedule without further occurrences is reported as complete before the watchdog records it.
   */
  private static State life(ScheduleState state, Verdict verdict, boolean waits) {
    boolean isDone =
        switch (verdict) {
          case ACCEPTED, UNCHANGED, EXECUTED -> !waits;
          case DELETED, NOT_FOUND, REJECTED, CONFLICT -> false;
        };
    return isDone && state.life() == State.ACTIVE ? State.COMPLETED : state.life();
  }
}
