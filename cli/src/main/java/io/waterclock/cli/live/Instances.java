package io.waterclock.cli.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.client.topics.NewestWatermark;
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
 * Asks the instances of the scheduler for their state over HTTP. An instance that does not answer
 * within a few seconds, or has another name, counts as away; the commands then use the topics.
 */
public final class Instances {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(1);

  /** An instance itself waits up to 2 s for its tasks. */
  private static final Duration ANSWER = Duration.ofSeconds(4);

  /**
   * The watermark names the owner of a partition; the partition may have moved a few times since.
   */
  private static final int MOST_ASKED = 4;

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .proxy(HttpClient.Builder.NO_PROXY)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  private record Answer(int status, JsonNode tree) {
    String text(String field) {
      return tree.path(field).asText();
    }

    boolean isFrom(Instance instance) {
      return text("instance").equals(instance.name());
    }
  }

  /** Asks all instances for their partitions, at the same time. */
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
                .filter(found -> found.isFrom(instance))
                .flatMap(found -> partitions(instance, found))
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
      return Optional.empty(); // an instance of another version
    }
  }

  /**
   * Asks for a schedule: first the instance that the watermark of its partition names, then the
   * owner that this instance names, then the others.
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
    Set<String> applications = new HashSet<>();
    Set<String> seen = new HashSet<>();
    while (!addresses.isEmpty() && seen.size() < MOST_ASKED) {
      String address = addresses.remove();
      Optional<Answer> answer =
          seen.add(address)
              ? ask("GET", address, "/schedules/" + URLEncoder.encode(id, UTF_8)).join()
              : Optional.empty();
      Optional<Answer> known =
          answer.filter(
              one ->
                  names.contains(one.text("instance"))
                      || applications.contains(one.text("application_id")));
      if (known.isEmpty()) {
        continue;
      }
      Answer found = known.get();
      applications.add(found.text("application_id"));
      if (found.status() == 421 && found.tree().has("owner")) {
        addresses.addFirst(found.text("owner"));
      } else if (found.status() == 200 || found.status() == 404) {
        return LiveSchedule.of(new Instance(found.text("instance"), address), id, found.tree());
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
    return ask("POST", instance.address(), "/watchdog")
        .join()
        .filter(answer -> answer.isFrom(instance))
        .map(Instances::requested);
  }

  /** Leaves out the partitions whose task did not answer. */
  private static Map<Integer, Instant> requested(Answer answer) {
    Map<Integer, Instant> since = new TreeMap<>();
    for (JsonNode pass : answer.tree().path("passes")) {
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
      return CompletableFuture.completedFuture(Optional.empty()); // not an address
    }
    return http.sendAsync(request, BodyHandlers.ofString())
        .handle((response, failure) -> failure == null ? read(response) : Optional.empty());
  }

  private static Optional<Answer> read(HttpResponse<String> response) {
    try {
      return Optional.of(new Answer(response.statusCode(), JSON.readTree(response.body())));
    } catch (JsonProcessingException e) {
      return Optional.empty(); // another program listens on this port
    }
  }
}
