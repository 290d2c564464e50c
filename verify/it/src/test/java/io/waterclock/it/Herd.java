package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Many schedules under REPLAY, each a grid of one or two seconds with an anchor of its own, so that
 * what they must fire is known without asking the scheduler.
 */
record Herd(Tenant tenant, int size, Instant anchor) {

  static Herd define(Tenant tenant, int size) {
    Herd herd = new Herd(tenant, size, Instant.now().truncatedTo(ChronoUnit.SECONDS));
    try (Producing schedules = tenant.schedules()) {
      IntStream.range(0, size).forEach(i -> schedules.put(id(i), herd.json(i)));
    }
    return herd;
  }

  /** Waits until the scheduler has taken every schedule in. */
  Herd awaitAccepted() {
    try (TopicReader<Revision> revisions = tenant.revisions()) {
      await().atMost(Duration.ofMinutes(4)).until(() -> revisions.values().size() >= size);
    }
    return this;
  }

  private String json(int i) {
    return "{\"every\":\"%ds\",\"anchor\":\"%s\",\"catch_up\":\"replay\",\"grace\":\"%ds\"}"
        .formatted(interval(i).toSeconds(), anchor(i), i % 3 == 0 ? 1 : 60);
  }

  private static String id(int i) {
    return "herd/" + i;
  }

  private Instant anchor(int i) {
    return anchor.plusMillis(1_000L * i / size);
  }

  private static Duration interval(int i) {
    return Duration.ofSeconds(1 + i % 2);
  }

  /**
   * Every occurrence from the acceptance of its schedule to the last watermark fired once, in its
   * order and not early; none was missed. Returns how many fired.
   */
  int assertAccounted() {
    List<Fire> fires = all(tenant.fires());
    Map<String, List<Instant>> fired =
        fires.stream()
            .collect(
                Collectors.groupingBy(
                    Fire::getScheduleId,
                    Collectors.mapping(Fire::getOccurrence, Collectors.toList())));
    Map<String, Revision> revisions =
        all(tenant.revisions()).stream()
            .collect(Collectors.toMap(Revision::getScheduleId, revision -> revision));
    Instant decided = decidedThrough();
    assertThat(all(tenant.missed())).isEmpty();
    assertThat(fires).extracting(Fire::getFireId).doesNotHaveDuplicates();
    assertThat(fires).allMatch(fire -> !fire.getFiredAt().isBefore(fire.getDue()));
    for (int i = 0; i < size; i++) {
      Revision revision = Optional.ofNullable(revisions.get(id(i))).orElseThrow();
      List<Instant> actual = fired.getOrDefault(id(i), List.of());
      assertThat(actual)
          .as(
              "the fires of %s after %s, decided through %s",
              id(i), revision.getOwnsAfter(), decided)
          .isEqualTo(expected(i, revision.getOwnsAfter(), last(actual, decided)));
    }
    return fires.size();
  }

  /** The grid in (after, through]. */
  private List<Instant> expected(int i, Instant after, Instant through) {
    List<Instant> grid = new ArrayList<>();
    for (Instant at = anchor(i); !at.isAfter(through); at = at.plus(interval(i))) {
      if (at.isAfter(after)) {
        grid.add(at);
      }
    }
    return grid;
  }

  /** A schedule may have fired after the last watermark, and must have until then. */
  private static Instant last(List<Instant> fired, Instant decided) {
    return fired.isEmpty() || fired.get(fired.size() - 1).isBefore(decided)
        ? decided
        : fired.get(fired.size() - 1);
  }

  /** The least of the partitions' last watermarks. */
  private Instant decidedThrough() {
    Map<Integer, Instant> decided = new HashMap<>();
    for (Watermark watermark : all(tenant.watermarks())) {
      decided.put(watermark.getPartition(), watermark.getDecidedThrough());
    }
    return decided.values().stream().min(Instant::compareTo).orElseThrow();
  }

  private static <T> List<T> all(TopicReader<T> reader) {
    try (reader) {
      return TopicReader.values(reader.toEnd());
    }
  }
}
