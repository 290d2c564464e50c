package io.waterclock.console.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Grant;
import io.waterclock.console.access.RequestGuard;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.model.ReadModel;
import io.waterclock.console.model.ScheduleFilter;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.State;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JSON API: what each path answers, without HTTP. Reads memory alone; changes go to the
 * scheduler as commands. Thread-safe.
 */
final class Api {
  static final String EVENTS = "/api/v1/events";
  static final String COMMANDS = "/api/v1/commands";

  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final int PAGE = 50;
  private static final int MOST = 500;

  /** An overview looks at every schedule, so those who see the same share one for this long. */
  private static final Duration SHARED = Duration.ofSeconds(1);

  private static final Duration SHARED_LOAD = Duration.ofMinutes(1);

  private final ReadModel model;
  private final TopicFollower follower;
  private final DetailJson details;
  private final Optional<Actions> actions;
  private final Policy policy;
  private final Map<List<Grant>, Shared> shared = new ConcurrentHashMap<>();
  private final Map<List<Grant>, Shared> loads = new ConcurrentHashMap<>();

  private record Shared(Instant at, ObjectNode tree) {}

  /**
   * What the operator has decided.
   *
   * @param showsPayloads whether viewers see payloads and headers
   */
  record Policy(Topics topics, RequestGuard guard, boolean showsPayloads, InstantSource clock) {}

  /**
   * @param schedules sends commands; empty for a console that only reads
   */
  Api(ReadModel model, TopicFollower follower, Optional<Schedules> schedules, Policy policy) {
    this.model = model;
    this.follower = follower;
    this.details = new DetailJson(model, policy.topics());
    this.actions = schedules.map(Actions::new);
    this.policy = policy;
  }

  /**
   * Answers a GET; empty if there is no such path.
   *
   * @throws BadRequestException if a parameter is wrong
   */
  Optional<HttpAnswer> get(String path, Map<String, String> query, Access access) {
    return switch (path) {
      case "/api/v1/session" -> Optional.of(HttpAnswer.json(session(access)));
      case "/api/v1/overview" -> Optional.of(HttpAnswer.json(overview(access)));
      case "/api/v1/schedules" -> Optional.of(HttpAnswer.json(page(query, access)));
      case "/api/v1/load" -> Optional.of(HttpAnswer.json(load(access)));
      case "/api/v1/schedule" -> Optional.of(HttpAnswer.json(schedule(query, access)));
      default -> Optional.empty();
    };
  }

  /**
   * Carries out a change.
   *
   * @throws BadRequestException if it is wrong or not allowed
   */
  CompletableFuture<HttpAnswer> command(byte[] body, Access access) {
    Actions sending =
        actions.orElseThrow(
            () -> new BadRequestException(403, "This console only reads; see --access."));
    try {
      return sending.send(MAPPER.readTree(body), access);
    } catch (InvalidIdException | JsonProcessingException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory", e);
    }
  }

  private ObjectNode session(Access access) {
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", access.name())
            .put("csrf", policy.guard().token(access.name()))
            .put("prefix", policy.topics().prefix())
            .put("default_zone", model.upcoming().zone().getId());
    ArrayNode grants = tree.putArray("grants");
    access.grants().stream()
        .filter(grant -> actions.isPresent() || grant.role() == Role.VIEWER)
        .forEach(
            grant ->
                grants.addObject().put("role", grant.role().name()).put("prefix", grant.prefix()));
    return tree;
  }

  /** The first screen. */
  ObjectNode overview(Access access) {
    Instant now = policy.clock().instant();
    return shared
        .compute(
            access.grants(),
            (key, known) ->
                known != null && now.isBefore(known.at().plus(SHARED))
                    ? known
                    : new Shared(now, newOverview(access, now)))
        .tree();
  }

  private ObjectNode newOverview(Access access, Instant now) {
    ObjectNode tree = OverviewJson.of(model.overview(access::sees, now));
    TopicFollower.Progress progress = follower.progress();
    tree.put("complete", progress.isComplete());
    progress.problem().ifPresent(problem -> tree.put("unreadable", problem));
    return tree;
  }

  /** Counting takes seconds where there are many schedules, so it is kept for a minute. */
  private ObjectNode load(Access access) {
    Instant now = policy.clock().instant();
    return loads
        .compute(
            access.grants(),
            (key, known) ->
                known != null && now.isBefore(known.at().plus(SHARED_LOAD))
                    ? known
                    : new Shared(now, OverviewJson.of(model.load(access::sees, now))))
        .tree();
  }

  private ObjectNode page(Map<String, String> query, Access access) {
    Optional<Instant> minute = instant(query, "minute");
    if (minute.isPresent()) {
      Instant from = minute.get().truncatedTo(ChronoUnit.MINUTES);
      return OverviewJson.of(
          model.dueIn(from, from.plus(1, ChronoUnit.MINUTES), access::sees, limit(query)));
    }
    ScheduleFilter filter =
        new ScheduleFilter(
            parameter(query, "text"),
            parameter(query, "prefix"),
            parameter(query, "owner"),
            states(query),
            query.containsKey("rejected"),
            instant(query, "from"),
            instant(query, "to"));
    return OverviewJson.of(
        model.page(filter, access::sees, parameter(query, "after"), limit(query)));
  }

  private ObjectNode schedule(Map<String, String> query, Access access) {
    String id = parameter(query, "id").orElseThrow(() -> new BadRequestException("id is missing"));
    KnownSchedule known =
        Optional.of(id)
            .filter(access::sees)
            .flatMap(model::schedule)
            .orElseThrow(() -> new BadRequestException(404, "There is no schedule " + id + "."));
    boolean showsPayload = policy.showsPayloads() || access.may(Role.OPERATOR, id);
    return details.of(known, showsPayload, policy.clock().instant());
  }

  private static Optional<String> parameter(Map<String, String> query, String name) {
    return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
  }

  private static Set<State> states(Map<String, String> query) {
    Set<State> states = EnumSet.noneOf(State.class);
    for (String name :
        parameter(query, "state").map(text -> text.split(",")).orElse(new String[0])) {
      try {
        states.add(State.valueOf(name.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw new BadRequestException("state must be some of " + EnumSet.allOf(State.class));
      }
    }
    return states;
  }

  private static Optional<Instant> instant(Map<String, String> query, String name) {
    try {
      return parameter(query, name).map(Instant::parse);
    } catch (DateTimeException e) {
      throw new BadRequestException(name + " must be an instant such as 2026-11-24T09:00:00Z");
    }
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
}
