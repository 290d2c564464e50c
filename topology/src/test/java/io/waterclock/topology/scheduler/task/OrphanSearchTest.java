package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.store.DueQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OrphanSearchTest {
  private static final Set<Integer> GONE = Set.of(0, 31_337, 69_999);

  private final DueQueue queue = new DueQueue();
  private final OrphanSearch search = new OrphanSearch(queue);

  @Test
  void what_no_schedule_was_seen_for_is_found_once_in_each_search() {
    queue(0, 70_000);
    for (int i = 0; i < 2; i++) {
      search.begin();
      see(0, 70_000);
      assertThat(rest()).containsExactlyInAnyOrder("s0", "s31337", "s69999");
      assertThat(search.isDone()).isTrue();
    }
  }

  @Test
  void a_queue_that_grows_meanwhile_hides_none_and_adds_none() {
    queue(0, 70_000);
    search.begin();
    see(0, 70_000);
    List<String> found = new ArrayList<>();
    search.next().forEach(id -> found.add(id.value()));
    queue(70_000, 300_000);
    found.addAll(rest());
    assertThat(found).containsExactlyInAnyOrder("s0", "s31337", "s69999");
  }

  private void queue(int from, int to) {
    for (int i = from; i < to; i++) {
      queue.putLive(id(i).utf8(), i, false);
    }
  }

  private void see(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!GONE.contains(i)) {
        search.seen(id(i));
      }
    }
  }

  private List<String> rest() {
    List<String> found = new ArrayList<>();
    do {
      search.next().forEach(id -> found.add(id.value()));
    } while (!search.isDone());
    return found;
  }

  private static ScheduleId id(int number) {
    return new ScheduleId("s" + number);
  }
}
