package io.waterclock.schemas.registry;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.slf4j.Logger;

/**
 * A registry for callers that must not wait. A schema that is not known yet is
 * <em>unavailable</em>, and a thread of this class requests it until the registry answers.
 *
 * <p>Idea: a queue, {@link WantedSchemas}, holds the wanted ids. A round requests each; ids without
 * an answer stay queued, and the backoff between rounds grows to {@value #LONGEST_PAUSE_MS} ms. A
 * round ends after {@value #ENOUGH} consecutive requests without an answer, because the registry is
 * then unavailable. Known schemas never change, so the cache keeps the most recently used ones. A
 * refusal of an id expires after a minute, because replication from another data centre may deliver
 * its schema.
 *
 * <p>Bounds: {@link KeptSchemas} limits the cache, and {@link WantedSchemas} the queue; a caller
 * whose id found no room asks again. A lookup takes well under a microsecond. Thread-safe.
 */
public final class SchemaRegistry implements SchemaSource, AutoCloseable {
  private static final Logger LOG = SafeLogger.of(SchemaRegistry.class);

  private static final int ENOUGH = 3;
  private static final int QUESTIONS_OF_A_ROUND = 1_000;
  private static final int FIRST_PAUSE_MS = 100;
  private static final int LONGEST_PAUSE_MS = 5_000;

  private final RegistrySettings settings;
  private final RegistryClient client;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("waterclock-registry"));
  private final RegistryState state;

  /** Of the requesting thread alone. */
  private long pauseMs = FIRST_PAUSE_MS;

  private volatile Optional<String> away = Optional.empty();
  private volatile Optional<String> refusal = Optional.empty();

  public SchemaRegistry(RegistrySettings settings) {
    this(settings, KeptSchemas.REFUSAL_KEPT, KeptSchemas.MOST_REFUSALS);
  }

  /**
   * @param mostRefusals how many are kept
   */
  SchemaRegistry(RegistrySettings settings, Duration refusalKept, int mostRefusals) {
    this.settings = settings;
    this.client = new RegistryClient(settings);
    this.state =
        new RegistryState(new KeptSchemas(System::nanoTime, refusalKept.toNanos(), mostRefusals));
  }

  /** Never waits. */
  @Override
  public Lookup lookup(int id) {
    if (KeptSchemas.isImpossible(id)) {
      return client.lookup(id); // without a question
    }
    return state
        .findOrWant(id, () -> askIn(0))
        .orElseGet(() -> new Lookup.Unavailable(away.orElse("the registry is being asked")));
  }

  /**
   * Requests the ids of schemas to write until the registry has assigned all of them.
   *
   * @param schemas by the topic that they are written to; each schema once
   */
  public Registration register(Map<String, Schema> schemas) {
    Map<Schema, Integer> ids = new ConcurrentHashMap<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    thread.execute(() -> register(Map.copyOf(schemas), ids, 1, done));
    return new Registration(Encoding.registered(schema -> id(ids, schema)), done);
  }

  private static int id(Map<Schema, Integer> ids, Schema schema) {
    Integer id = ids.get(schema);
    if (id == null) {
      throw new IllegalStateException(
          "no id was requested, or the registry gave none: " + schema.getName());
    }
    return id;
  }

  /** Why the registry is not usable at present; empty if it is usable, or had no request yet. */
  public Optional<String> problem() {
    return away.or(() -> refusal);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void later(Runnable task, long millis) {
    var unused = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  private void askIn(long millis) {
    try {
      later(this::ask, millis);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed", e);
    }
  }

  private void ask() {
    boolean allAnswered = false;
    try {
      allAnswered = askForEach();
    } finally {
      long pause = allAnswered ? 0 : pauseMs;
      pauseMs = allAnswered ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      state.roundEnded(() -> askIn(pause));
    }
  }

  /**
   * @return false when there was a question without an answer
   */
  private boolean askForEach() {
    Set<Integer> unanswered = new HashSet<>();
    int failures = 0;
    for (int asked = 0; failures < ENOUGH && asked < QUESTIONS_OF_A_ROUND; asked++) {
      OptionalInt next = state.next(unanswered);
      if (next.isEmpty()) {
        break;
      }
      int id = next.getAsInt();
      Lookup answer = client.lookup(id);
      if (answer instanceof Lookup.Unavailable unavailable) {
        failures++;
        isAway(unavailable.why());
        unanswered.add(id);
      } else {
        failures = 0;
        isBack();
      }
      state.keep(id, answer);
    }
    return unanswered.isEmpty();
  }

  private void register(
      Map<String, Schema> schemas,
      Map<Schema, Integer> ids,
      int round,
      CompletableFuture<Void> done) {
    List<String> refusals = new ArrayList<>();
    boolean answers = true;
    for (Map.Entry<String, Schema> schema : schemas.entrySet()) {
      if (answers && !ids.containsKey(schema.getValue())) {
        answers = register(schema.getKey(), schema.getValue(), ids, refusals);
      }
    }
    if (ids.size() == schemas.size()) {
      refusal = Optional.empty();
      LOG.info("The schema registry at {} has given {} ids", address(), ids.size());
      done.complete(null);
      return;
    }
    refused(refusals);
    long pause = Math.min((long) FIRST_PAUSE_MS << Math.min(round, 10), LONGEST_PAUSE_MS);
    later(() -> register(schemas, ids, round + 1, done), pause);
  }

  /**
   * @return false when the registry does not answer
   */
  private boolean register(
      String topic, Schema schema, Map<Schema, Integer> ids, List<String> refusals) {
    try {
      int id = client.idOf(topic, schema);
      isBack();
      ids.put(schema, id);
      state.keep(id, new Lookup.Known(schema));
      return true;
    } catch (RestClient.AwayException e) {
      isAway(String.valueOf(e.getMessage()));
      return false;
    } catch (RestClient.RefusalException e) {
      isBack();
      refusals.add(String.valueOf(e.getMessage()));
      return true;
    }
  }

  private void refused(List<String> refusals) {
    Optional<String> now =
        Optional.of(refusals).filter(list -> !list.isEmpty()).map(list -> String.join("; ", list));
    if (now.isPresent() && !now.equals(refusal)) {
      LOG.error(
          "The schema registry at {} refuses the schemas; Waterclock retries: {}",
          address(),
          now.get());
    }
    refusal =
        now.map(text -> "the schema registry at " + address() + " refuses the schemas: " + text);
  }

  private void isAway(String why) {
    if (thread.isShutdown()) {
      return;
    }
    if (away.isEmpty()) {
      LOG.warn(
          "The schema registry does not answer; Waterclock retries, and records that need a schema"
              + " wait: {}",
          why);
    }
    away = Optional.of("the schema registry does not answer: " + why);
  }

  private void isBack() {
    if (away.isPresent()) {
      away = Optional.empty();
      LOG.info("The schema registry at {} answers again", address());
    }
  }

  /** The addresses, for messages. */
  public String address() {
    return settings.address();
  }
}
