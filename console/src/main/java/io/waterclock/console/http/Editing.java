package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.Changes;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.model.LoadAhead;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.preview.CheckedDefinition;
import io.waterclock.console.preview.EditPreview;
import io.waterclock.decide.whatif.Side;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Judges, previews and writes definitions. A definition in a topic carries no condition, so the
 * console compares the revision that a person has read with the newest that it knows, and writes
 * one definition of a schedule at a time. It writes none while it does not know the newest.
 * Thread-safe.
 */
final class Editing {
  private static final Logger LOG = SafeLogger.of(Editing.class);

  /** Each may take a processor for some seconds. */
  private static final int PREVIEWS_AT_ONCE = 2;

  /** Each takes some milliseconds. */
  private static final int CHECKS_AT_ONCE = 4;

  private static final int MOST_REMEMBERED = 1_000;
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final ReadModel model;
  private final Supplier<TopicFollower.Progress> progress;
  private final Function<Access, CompletableFuture<LoadAhead>> load;
  private final Optional<Schedules> schedules;
  private final ChangeOutbox sender;
  private final InstantSource clock;
  private final ConcurrencyLimit previews = new ConcurrencyLimit(PREVIEWS_AT_ONCE);
  private final ConcurrencyLimit checks = new ConcurrencyLimit(CHECKS_AT_ONCE);
  private final Set<String> beingWritten = new HashSet<>();

  /** What was written here, until the read model has it too. */
  private final Map<String, Written> written = new LinkedHashMap<>();

  /**
   * The revision before and after a write. For a minute, in which the read model gets it too: later
   * the same revision as before means that the schedule has changed once more.
   */
  private record Written(Optional<String> before, Optional<String> after, Instant at) {
    boolean isNewerThan(Optional<String> known, Instant now) {
      return before.equals(known) && now.isBefore(at.plus(REMEMBERED));
    }
  }

  /**
   * @param progress of what reads the topics into the model
   * @param load that a person may see
   * @param schedules empty for a console that only reads
   */
  Editing(
      ReadModel model,
      Supplier<TopicFollower.Progress> progress,
      Function<Access, CompletableFuture<LoadAhead>> load,
      Optional<Schedules> schedules,
      ChangeOutbox sender,
      InstantSource clock) {
    this.model = model;
    this.progress = progress;
    this.load = load;
    this.schedules = schedules;
    this.sender = sender;
    this.clock = clock;
  }

  /** All problems of a definition. */
  CompletableFuture<HttpAnswer> check(JsonRequest request, Access access) {
    String id = editable(request, access);
    CheckedDefinition checked = checked(id, request, clock.instant());
    return answer(PreviewJson.of(id, checked));
  }

  /** What a definition, or none, would do. */
  CompletableFuture<HttpAnswer> preview(JsonRequest request, Access access) {
    String id = editable(request, access);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    boolean isDelete = request.isTrue("delete");
    Optional<CheckedDefinition> checked =
        isDelete ? Optional.empty() : Optional.of(checked(id, request, now));
    if (checked.filter(one -> one.schedule().isEmpty()).isPresent()) {
      return answer(PreviewJson.of(id, checked.get()));
    }
    LoadAhead ahead = load(access);
    Optional<KnownSchedule> known = known(id);
    EditPreview.Setting setting =
        model.read(
            all ->
                new EditPreview.Setting(
                    Side.of(all.upcoming().calendars()),
                    all.upcoming().zone(),
                    now,
                    ahead,
                    all.partition(id)));
    EditPreview preview =
        previews.now(
            () -> EditPreview.of(id, known, checked.flatMap(CheckedDefinition::schedule), setting));
    ObjectNode tree = PreviewJson.of(id, preview, request.text("language"));
    known.flatMap(DetailJson::revision).ifPresent(revision -> tree.put("revision", revision));
    return answer(tree);
  }

  /** No preview waits for it: another one would compute the preview when it is there. */
  private LoadAhead load(Access access) {
    CompletableFuture<LoadAhead> ahead = load.apply(access);
    if (!ahead.isDone()) {
      throw new BadRequestException(503, "The load ahead is being counted; try again.");
    }
    return ahead.join();
  }

  CompletableFuture<HttpAnswer> define(JsonRequest request, Access access) {
    String id = editable(request, access);
    CheckedDefinition checked = checked(id, request, clock.instant());
    if (checked.schedule().isEmpty()) {
      ObjectNode tree = PreviewJson.of(id, checked);
      tree.put("title", "Rejected")
          .put("status", 422)
          .put("detail", "The definition is not valid.");
      return CompletableFuture.completedFuture(HttpAnswer.json(422, tree));
    }
    String definition = request.tree().path("definition").toString();
    return write("defines", id, request, access, to -> to.putJson(id, definition));
  }

  CompletableFuture<HttpAnswer> delete(JsonRequest request, Access access) {
    String id = editable(request, access);
    return write("deletes", id, request, access, to -> to.delete(id));
  }

  private CompletableFuture<HttpAnswer> write(
      String what,
      String id,
      JsonRequest request,
      Access access,
      Function<Changes<CompletableFuture<Answer>>, CompletableFuture<Answer>> send) {
    Schedules to =
        schedules.orElseThrow(
            () ->
                new BadRequestException(403, "This console only reads; its operator gives roles."));
    String note = Actions.note(request); // it may throw, so before the schedule is taken
    Optional<String> before = begin(id, request.text("expected_revision"));
    LOG.info("{} {} {}: {}", access.name(), what, id, note);
    CompletableFuture<Answer> answer;
    try {
      answer = sender.send(() -> send.apply(to.saying(note, access.name())));
    } catch (RuntimeException | Error e) {
      end(id);
      throw e;
    }
    return answer.handle(
        (known, failure) -> {
          if (known instanceof Answer.Accepted accepted) {
            remember(id, new Written(before, accepted.revision(), clock.instant()));
          }
          end(id);
          return AnswerJson.of(known, failure);
        });
  }

  /** Returns the revision in force. */
  private synchronized Optional<String> begin(String id, Optional<String> expected) {
    BadRequestException.unlessCurrent(progress.get());
    Optional<String> inForce = known(id).flatMap(DetailJson::revision);
    Written last = written.get(id);
    Optional<String> newest =
        last != null && last.isNewerThan(inForce, clock.instant()) ? last.after() : inForce;
    if (!newest.equals(expected)) {
      throw new BadRequestException(
          409,
          expected.isEmpty()
              ? "There is a schedule " + id + " already, in revision " + newest.orElse("") + "."
              : newest
                  .map(
                      revision ->
                          id
                              + " has changed since you read it: revision "
                              + revision
                              + " is in force. Load it again.")
                  .orElse(id + " has been deleted since you read it."));
    }
    if (!beingWritten.add(id)) {
      throw new BadRequestException(409, "Another change of " + id + " is under way.");
    }
    return inForce;
  }

  /** Empty if there is no such schedule. */
  private Optional<KnownSchedule> known(String id) {
    Optional<KnownSchedule> known = model.read(all -> all.schedule(id));
    if (known.isEmpty() && model.read(ModelQueries::hasLeftOutSchedules)) {
      throw new BadRequestException(
          503, "The console has no room for all schedules: " + id + " may be one of the others.");
    }
    return known;
  }

  private synchronized void end(String id) {
    beingWritten.remove(id);
  }

  private synchronized void remember(String id, Written change) {
    written.remove(id);
    written.put(id, change);
    if (written.size() > MOST_REMEMBERED) {
      written.remove(written.keySet().iterator().next());
    }
  }

  private static String editable(JsonRequest request, Access access) {
    String id = ScheduleId.parse(request.required("id")).value();
    if (!access.may(Role.EDITOR, id)) {
      throw new BadRequestException(403, access.name() + " is no editor of " + id + ".");
    }
    return id;
  }

  private CheckedDefinition checked(String id, JsonRequest request, Instant now) {
    JsonNode form = request.tree().path("definition");
    if (!form.isObject()) {
      throw new BadRequestException(
          "definition must be a JSON object, for example {\"every\":\"5m\"}");
    }
    return checks.now(
        () ->
            CheckedDefinition.of(
                id,
                form,
                new CheckedDefinition.Setting(
                    model.read(ModelQueries::upcoming).zone(),
                    model.read(ModelQueries::calendarNames),
                    now.truncatedTo(ChronoUnit.MILLIS))));
  }

  private static CompletableFuture<HttpAnswer> answer(ObjectNode tree) {
    return CompletableFuture.completedFuture(HttpAnswer.json(tree));
  }
}
