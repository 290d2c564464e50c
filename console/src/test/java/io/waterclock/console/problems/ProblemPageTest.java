package io.waterclock.console.problems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.WhereExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ProblemPageTest {
  private static final String RELEASE = RowCondition.pause("ann", "release");

  private final List<ProblemFact> facts = new ArrayList<>();

  private void fact(String id, ProblemKind kind, String owner, long sinceMs) {
    facts.add(new ProblemFact(id, kind, owner, sinceMs, Optional.empty()));
  }

  private void paused(String id, String owner, long sinceMs, String group) {
    facts.add(new ProblemFact(id, ProblemKind.PAUSED, owner, sinceMs, Optional.of(group)));
  }

  private ProblemPage page(ProblemFilter filter, int most) {
    return ProblemPage.of(facts, filter, Optional.empty(), most);
  }

  private static List<String> ids(ProblemPage page) {
    return page.page().stream().map(row -> row.newest().id()).toList();
  }

  @Test
  void gravest_kind_comes_first_and_within_it_the_newest() {
    fact("a", ProblemKind.PAUSED, "", 9);
    fact("b", ProblemKind.EDIT_REJECTED, "", 8);
    fact("c", ProblemKind.FAULTED, "", 1);
    fact("d", ProblemKind.REJECTED, "", 2);
    fact("e", ProblemKind.FAULTED, "", 3);
    fact("f", ProblemKind.FAULTED, "", 3);
    assertThat(ids(page(ProblemFilter.ALL, 9))).containsExactly("e", "f", "c", "d", "b", "a");
  }

  @Test
  void pauses_of_one_person_for_one_reason_are_one_row() {
    fact("alone", ProblemKind.PAUSED, "", 5);
    paused("x", "one", 7, RELEASE);
    paused("y", "two", 4, RELEASE);
    paused("z", "two", 6, RowCondition.pause("ann", "disk"));
    ProblemPage page = page(ProblemFilter.ALL, 9);
    assertThat(ids(page)).containsExactly("x", "z", "alone");
    assertThat(page.page().get(0).count()).isEqualTo(2);
    assertThat(page.page().get(0).firstMs()).isEqualTo(4);
    assertThat(page.rows()).isEqualTo(3);
    assertThat(page.counts()).isEqualTo(Map.of(ProblemKind.PAUSED, 4L));
    ProblemPage two = page(new ProblemFilter(Optional.empty(), Optional.of("two")), 9);
    assertThat(ids(two)).containsExactly("z", "y");
  }

  @Test
  void rejections_for_one_reason_are_one_row_of_their_kind() {
    for (int i = 0; i < 1_000; i++) {
      rejected("r/" + i, ProblemKind.REJECTED, i, "too many schedules of acme");
    }
    rejected("e", ProblemKind.EDIT_REJECTED, 1, "too many schedules of acme");
    rejected("other", ProblemKind.REJECTED, 1, "cron: has 4 fields");
    ProblemPage page = page(ProblemFilter.ALL, 9);
    assertThat(ids(page)).containsExactly("r/999", "other", "e");
    assertThat(page.page().get(0).count()).isEqualTo(1_000);
  }

  private void rejected(String id, ProblemKind kind, long sinceMs, String why) {
    facts.add(new ProblemFact(id, kind, "", sinceMs, RowCondition.cause(kind, why)));
  }

  @Test
  void counts_are_those_of_the_other_filter() {
    fact("a", ProblemKind.FAULTED, "one", 1);
    fact("b", ProblemKind.PAUSED, "one", 1);
    fact("c", ProblemKind.PAUSED, "", 1);
    ProblemPage page =
        page(new ProblemFilter(Optional.of(ProblemKind.PAUSED), Optional.of("one")), 9);
    assertThat(ids(page)).containsExactly("b");
    assertThat(page.counts()).isEqualTo(Map.of(ProblemKind.FAULTED, 1L, ProblemKind.PAUSED, 1L));
    assertThat(page.owners())
        .containsExactly(new ProblemPage.OwnerCount("", 1), new ProblemPage.OwnerCount("one", 1));
  }

  @Test
  void pages_reach_every_row_once() {
    IntStream.range(0, 25).forEach(i -> fact("f/" + i, ProblemKind.FAULTED, "", i / 4));
    IntStream.range(0, 25).forEach(i -> paused("p " + i, "", i, RowCondition.pause("", "" + i)));
    List<String> found = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      ProblemPage page = ProblemPage.of(facts, ProblemFilter.ALL, after, 7);
      assertThat(page.rows()).isEqualTo(50);
      found.addAll(ids(page));
      after = page.after();
    } while (after.isPresent());
    assertThat(found)
        .containsExactlyElementsOf(ids(page(ProblemFilter.ALL, 50)))
        .doesNotHaveDuplicates()
        .hasSize(50);
  }

  @Test
  void place_that_is_none_is_refused() {
    for (String place : List.of("x", "FAULTED a b", "HUNGRY 1 b")) {
      assertThatThrownBy(() -> ProblemPage.of(facts, ProblemFilter.ALL, Optional.of(place), 7))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void more_groups_than_a_query_may_hold_become_rows_of_their_own() {
    IntStream.range(0, ProblemPage.MOST_GROUPS)
        .forEach(i -> paused("p/" + i, "", 1, RowCondition.pause("ann", "" + i)));
    paused("x", "", 3, RELEASE);
    paused("y", "", 2, RELEASE);
    assertThat(ids(page(ProblemFilter.ALL, 2))).containsExactly("x", "y");
  }

  @Test
  void condition_of_a_group_can_be_read_whatever_the_note() {
    assertThat(RowCondition.pause("ann", "it's \u201cdown\u201d"))
        .isEqualTo("paused_by = 'ann' and pause_note = \"it's \u201cdown\u201d\"");
    assertThat(RowCondition.pause("", "it's \"down\""))
        .isEqualTo("not paused_by and pause_note ~ 'it*s \"down\"'");
    Stream.of(
            RELEASE,
            RowCondition.DISABLED,
            RowCondition.pause("", ""),
            RowCondition.pause("'\"", "a\nb (c) and not d"),
            RowCondition.calendars(List.of("a", "b-c")),
            RowCondition.cause(ProblemKind.FAULTED, "it's \"down\"").orElseThrow(),
            RowCondition.cause(ProblemKind.REJECTED, "cron: has 4 fields").orElseThrow(),
            RowCondition.cause(ProblemKind.EDIT_REJECTED, "cron: has 4 fields").orElseThrow(),
            RowCondition.cause(ProblemKind.FAILING, "no disk").orElseThrow())
        .forEach(text -> assertThat(WhereExpression.parse(text)).hasToString(text));
  }
}
