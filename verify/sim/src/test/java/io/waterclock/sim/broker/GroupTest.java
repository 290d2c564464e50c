package io.waterclock.sim.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GroupTest {
  private static final Place PLACE = new Place("log", 0);

  /** As {@code BrokerModelTest} sees Kafka do it. */
  @Test
  void of_two_transactions_the_later_offset_stays_in_whatever_order_their_markers_come() {
    Group group = withTwoTransactions();
    group.end(2, true);
    assertThat(group.isUnstable(PLACE)).isTrue();
    group.end(1, true);
    assertThat(group.isUnstable(PLACE)).isFalse();
    assertThat(group.offset(PLACE)).contains(7L);
  }

  @Test
  void an_aborted_transaction_leaves_the_offset_of_the_one_before() {
    Group group = withTwoTransactions();
    group.end(2, false);
    group.end(1, true);
    assertThat(group.offset(PLACE)).contains(5L);
  }

  /** Of one member: the first will commit 5, and the second 7. */
  private static Group withTwoTransactions() {
    Group group = new Group(1);
    group.join("a", Set.of(), 1_000);
    int generation = group.sync("a").generation();
    group.commitInTransaction(1, "a", generation, Map.of(PLACE, 5L));
    group.commitInTransaction(2, "a", generation, Map.of(PLACE, 7L));
    return group;
  }
}
