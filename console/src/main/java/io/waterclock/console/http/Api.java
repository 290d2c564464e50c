package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.console.access.RequestGuard;
import io.waterclock.console.access.Role;
import io.waterclock.console.audit.AuditTopics;
import io.waterclock.console.follow.PayloadReader;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.follow.TopicSource;
import io.waterclock.console.jobs.FailureText;
import io.waterclock.console.jobs.Jobs;
import io.waterclock.console.jobs.SharedResults;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.LoadAhead;
import io.waterclock.console.model.LoadQuestion;
import io.waterclock.console.model.ModelQueries;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.ScheduleFilter;
import io.waterclock.console.model.SchedulePage;
import io.waterclock.console.model.ViewJson;
import io.waterclock.console.problems.ProblemFilter;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * The JSON API: what each path answers, without HTTP. Reads memory alone, but for the payload of
 * one schedule; changes go to the scheduler as commands. Thread-safe.
 */
final class Api implements AutoCloseable {
  static final String EVENTS = "/api/v1/events";

  /** Beside the states: schedules whose fires fail. */
  static final String FAILING = "FAILING";

  private static final int PAGE = 50;
  private static final int MOST = 500;

  /** Minutes of the load ahead. */
  private static final int FULLEST = 15;

  /** An overview looks at every schedule, so those who see the same share one for this long. */
  private static final Duration SHARED = Duration.ofSeconds(1);

  /** And so many times as long as it took, where there are very many schedules. */
  private static final int REST = 20;

  private static final Duration SHARED_LOAD = Duration.ofMinutes(1);

  /** Each takes 200 kB. */
  private static final int MOST_LOADS = 100;

  /** Each takes 100 kB, more where there are problems with long texts. */
  private static final int MOST_OVERVIEWS = 100;

  /** Each may take a processor for some seconds. */
  private static final int SEARCHES_AT_ONCE = 2;

  /** An audit may take one part of so many of what the read model may; two run at a time. */
  private static final int AUDIT_PARTS = 4;

  /** Each holds one fetch, and waits for the broker. */
  private static final int PAYLOADS_AT_ONCE = 2;

  private static final Duration LONGEST_JITTER = Duration.ofDays(1);

  /** As long as the first screen counts them. */
  private static final Duration SHOWN_MISSED = Duration.ofHours(1);

  private final ReadModel model;
  private final TopicFollower follower;
  private final DetailJson details;
  private final Map<String, Change> changes;
  private final JobsJson jobs;
  private final ConcurrencyLimit searches = new ConcurrencyLimit(SEARCHES_AT_ONCE);
  private final ConcurrencyLimit payloads = new ConcurrencyLimit(PAYLOADS_AT_ONCE);
  private final boolean onlyReads;
  private final ChangeOutbox sender;
  private final Policy policy;
  private final SharedResults<List<Grant>, String> overviews = new SharedResults<>(MOST_OVERVIEWS);
  private final SharedResults<LoadKey, LoadAhead> loads = new SharedResults<>(MOST_LOADS);

  private record LoadKey(List<Grant> grants, LoadQuestion question) {}

  /** Answers a POST; throws {@link BadRequestException} if it is wrong or not allowed. */
  private interface Change {
    CompletableFuture<HttpAnswer> answer(JsonRequest request, Access access);
  }

  /**
   * What the operator has decided.
   *
   * @param zoneData other versions of the time-zone data, to compare with
   * @param logout the path that ends a login; empty if people do not log in
   */
  record Policy(
      TopicSource source,
      RequestGuard guard,
      List<ZoneData> zoneData,
      Optional<String> logout,
      InstantSource clock) {}

  /**
   * @param writing empty for a console that only reads
   */
  Api(
      ReadModel model,
      TopicFollower follower,
      Optional<Writing> writing,
      Jobs jobs,
      Policy policy) {
    this.model = model;
    this.follower = follower;
    this.details = new DetailJson(policy.source().topics());
    this.jobs = new JobsJson(jobs);
    this.onlyReads = writing.isEmpty();
    this.sender =
        new ChangeOutbox(
            policy.clock(),
            () ->
                follower.progress().problem().filter(FailureText.BROKERS_AWAY::equals).isPresent());
    this.policy = policy;
    this.changes = changes(writing);
  }

  private Map<String, Change> changes(Optional<Writing> writing) {
    Optional<Schedules> schedules = writing.map(Writing::schedules);
    Map<String, Change> all = new HashMap<>();
    Editing editing =
        new Editing(
            model,
            follower::progress,
            access -> loadAhead(LoadQuestion.ALL, access),
            schedules,
            sender,
            policy.clock());
    all.put("/api/v1/check", editing::check);
    all.put("/api/v1/preview", editing::preview);
    all.put("/api/v1/definitions", editing::define);
    all.put("/api/v1/delete", editing::delete);
    all.put("/api/v1/cancel", (request, access) -> jobs.cancel(request.required("job"), access));
    WhatIfRequests whatIf = new WhatIfRequests(model, policy.zoneData(), jobs, policy.clock());
    all.put("/api/v1/what-if", whatIf::start);
    AuditTopics.Source source =
        new AuditTopics.Source(
            policy.source().reader(),
            policy.source().topics(),
            policy.source().schemas(),
            model.read(ModelQueries::upcoming).zone(),
            model.mostBytes() / AUDIT_PARTS);
    AuditRequests audits = new AuditRequests(source, model, jobs, policy.clock());
    all.put("/api/v1/audit", audits::audit);
    all.put("/api/v1/trail", audits::trail);
    Change none =
        (request, access) -> {
          throw new BadRequestException(403, "This console only reads; its operator gives roles.");
        };
    Optional<Actions> actions =
        writing.map(to -> new Actions(to, model, follower::progress, sender));
    Optional<BulkRequests> bulk = schedules.map(to -> new BulkRequests(model, to, jobs));
    all.put("/api/v1/commands", actions.<Change>map(to -> to::send).orElse(none));
    all.put("/api/v1/limit", actions.<Change>map(to -> to::limit).orElse(none));
    Optional<LetterRequests> letters =
        writing.map(to -> new LetterRequests(deadLetters(), to.letters(), jobs));
    all.put("/api/v1/dead-letters", letters.<Change>map(to -> to::resolve).orElse(none));
    all.put("/api/v1/bulk/count", bulk.<Change>map(to -> to::count).orElse(none));
    all.put("/api/v1/bulk", bulk.<Change>map(to -> to::start).orElse(none));
    return Map.copyOf(all);
  }

  private DeadLetterQueue deadLetters() {
    TopicSource source = policy.source();
    return new DeadLetterQueue(
        source.reader(),
        source.topics(),
        source.schemas(),
        id ->
            model
                .read(all -> all.schedule(id))
                .flatMap(KnownSchedule::schedule)
                .map(Schedule::getOwner));
  }

  /**
   * Answers a GET; empty if there is no such path. What others compute already is a future, so that
   * no thread waits for it.
   *
   * @throws BadRequestException if a parameter is wrong
   */
  Optional<CompletableFuture<HttpAnswer>> get(
      String path, Map<String, String> query, Access access) {
    return switch (path) {
      case "/api/v1/session" -> answer(session(access));
      case "/api/v1/overview" -> Optional.of(overview(access).thenApply(HttpAnswer::json));
      case "/api/v1/problems" -> answer(problems(query, access));
      case "/api/v1/limits" -> answer(limits(access));
      case "/api/v1/missed" -> answer(missed(query, access));
      case "/api/v1/schedules" -> answer(page(query, access));
      case "/api/v1/load" ->
          Optional.of(loadAhead(loadQuestion(query), access).thenApply(Api::answerLoad));
      case "/api/v1/schedule" -> answer(schedule(query, access));
      case "/api/v1/definition" -> answer(definition(query, access));
      case "/api/v1/revisions" -> answer(revisions(query, access));
      case "/api/v1/backfill" -> answer(backfill(query, access));
      case "/api/v1/job" -> answer(jobs.show(query.getOrDefault("id", ""), access));
      default -> Optional.empty();
    };
  }

  private static Optional<CompletableFuture<HttpAnswer>> answer(JsonNode tree) {
    return Optional.of(CompletableFuture.completedFuture(HttpAnswer.json(tree)));
  }

  boolean isChange(String path) {
    return changes.containsKey(path);
  }

  /**
   * Answers a POST.
   *
   * @param path one of those that change something
   * @throws BadRequestException if it is wrong or not allowed
   */
  CompletableFuture<HttpAnswer> post(String path, byte[] body, Access access) {
    Change change = Objects.requireNonNull(changes.get(path));
    try {
      return change.answer(JsonRequest.parse(body), access);
    } catch (InvalidIdException | InvalidValueException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode session(Access access) {
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", access.name())
            .put("csrf", policy.guard().token(access.name()))
            .put("prefix", policy.source().topics().prefix())
            .put("default_zone", model.read(ModelQueries::upcoming).zone().getId());
    policy.logout().ifPresent(path -> tree.put("logout", path));
    ArrayNode calendars = tree.putArray("calendars");
    model.read(ModelQueries::calendarNames).stream().sorted().forEach(calendars::add);
    tree.put("tzdb", Tzdb.version());
    ArrayNode versions = tree.putArray("other_tzdb");
    policy.zoneData().forEach(data -> versions.add(data.version()));
    ArrayNode grants = tree.putArray("grants");
    access.grants().stream()
        .filter(grant -> !onlyReads || grant.role() == Role.VIEWER)
        .forEach(
            grant ->
                grants.addObject().put("role", grant.role().name()).put("prefix", grant.prefix()));
    return tree;
  }

  /** The first screen, as JSON in one line. */
  CompletableFuture<String> overview(Access access) {
    Instant now = policy.clock().instant();
    return overviews.get(access.grants(), now, () -> share(access, now));
  }

  private SharedResults.Kept<String> share(Access access, Instant now) {
    String json = newOverview(access, now).toString();
    Instant end = policy.clock().instant();
    Duration rest = Duration.between(now, end).multipliedBy(REST);
    return new SharedResults.Kept<>(json, end.plus(rest.compareTo(SHARED) > 0 ? rest : SHARED));
  }

  private ObjectNode newOverview(Access access, Instant now) {
    ObjectNode tree = ViewJson.of(model.read(all -> all.overview(access::sees, now)));
    TopicFollower.Progress progress = follower.progress();
    tree.put("complete", progress.isComplete());
    progress.problem().ifPresent(problem -> tree.put("unreadable", problem));
    if (model.read(ModelQueries::isIncomplete)) {
      tree.put("no_room_mb", model.mostBytes() / 1_000_000);
    }
    return tree;
  }

  private static HttpAnswer answerLoad(LoadAhead load) {
    ObjectNode tree = ViewJson.of(load);
    tree.set("fullest", ViewJson.list(load.fullest(FULLEST)));
    return HttpAnswer.json(tree);
  }

  /** Counting takes seconds where there are many schedules, so it is kept for a minute. */
  private CompletableFuture<LoadAhead> loadAhead(LoadQuestion question, Access access) {
    Instant now = policy.clock().instant();
    return loads.get(
        new LoadKey(access.grants(), question),
        now,
        () ->
            new SharedResults.Kept<>(
                searches.now(() -> model.load(question, access::sees, now)),
                now.plus(SHARED_LOAD)));
  }

  private static LoadQuestion loadQuestion(Map<String, String> query) {
    try {
      return new LoadQuestion(
          parameter(query, "by")
              .map(name -> LoadQuestion.By.valueOf(name.toUpperCase(Locale.ROOT))),
          query.getOrDefault("label", ""),
          Optional.ofNullable(query.get("value")),
          parameter(query, "jitter")
              .map(Durations::parse)
              .filter(Api::isShort)
              .orElse(Duration.ZERO));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "by must be one of owner, label, target, partition and limit, and jitter a duration of at most"
              + " a day, such as 10m");
    }
  }

  private static boolean isShort(Duration jitter) {
    if (jitter.isNegative() || jitter.compareTo(LONGEST_JITTER) > 0) {
      throw new IllegalArgumentException("too long");
    }
    return true;
  }

  private ObjectNode page(Map<String, String> query, Access access) {
    Optional<Instant> minute = instant(query, "minute");
    if (minute.isPresent()) {
      Instant from = minute.get().truncatedTo(ChronoUnit.MINUTES);
      Instant to = from.plus(1, ChronoUnit.MINUTES);
      LoadQuestion question = loadQuestion(query);
      int limit = limit(query);
      return ViewJson.of(searches.now(() -> model.dueIn(from, to, question, access::sees, limit)));
    }
    SchedulePage.Order order =
        parameter(query, "sort")
            .map(
                text ->
                    oneOf(
                        "sort", SchedulePage.Column.values(), () -> SchedulePage.Order.parse(text)))
            .orElse(SchedulePage.Order.BY_ID);
    ScheduleFilter filter = filter(query);
    Optional<String> after = parameter(query, "after");
    int limit = limit(query);
    Supplier<SchedulePage> page =
        () -> placed(() -> model.page(filter, access::sees, access::shown, order, after, limit));
    return ViewJson.of(filter.where().isPresent() ? searches.now(page) : page.get());
  }

  private static ScheduleFilter filter(Map<String, String> query) {
    return new ScheduleFilter(
        parameter(query, "text"),
        parameter(query, "prefix"),
        parameter(query, "owner"),
        states(query),
        query.containsKey("rejected"),
        stateNames(query).contains(FAILING),
        query.containsKey("never"),
        instant(query, "from"),
        instant(query, "to"),
        parameter(query, "where").map(Api::where));
  }

  private static WhereExpression where(String text) {
    try {
      return WhereExpression.parse(text);
    } catch (InvalidValueException e) {
      throw new BadRequestException("where: " + e.getMessage());
    }
  }

  private ObjectNode problems(Map<String, String> query, Access access) {
    ProblemFilter filter =
        new ProblemFilter(
            parameter(query, "kind")
                .map(
                    name ->
                        oneOf(
                            "kind",
                            ProblemKind.values(),
                            () -> ProblemKind.valueOf(name.toUpperCase(Locale.ROOT)))),
            Optional.ofNullable(query.get("owner")));
    Optional<String> after = parameter(query, "after");
    int limit = limit(query);
    Instant now = policy.clock().instant();
    return ViewJson.of(
        placed(() -> model.read(all -> all.problems(filter, access::sees, after, limit, now))));
  }

  private ObjectNode limits(Access access) {
    Instant now = policy.clock().instant();
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.set(
        "limits",
        ViewJson.list(
            model.read(
                all -> all.limits(access::sees, access.may(Role.VIEWER, Actions.ALL), now))));
    return tree.put("may_pause", !onlyReads && access.may(Role.OPERATOR, Actions.ALL));
  }

  private ObjectNode missed(Map<String, String> query, Access access) {
    Optional<MissedReason> reason =
        parameter(query, "reason")
            .map(
                name ->
                    oneOf(
                        "reason",
                        MissedReason.values(),
                        () -> MissedReason.valueOf(name.toUpperCase(Locale.ROOT))));
    Instant since =
        instant(query, "since").orElseGet(() -> policy.clock().instant().minus(SHOWN_MISSED));
    int limit = limit(query);
    return ViewJson.of(model.read(all -> all.missedSince(since, reason, access::sees, limit)));
  }

  private static <T> T oneOf(String name, Enum<?>[] names, Supplier<T> parsed) {
    try {
      return parsed.get();
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          name
              + " must be one of "
              + Arrays.stream(names)
                  .map(one -> one.name().toLowerCase(Locale.ROOT))
                  .collect(Collectors.joining(", ")));
    }
  }

  private static <T> T placed(Supplier<T> page) {
    try {
      return page.get();
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          "after must be that of an earlier page with the same order: " + e.getMessage());
    }
  }

  private ObjectNode schedule(Map<String, String> query, Access access) {
    ModelQueries.Detail view =
        visible(
            query, access, (all, id) -> all.view(id, DetailJson.FIRES, policy.clock().instant()));
    return details.of(
        view,
        access,
        parameter(query, "language"),
        follower.progress().problem(),
        policy.clock().instant());
  }

  /** The one answer that reads a topic: the read model keeps no payloads. */
  private ObjectNode definition(Map<String, String> query, Access access) {
    KnownSchedule known = visible(query, access, ModelQueries::schedule);
    if (!access.seesPayload(known.id())) {
      throw new BadRequestException(403, access.name() + " may not see payloads of " + known.id());
    }
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", known.id())
            .put("edits", DetailJson.revision(known).orElse(""));
    Optional<Revision> revision =
        parameter(query, "revision").map(name -> revision(known.id(), name));
    if (revision.isEmpty() && known.schedule().isEmpty()) {
      return tree; // no record of it can be read
    }
    PayloadReader reader = new PayloadReader(policy.source());
    try {
      Schedule whole =
          payloads
              .now(() -> revision.map(reader::whole).orElseGet(() -> reader.whole(known)))
              .orElseThrow(
                  () ->
                      new BadRequestException(
                          410, "The topic holds the payload of " + known.id() + " no more."));
      tree.set("definition", RecordCodecs.schedule().toJson(whole));
      return tree;
    } catch (KafkaException e) {
      throw new BadRequestException(503, "The definition cannot be read now: " + FailureText.of(e));
    }
  }

  private Revision revision(String id, String name) {
    return model
        .read(all -> all.revisions(id, HistoryJson.REVISIONS))
        .filter(one -> one.getRevision().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new BadRequestException(404, "The console knows no revision " + name + "."));
  }

  private ObjectNode revisions(Map<String, String> query, Access access) {
    KnownSchedule known = visible(query, access, ModelQueries::schedule);
    return HistoryJson.revisions(model, known.id(), access.seesPayload(known.id()));
  }

  private ObjectNode backfill(Map<String, String> query, Access access) {
    Optional<Instant> from = instant(query, "from");
    Optional<Instant> to = instant(query, "to");
    if (from.isEmpty() || to.isEmpty()) {
      throw new BadRequestException("from and to must be instants such as 2026-11-24T09:00:00Z");
    }
    return HistoryJson.backfill(
        visible(
            query, access, (all, id) -> all.view(id, HistoryJson.FIRES, policy.clock().instant())),
        from.get(),
        to.get());
  }

  /** What the read model says of a schedule that the person may see. */
  private <T> T visible(
      Map<String, String> query,
      Access access,
      BiFunction<ModelQueries, String, Optional<T>> question) {
    String id = parameter(query, "id").orElseThrow(() -> new BadRequestException("id is missing"));
    return Optional.of(id)
        .filter(access::sees)
        .flatMap(seen -> model.read(all -> question.apply(all, seen)))
        .orElseThrow(
            () ->
                new BadRequestException(
                    404,
                    model.read(ModelQueries::isIncomplete)
                        ? "There is no schedule " + id + ", or the console has no room for it."
                        : "There is no schedule " + id + "."));
  }

  private static Optional<String> parameter(Map<String, String> query, String name) {
    return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
  }

  private static Set<State> states(Map<String, String> query) {
    Set<State> states = EnumSet.noneOf(State.class);
    for (String name : stateNames(query)) {
      try {
        if (!name.equals(FAILING)) {
          states.add(State.valueOf(name));
        }
      } catch (IllegalArgumentException e) {
        throw new BadRequestException(
            "state must be some of " + EnumSet.allOf(State.class) + " and " + FAILING);
      }
    }
    return states;
  }

  private static List<String> stateNames(Map<String, String> query) {
    return parameter(query, "state").stream()
        .flatMap(text -> Stream.of(text.split(",")))
        .map(name -> name.strip().toUpperCase(Locale.ROOT))
        .toList();
  }

  private static Optional<Instant> instant(Map<String, String> query, String name) {
    return parameter(query, name).map(text -> JsonRequest.instant(name, text));
  }

  private static int limit(Map<String, String> query) {
    try {
      int limit = parameter(query, "limit").map(Integer::parseInt).orElse(PAGE);
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new BadRequestException("limit must be from 1 to " + MOST);
  }

  @Override
  public void close() {
    sender.close();
  }
}
