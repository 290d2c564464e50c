package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.Selector;
import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.console.access.Access;
import io.waterclock.console.bulk.BulkAction;
import io.waterclock.console.bulk.BulkPlan;
import io.waterclock.console.bulk.BulkWork;
import io.waterclock.console.bulk.Chosen;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.PartitionRow;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.preview.BackfillPreview;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/**
 * One action for many schedules: counts them, and carries it out for what was counted. Thread-safe.
 */
final class BulkRequests {
  private static final Logger LOG = SafeLogger.of(BulkRequests.class);
  private static final int SHOWN = 20;

  /** Each takes seconds where there are a million schedules. */
  private static final int COUNTS_AT_ONCE = 2;

  /** Occurrences, and as many for reading a schedule as follow: a second or two. */
  private static final long MOST_COUNTED = 1_000_000;

  private static final long STEPS_OF_SCHEDULE = 20;

  private static final int MOST_IDS = 1_000;
  private static final Duration LONGEST_RANGE = Duration.ofDays(31);

  private final ReadModel model;
  private final Schedules schedules;
  private final JobsJson jobs;
  private final ConcurrencyLimit counts = new ConcurrencyLimit(COUNTS_AT_ONCE);

  BulkRequests(ReadModel model, Schedules schedules, JobsJson jobs) {
    this.model = model;
    this.schedules = schedules;
    this.jobs = jobs;
  }

  CompletableFuture<HttpAnswer> count(JsonRequest request, Access access) {
    BulkAction action = action(request);
    BulkPlan plan = plan(request, action, access);
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", plan.ids().size())
            .put("not_allowed", plan.notAllowed())
            .put("unaffected", plan.unaffected())
            .put("unknown_count", plan.unknownCount())
            .put("too_many", plan.isCut())
            .put("digest", plan.digest());
    if (action.kind() == BulkAction.Kind.BACKFILL) {
      counts.now(() -> countFires(plan, action, tree));
    }
    ArrayNode sample = tree.putArray("sample");
    plan.ids().stream().limit(SHOWN).forEach(sample::add);
    ArrayNode unknown = tree.putArray("unknown");
    plan.unknown().forEach(unknown::add);
    return CompletableFuture.completedFuture(HttpAnswer.json(tree));
  }

  /** How much a backfill fires: exactly, or at least so much where counting takes too long. */
  private ObjectNode countFires(BulkPlan plan, BulkAction action, ObjectNode tree) {
    long fires = 0;
    long steps = 0;
    boolean isCut = plan.isCut();
    Upcoming upcoming = model.read(ModelQueries::upcoming);
    for (String id : plan.ids()) {
      if (steps > MOST_COUNTED) {
        isCut = true;
        break;
      }
      Optional<KnownSchedule> known = model.read(all -> all.schedule(id));
      Instant decided =
          model
              .read(all -> all.partition(id))
              .map(PartitionRow::decidedThrough)
              .orElse(Instant.MIN);
      if (known.isPresent()) {
        BackfillPreview preview =
            BackfillPreview.of(known.get(), upcoming, action.from(), action.to(), decided);
        fires += preview.occurrences().size();
        isCut |= preview.isCut();
        steps += STEPS_OF_SCHEDULE + preview.occurrences().size();
      }
    }
    return tree.put("fires", fires).put("fires_at_least", isCut);
  }

  CompletableFuture<HttpAnswer> start(JsonRequest request, Access access) {
    BulkAction action = action(request);
    BulkPlan plan = plan(request, action, access);
    if (plan.isCut()) {
      throw new BadRequestException(
          "More than "
              + BulkPlan.MOST
              + " schedules match, which is more than one action may change; narrow the filter.");
    }
    if (plan.ids().isEmpty()) {
      throw new BadRequestException("No schedule that you may change matches.");
    }
    if (!plan.digest().equals(request.required("digest"))) {
      throw new BadRequestException(
          409,
          "What matches has changed since it was counted: it is "
              + plan.ids().size()
              + " schedules now. Count again.");
    }
    String commandId = Actions.commandId(access);
    LOG.info(
        "{}: {} {} schedules ({}): {}",
        access.name(),
        action.kind(),
        plan.ids().size(),
        commandId,
        action.note());
    return jobs.start(
        "bulk",
        access,
        new BulkWork(
            plan, action, access.name(), commandId, new BulkWork.Target(model, schedules)));
  }

  private BulkPlan plan(JsonRequest request, BulkAction action, Access access) {
    if (access.grants().stream()
        .noneMatch(grant -> grant.role().compareTo(action.kind().role()) >= 0)) {
      throw new BadRequestException(
          403,
          access.name()
              + " is no "
              + action.kind().role().name().toLowerCase(Locale.ROOT)
              + " of any schedule.");
    }
    Chosen chosen = chosen(request);
    return counts.now(() -> BulkPlan.of(model, chosen, action, access));
  }

  /**
   * @throws BadRequestException if it is not complete
   */
  static BulkAction action(JsonRequest request) {
    BulkAction.Kind kind;
    try {
      kind = BulkAction.Kind.valueOf(request.required("action").toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "action must be one of " + EnumSet.allOf(BulkAction.Kind.class));
    }
    boolean hasRange = kind.hasRange();
    Instant from = hasRange ? request.instant("from") : Instant.EPOCH;
    Instant to = hasRange ? request.instant("to") : Instant.EPOCH;
    if (hasRange
        && !(from.isBefore(to) && Duration.between(from, to).compareTo(LONGEST_RANGE) <= 0)) {
      throw new BadRequestException("to must be after from, by at most 31 days");
    }
    return new BulkAction(kind, Actions.note(request), from, to);
  }

  /**
   * @throws BadRequestException if the ids and the filter say nothing, or too much
   */
  static Chosen chosen(JsonRequest request) {
    List<String> ids = request.texts("ids");
    if (ids.size() > MOST_IDS) {
      throw new BadRequestException("at most " + MOST_IDS + " ids; choose by a filter instead");
    }
    JsonRequest filter = new JsonRequest(request.tree().path("filter"));
    if (ids.isEmpty() && !filter.tree().isObject()) {
      throw new BadRequestException("ids or a filter must say which schedules; {} is all");
    }
    return new Chosen(ids, selector(filter));
  }

  private static Selector selector(JsonRequest filter) {
    Set<State> states = EnumSet.noneOf(State.class);
    List<String> names = filter.texts("states");
    try {
      names.stream()
          .filter(name -> !name.equals(Api.FAILING))
          .forEach(name -> states.add(State.valueOf(name)));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "states must be some of " + EnumSet.allOf(State.class) + " and " + Api.FAILING);
    }
    Optional<WhereExpression> where;
    try {
      where = filter.text("where").map(WhereExpression::parse);
    } catch (InvalidValueException e) {
      throw new BadRequestException("where: " + e.getMessage());
    }
    if (where.filter(expression -> expression.names("next")).isPresent()) {
      throw new BadRequestException("where: next is not known here");
    }
    return new Selector(
        states,
        names.contains(Api.FAILING),
        filter.text("owner"),
        filter.map("labels"),
        filter.text("prefix").orElse(""),
        where);
  }
}
