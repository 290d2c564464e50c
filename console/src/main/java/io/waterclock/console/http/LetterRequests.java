package io.waterclock.console.http;

import io.waterclock.client.deadletters.DeadLetterQueue;
import io.waterclock.client.deadletters.LetterFilter;
import io.waterclock.client.deadletters.Redrive;
import io.waterclock.client.deadletters.Resolution;
import io.waterclock.client.topics.Partitions;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.console.letters.LetterWork;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/** Counts dead letters, sends them again, or discards them. Thread-safe. */
record LetterRequests(DeadLetterQueue queue, Redrive.Brokers brokers, JobsJson jobs) {
  private static final List<String> FILTER_FIELDS =
      List.of("reason", "topic", "key", "starts_with", "owner", "from", "to");

  private static final Logger LOG = SafeLogger.of(LetterRequests.class);
  private static final int MOST_LETTERS = 1_000;

  CompletableFuture<HttpAnswer> resolve(JsonRequest request, Access access) {
    if (access.grants().stream().allMatch(grant -> grant.role() == Role.VIEWER)) {
      throw new BadRequestException(403, access.name() + " is no operator of any schedule.");
    }
    LetterWork.Asked asked =
        new LetterWork.Asked(
            action(request),
            filter(request),
            request.isTrue("dry_run"),
            request.isTrue("force"),
            Actions.note(request));
    if (!asked.isDryRun()) {
      LOG.info("{}: dead letters {}: {}", access.name(), asked.action(), asked.filter());
    }
    return jobs.start("dead letters", access, new LetterWork(queue, brokers, asked, access));
  }

  private static Resolution.Action action(JsonRequest request) {
    return switch (request.required("action")) {
      case "redrive" -> Resolution.Action.REDRIVEN;
      case "discard" -> Resolution.Action.DISCARDED;
      default -> throw new BadRequestException("action must be redrive or discard");
    };
  }

  private LetterFilter filter(JsonRequest request) {
    List<String> named = request.texts("letters");
    if (named.size() > MOST_LETTERS) {
      throw new BadRequestException(
          "at most " + MOST_LETTERS + " letters; choose by a filter instead");
    }
    JsonRequest filter =
        new JsonRequest(request.tree().path("filter")).ofTexts("filter", FILTER_FIELDS);
    if (named.isEmpty() && !filter.tree().isObject()) {
      throw new BadRequestException("letters or a filter must say which dead letters; {} is all");
    }
    Set<Partitions.Place> places = new HashSet<>();
    named.forEach(text -> places.add(place(text)));
    return new LetterFilter(
        places,
        filter.text("reason"),
        filter.text("topic"),
        filter.text("key"),
        filter.text("starts_with").orElse(""),
        filter.text("owner"),
        filter.text("from").isPresent() ? filter.instant("from") : Instant.MIN,
        filter.text("to").isPresent() ? filter.instant("to") : Instant.MAX);
  }

  private Partitions.Place place(String text) {
    return Partitions.place(text)
        .filter(place -> place.partition().topic().equals(queue.topics().dlq()))
        .orElseThrow(
            () ->
                new BadRequestException(
                    "letters must be places such as " + queue.topics().dlq() + "-3@1234"));
  }
}
