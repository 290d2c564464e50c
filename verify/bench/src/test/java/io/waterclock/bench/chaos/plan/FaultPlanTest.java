package io.waterclock.bench.chaos.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.bench.run.BadOptionException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FaultPlanTest {
  private static final FaultPlan.Ground THREE =
      new FaultPlan.Ground(2, 3, EnumSet.allOf(FaultKind.class));

  @Test
  void a_seed_gives_the_same_plan_again_and_another_seed_another_one() {
    assertThat(FaultPlan.draw(7, 100, THREE)).isEqualTo(FaultPlan.draw(7, 100, THREE));
    assertThat(FaultPlan.draw(7, 100, THREE)).isNotEqualTo(FaultPlan.draw(8, 100, THREE));
  }

  @Test
  void a_plan_is_read_as_it_was_printed() {
    FaultPlan plan = FaultPlan.draw(7, 100, THREE);
    assertThat(FaultPlan.parse(List.of(("# seed 7\n" + plan).split("\n")))).isEqualTo(plan);
  }

  @Test
  void faults_that_are_twice_as_far_apart_are_the_same_otherwise() {
    FaultPlan plan = FaultPlan.draw(7, 100, THREE);
    assertThat(plan.apart(4.5)).isEqualTo(plan);
    FaultPlan slower = plan.apart(9);
    assertThat(slower.faults().get(99).at()).isEqualTo(plan.faults().get(99).at().multipliedBy(2));
    assertThat(slower.apart(2.25)).isEqualTo(plan);
  }

  @Test
  void a_hundred_faults_take_less_than_ten_minutes_and_hold_every_kind_over_some_seeds() {
    EnumSet<FaultKind> seen = EnumSet.noneOf(FaultKind.class);
    for (long seed = 0; seed < 20; seed++) {
      List<PlannedFault> faults = FaultPlan.draw(seed, 100, THREE).faults();
      assertThat(faults).hasSize(100);
      assertThat(faults.get(99).at()).isLessThan(Duration.ofMinutes(12));
      faults.forEach(fault -> seen.add(fault.kind()));
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(FaultKind.class));
  }

  @Test
  void a_scheduler_is_not_hit_by_two_faults_at_once() {
    Map<Integer, Duration> healed = new HashMap<>();
    for (PlannedFault fault : FaultPlan.draw(3, 500, THREE).faults()) {
      if (fault.kind().target() == FaultKind.Target.SCHEDULER) {
        assertThat(fault.at()).isGreaterThan(healed.getOrDefault(fault.target(), Duration.ZERO));
        healed.put(fault.target(), fault.at().plus(fault.duration()));
      }
    }
  }

  @Test
  void two_brokers_fail_only_where_there_are_three() {
    assertThat(
            FaultPlan.draw(3, 500, new FaultPlan.Ground(2, 1, EnumSet.allOf(FaultKind.class)))
                .faults())
        .noneMatch(fault -> fault.kind().needsThreeBrokers())
        .allMatch(fault -> fault.kind().target() != FaultKind.Target.BROKER || fault.target() == 1);
  }

  @Test
  void a_line_that_is_no_fault_is_refused_with_one_that_is() {
    assertThatThrownBy(() -> FaultPlan.parse(List.of("1 2.0 KILL")))
        .isInstanceOf(BadOptionException.class)
        .hasMessage("\"1 2.0 KILL\" is no fault; one is \"7 31.250 KILL 1 2.500 0\"");
    assertThatThrownBy(
            () -> FaultPlan.draw(1, 1, new FaultPlan.Ground(1, 1, EnumSet.noneOf(FaultKind.class))))
        .isInstanceOf(BadOptionException.class);
  }
}
