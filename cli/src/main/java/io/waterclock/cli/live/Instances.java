package io.waterclock.cli.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.schemas.UndecodableException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the scheduler's instances over HTTP how things stand now. One that does not answer within a
 * few seconds, or turns out to be another one, counts as away: the topics tell the rest.
 */
public final class Instances {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(1);

  /** An instance itself waits for its tasks for two. */
  private static final Duration ANSWER = Duration.ofSeconds(4);

  /** A schedule is where its partition's watermark says, or has moved once or twice since. */
  private static final int MOST_ASKED = 4;

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .proxy(HttpClient.Builder.NO_PROXY)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  /** What came back. */
  private record Answer(int status, JsonNode tree) {
    String text(String field) {
      return tree.path(field).asText();
    }
  }

  /** Asks each for its partitions, all at the same time. */
  public LiveState live(List<Instance> instances) {
    Map<Instance, CompletableFuture<Optional<Answer>>> asked = new LinkedHashMap<>();
    instances.forEach(
        instance -> asked.put(instance, ask("GET", instance.address(), "/partitions")));
    List<Instance> answering = new ArrayList<>();
    List<LivePartition> partitions = new ArrayList<>();
    asked.forEach(
        (instance, answer) ->
            answer
                .join()
                .filter(told -> told.text("instance").equals(instance.name()))
                .flatMap(told -> partitions(instance, told))
                .ifPresent(
                    owned -> {
                      answering.add(instance);
                      partitions.addAll(owned);
                    }));
    return new LiveState(answering, partitions);
  }

  private static Optional<List<LivePartition>> partitions(Instance instance, Answer answer) {
    try {
      List<LivePartition> owned = new ArrayList<>();
      for (JsonNode partition : answer.tree().path("owned")) {
        if (partition.has("watermark")) {
          owned.add(LivePartition.of(instance, partition));
        }
      }
      return Optional.of(owned);
    } catch (UndecodableException e) {
      return Optional.empty(); // of another version
    }
  }

  /**
   * Asks for a schedule: first the instance that its partition's watermark names, then whom that
   * one names, then the others.
   */
  public Optional<LiveSchedule> schedule(
      String id, int partition, Map<Integer, NewestWatermark> watermarks) {
    Deque<String> addresses = new ArrayDeque<>();
    Instance.named(watermarks).forEach(instance -> addresses.add(instance.address()));
    Optional.ofNullable(watermarks.get(partition))
        .flatMap(latest -> Instance.of(latest.watermark()))
        .ifPresent(instance -> addresses.addFirst(instance.address()));
    Set<String> names = new HashSet<>();
    watermarks.values().forEach(latest -> names.add(latest.watermark().getInstance()));
    Optional<String> application = Optional.empty();
    Set<String> seen = new HashSet<>();
    while (!addresses.isEmpty() && seen.size() < MOST_ASKED) {
      String address = addresses.remove();
      Optional<Answer> answer =
          seen.add(address)
              ? ask("GET", address, "/schedules/" + URLEncoder.encode(id, UTF_8)).join()
              : Optional.empty();
      Optional<String> ours = application;
      Optional<Answer> known =
          answer.filter(
              told ->
                  names.contains(told.text("instance"))
                      || ours.filter(told.text("application_id")::equals).isPresent());
      if (known.isEmpty()) {
        continue;
      }
      Answer told = known.get();
      application = Optional.of(told.text("application_id"));
      if (told.status() == 421 && told.tree().has("owner")) {
        addresses.addFirst(told.text("owner"));
      } else if (told.status() == 200 || told.status() == 404) {
        return LiveSchedule.of(new Instance(told.text("instance"), address), id, told.tree());
      }
    }
    return Optional.empty();
  }

  /**
   * Asks an instance for a watchdog pass over all its partitions.
   *
   * @return for each partition the instant of the request by the clock of the instance; empty if
   *     the instance does not answer
   */
  Optional<Map<Integer, Instant>> startPass(Instance instance) {
    return ask("POST", instance.address(), "/walk")
        .join()
        .filter(told -> told.text("instance").equals(instance.name()))
        .map(Instances::requested);
  }

  /** Leaves out the partitions whose task did not answer. */
  private static Map<Integer, Instant> requested(Answer answer) {
    Map<Integer, Instant> since = new TreeMap<>();
    for (JsonNode pass : answer.tree().path("walks")) {
      if (pass.has("since")) {
        since.put(pass.path("partition").asInt(), Instant.parse(pass.path("since").asText()));
      }
    }
    return since;
  }

  private CompletableFuture<Optional<Answer>> ask(String method, String address, String path) {
    HttpRequest request;
    try {
      request =
          HttpRequest.newBuilder(URI.create("http://" + address + path))
              .timeout(ANSWER)
              .method(method, BodyPublishers.noBody())
              .build();
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(Optional.empty()); // no address
    }
    return http.sendAsync(request, BodyHandlers.ofString())
        .handle((response, failure) -> failure == null ? read(response) : Optional.empty());
  }

  private static Optional<Answer> read(HttpResponse<String> response) {
    try {
      return Optional.of(new Answer(response.statusCode(), JSON.readTree(response.body())));
    } catch (JsonProcessingException e) {
      return Optional.empty(); // somebody else's port
    }
  }
}
