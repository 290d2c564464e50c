package io.waterclock.console.letters;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.deadletters.FailedRecord;
import io.waterclock.client.deadletters.HandledLetter;
import io.waterclock.client.deadletters.LetterFilter;
import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.deadletters.RedriveException;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.console.jobs.Work;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Resolves the dead letters that match and that a person may resolve, or counts them. Records go to
 * the scheduler's inputs alone. What is done when it ends early stays done.
 *
 * @param queue its reader's progress is not used
 */
public record LetterWork(DeadLetterQueue queue, Redrive.Brokers brokers, Asked asked, Access access)
    implements Work {
  /** Different reasons in a result. */
  private static final int MOST_REASONS = 20;

  /**
   * What a person asks for.
   *
   * @param isDryRun counts, and changes nothing
   * @param isForced also what was sent again too often
   */
  public record Asked(
      Resolution.Action action,
      LetterFilter filter,
      boolean isDryRun,
      boolean isForced,
      String note) {}

  @Override
  public ObjectNode run(Progress progress) {
    TopicReader reader =
        new TopicReader(queue.reader().consumers(), queue.reader().failures(), progress::at);
    DeadLetterQueue watched =
        new DeadLetterQueue(reader, queue.topics(), queue.schemas(), queue.owners());
    Redrive redrive = new Redrive(watched, brokers);
    Redrive.Order order =
        new Redrive.Order(
            asked.action(), asked.filter(), this::isAllowed, Set.of(), asked.isForced(), said());
    Counts counts = new Counts();
    if (asked.isDryRun()) {
      redrive.preview(
          order,
          handled -> {
            counts.add(handled);
            return !progress.isCancelled();
          });
      return counts.json();
    }
    try {
      redrive.run(order, () -> !progress.isCancelled(), counts::add);
    } catch (RedriveException e) {
      return counts.json().put("stopped", e.getMessage());
    }
    return counts.json();
  }

  private Map<String, String> said() {
    Map<String, String> said = new HashMap<>();
    said.put(HeaderNames.AUTHOR, access.name());
    if (!asked.note().isEmpty()) {
      said.put(HeaderNames.NOTE, asked.note());
    }
    return said;
  }

  /**
   * Who may write such a record may send it again, and who may command the schedule may discard it.
   * What is about no schedule is for those who may do so for all.
   */
  private boolean isAllowed(FailedRecord letter) {
    Topics topics = queue.topics();
    String topic = letter.from().origin().map(FailedRecord.Origin::topic).orElse("");
    boolean isDefinition =
        List.of(topics.schedules(), topics.calendars(), topics.later()).contains(topic);
    Role role =
        asked.action() == Resolution.Action.REDRIVEN && isDefinition ? Role.EDITOR : Role.OPERATOR;
    return access.may(role, letter.schedule(topics).orElse(""));
  }

  /** Counts letters by what becomes of them. */
  private static final class Counts {
    private final Map<String, Long> done = new TreeMap<>();
    private final Map<String, Long> stay = new TreeMap<>();

    void add(HandledLetter handled) {
      Map<String, Long> counts = handled.isDone() ? done : stay;
      boolean isKnown = counts.containsKey(handled.text()) || counts.size() < MOST_REASONS;
      counts.merge(isKnown ? handled.text() : "other reasons", 1L, Long::sum);
    }

    ObjectNode json() {
      ObjectNode tree = JsonNodeFactory.instance.objectNode();
      list(tree, "done", "to", done);
      list(tree, "stay", "why", stay);
      return tree;
    }

    private static void list(ObjectNode tree, String name, String text, Map<String, Long> counts) {
      tree.put(name, counts.values().stream().mapToLong(Long::longValue).sum());
      ArrayNode rows = tree.putArray(name + "_by");
      counts.forEach((key, count) -> rows.addObject().put(text, key).put("count", count));
    }
  }
}
