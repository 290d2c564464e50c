package io.waterclock.console.bulk;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.WaterclockException;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ReadModel;
import io.waterclock.definition.Occurrence;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Sends the commands of an action one by one, with up to {@value #AHEAD} that wait for their
 * answers. It ends at the first command that the scheduler does not answer: what was written before
 * stays written, and nothing more is.
 */
public final class BulkWork implements Work {
  private static final int AHEAD = 500;
  private static final int SHOWN = 100;

  /** Of a schedule in one action; a range with more is too long. */
  private static final int MOST_SKIPS = 100;

  private final BulkPlan plan;
  private final BulkAction action;
  private final String author;
  private final String commandId;
  private final Target target;
  private final Deque<Sent> waiting = new ArrayDeque<>();
  private final ArrayNode refused = JsonNodeFactory.instance.arrayNode();
  private long executed;
  private long unchanged;
  private long refusals;
  private String stopped = "";

  /** Where the occurrences of a skip come from, and where the commands go. */
  public record Target(ReadModel model, Schedules schedules) {}

  /**
   * @param commandId the id of each command; the scheduler executes it once for each schedule
   */
  public BulkWork(
      BulkPlan plan, BulkAction action, String author, String commandId, Target target) {
    this.plan = plan;
    this.action = action;
    this.author = author;
    this.commandId = commandId;
    this.target = target;
  }

  private record Sent(String id, CompletableFuture<Answer> answer, boolean isLast) {}

  @Override
  public ObjectNode run(Progress progress) {
    int total = plan.ids().size();
    progress.at(0, total);
    long done = 0;
    Iterator<String> ids = plan.ids().iterator();
    while (ids.hasNext() && stopped.isEmpty() && !progress.isCancelled()) {
      done += send(ids.next());
      while (waiting.size() >= AHEAD) {
        done += await(waiting.remove());
        progress.at(done, total);
      }
    }
    while (!waiting.isEmpty()) {
      done += await(waiting.remove());
      progress.at(done, total);
    }
    ObjectNode result =
        JsonNodeFactory.instance
            .objectNode()
            .put("action", action.kind().name())
            .put("command_id", commandId)
            .put("executed", executed)
            .put("unchanged", unchanged)
            .put("refused", refusals)
            .put("not_done", total - done)
            .put("stopped", stopped);
    result.set("refusals", refused);
    return result;
  }

  /** Returns how many schedules are done at once. */
  private int send(String id) {
    switch (action.kind()) {
      case PAUSE -> send(id, ScheduleCommand.pauseUnlessPaused(action.note(), author));
      case RESUME -> send(id, ScheduleCommand.resume(action.note(), author));
      case TRIGGER -> send(id, ScheduleCommand.trigger().saying(action.note(), author));
      case DELETE ->
          waiting.add(
              new Sent(id, target.schedules().saying(action.note(), author).delete(id), true));
      case SKIP -> {
        return skip(id);
      }
    }
    return 0;
  }

  private void send(String id, ScheduleCommand command) {
    waiting.add(new Sent(id, target.schedules().command(id, command.withId(commandId)), true));
  }

  private int skip(String id) {
    List<Instant> skips = occurrences(id);
    if (skips.size() > MOST_SKIPS) {
      refuse(id, "more than " + MOST_SKIPS + " occurrences lie in the range; pause it instead");
      return 1;
    }
    if (skips.isEmpty()) {
      unchanged++;
      return 1;
    }
    for (int i = 0; i < skips.size(); i++) {
      ScheduleCommand command =
          ScheduleCommand.skip(skips.get(i))
              .saying(action.note(), author)
              .withId(commandId + ":" + i);
      waiting.add(new Sent(id, target.schedules().command(id, command), i == skips.size() - 1));
    }
    return 0;
  }

  private List<Instant> occurrences(String id) {
    List<Instant> found = new ArrayList<>();
    target
        .model()
        .schedule(id)
        .ifPresent(
            known -> {
              Iterator<Occurrence> each =
                  target.model().upcoming().following(known, action.from().minusMillis(1));
              while (each.hasNext() && found.size() <= MOST_SKIPS) {
                Instant at = each.next().at();
                if (!at.isBefore(action.to())) {
                  return;
                }
                if (!at.isBefore(action.from())) {
                  found.add(at);
                }
              }
            });
    return found;
  }

  /** Returns how many schedules are done with it. */
  private int await(Sent sent) {
    try {
      Answer answer = sent.answer().join();
      if (answer instanceof Answer.Accepted accepted) {
        if (sent.isLast() && accepted.isChange()) {
          executed++;
        } else if (sent.isLast()) {
          unchanged++;
        }
      } else {
        refuse(sent.id(), reason(answer));
      }
      return sent.isLast() ? 1 : 0;
    } catch (RuntimeException e) {
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      if (stopped.isEmpty()) {
        stopped = String.valueOf(cause.getMessage());
      }
      return 0;
    }
  }

  private static String reason(Answer answer) {
    try {
      return String.valueOf(answer.orThrow().scheduleId());
    } catch (WaterclockException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void refuse(String id, String why) {
    refusals++;
    if (refused.size() < SHOWN) {
      refused.addObject().put("id", id).put("why", why);
    }
  }
}
