package io.waterclock.console.bulk;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.WaterclockException;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.topics.BulkRun;
import io.waterclock.console.jobs.FailureText;
import io.waterclock.console.jobs.Work;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Occurrence;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of an action. It ends at the first command that the scheduler does not answer:
 * what was written before stays written, and nothing more is.
 */
public final class BulkWork implements Work {
  private static final int SHOWN = 100;

  /** Of a schedule in one action; a range with more is too long. */
  private static final int MOST_SKIPS = 100;

  private final BulkPlan plan;
  private final BulkAction action;
  private final String author;
  private final String commandId;
  private final Target target;
  private final ArrayNode refused = JsonNodeFactory.instance.arrayNode();
  private long done;
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

  /**
   * What became of a command.
   *
   * @param isLast whether it is the last one of its schedule
   */
  private record Reply(
      String id, boolean isLast, @Nullable Answer answer, @Nullable Throwable failure) {}

  @Override
  public ObjectNode run(Progress progress) {
    int total = plan.ids().size();
    progress.at(0, total);
    BulkRun.unlimited(BulkRun.FOREVER)
        .run(
            plan.ids().stream()
                .takeWhile(id -> !progress.isCancelled())
                .flatMap(this::changes)
                .iterator(),
            reply -> {
              take(reply.join());
              progress.at(done, total);
              return stopped.isEmpty();
            });
    progress.at(done, total);
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

  private Stream<Supplier<CompletableFuture<Reply>>> changes(String id) {
    return switch (action.kind()) {
      case PAUSE -> command(id, ScheduleCommand.pauseUnlessPaused(action.note(), author));
      case RESUME -> command(id, ScheduleCommand.resume(action.note(), author));
      case TRIGGER -> command(id, ScheduleCommand.trigger().saying(action.note(), author));
      case DELETE ->
          Stream.of(
              sending(id, true, () -> target.schedules().saying(action.note(), author).delete(id)));
      case BACKFILL ->
          command(
              id,
              ScheduleCommand.backfill(action.from(), action.to()).saying(action.note(), author));
      case SKIP -> skips(id);
    };
  }

  private Stream<Supplier<CompletableFuture<Reply>>> command(String id, ScheduleCommand command) {
    return Stream.of(
        sending(id, true, () -> target.schedules().command(id, command.withId(commandId))));
  }

  private static Supplier<CompletableFuture<Reply>> sending(
      String id, boolean isLast, Supplier<CompletableFuture<Answer>> change) {
    return () -> change.get().handle((answer, failure) -> new Reply(id, isLast, answer, failure));
  }

  private Stream<Supplier<CompletableFuture<Reply>>> skips(String id) {
    List<Instant> skips = occurrences(id);
    if (skips.size() > MOST_SKIPS) {
      refuse(id, "more than " + MOST_SKIPS + " occurrences lie in the range; pause it instead");
      done++;
      return Stream.empty();
    }
    if (skips.isEmpty()) {
      unchanged++;
      done++;
    }
    return IntStream.range(0, skips.size())
        .mapToObj(
            i ->
                sending(
                    id,
                    i == skips.size() - 1,
                    () ->
                        target
                            .schedules()
                            .command(
                                id,
                                ScheduleCommand.skip(skips.get(i))
                                    .saying(action.note(), author)
                                    .withId(commandId + ":" + i))));
  }

  private List<Instant> occurrences(String id) {
    Upcoming upcoming = target.model().read(ModelQueries::upcoming);
    return target.model().read(all -> all.schedule(id)).stream()
        .flatMap(
            known ->
                upcoming
                    .following(known, action.from().minusMillis(1))
                    .map(Occurrence::at)
                    .takeWhile(at -> at.isBefore(action.to()))
                    .filter(at -> !at.isBefore(action.from()))
                    .limit(MOST_SKIPS + 1))
        .toList();
  }

  private void take(Reply reply) {
    if (reply.failure() != null) {
      stopped = stopped.isEmpty() ? FailureText.of(reply.failure()) : stopped;
      return;
    }
    Answer answer = Objects.requireNonNull(reply.answer());
    done += reply.isLast() ? 1 : 0;
    if (!(answer instanceof Answer.Accepted accepted)) {
      refuse(reply.id(), reason(answer));
    } else if (reply.isLast() && accepted.isChange()) {
      executed++;
    } else if (reply.isLast()) {
      unchanged++;
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
