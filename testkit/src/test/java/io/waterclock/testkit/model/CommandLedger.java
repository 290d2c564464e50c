package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What commands were answered, beside what they had to be answered. */
final class CommandLedger {
  private final Map<String, Verdict> expected = new HashMap<>();
  private final Map<String, Verdict> answered = new HashMap<>();
  private int refused;

  /** True when the reference has dealt with the command. */
  boolean isDone(String commandId) {
    return expected.containsKey(commandId);
  }

  void expect(String commandId, Verdict verdict) {
    expected.put(commandId, verdict);
  }

  Optional<Verdict> answer(String commandId) {
    return Optional.ofNullable(answered.get(commandId));
  }

  /** The scheduler counts anew when it starts. */
  void restarted() {
    refused = 0;
  }

  /** Commands refused since the start. */
  int refused() {
    return refused;
  }

  void read(List<Answer> answers) {
    for (Answer answer : answers) {
      String commandId = answer.getCorrelationId();
      Verdict verdict = answer.getVerdict();
      Verdict earlier = answered.putIfAbsent(commandId, verdict);
      if (earlier != null && earlier != verdict) {
        throw new AssertionError(commandId + " was answered " + earlier + ", now " + answer);
      }
      boolean isRefusal = verdict != Verdict.EXECUTED && verdict != Verdict.UNCHANGED;
      refused += earlier == null && isRefusal ? 1 : 0;
    }
    for (Map.Entry<String, Verdict> entry : expected.entrySet()) {
      Verdict verdict = answered.get(entry.getKey());
      if (verdict != entry.getValue()) {
        throw new AssertionError(entry + " was expected, the answer was " + verdict);
      }
    }
  }
}
