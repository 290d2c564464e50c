package io.waterclock.topology.stream;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.decide.Occurrence;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Answers those who asked for an answer. */
final class Answering {
  private final OutgoingRecords records;
  private final Applier applier;

  Answering(OutgoingRecords records, Applier applier) {
    this.records = records;
    this.applier = applier;
  }

  /**
   * @param revision in force after the request
   * @return false when nobody asked
   */
  boolean answer(
      Inbound inbound,
      Verdict verdict,
      Optional<String> revision,
      Optional<Occurrence> next,
      List<Problem> problems,
      Instant now) {
    Optional<Request> request = Request.of(inbound.headers());
    if (request.isEmpty()) {
      return false;
    }
    Answer answer =
        Answer.newBuilder()
            .setCorrelationId(request.get().correlationId())
            .setScheduleId(Shortened.text(inbound.keyText()))
            .setVerdict(verdict)
            .setProblems(problems)
            .build();
    revision.ifPresent(answer::setRevision);
    next.ifPresent(occurrence -> answer.setNext(occurrence.at()));
    applier.send(records.answer(answer, request.get().partition(), now));
    return true;
  }
}
