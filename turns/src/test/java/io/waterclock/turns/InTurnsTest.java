package io.waterclock.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class InTurnsTest {
  private static final String METHOD = "[engine:junit-jupiter]/[class:A]/[method:b()]";
  private static final String TEMPLATE = "[engine:junit-jupiter]/[class:A]/[test-template:b(int)]";

  @InTurns(promise = "a", turn = 0, of = 3)
  private static final class First {}

  @InTurns(promise = "a", turn = 1, of = 3)
  private static final class Second {}

  @InTurns(promise = "a", turn = 2, of = 3)
  private static final class Third {}

  @Test
  void each_build_runs_one_turn_of_a_promise_and_each_turn_comes() {
    List<Class<?>> seen = new ArrayList<>();
    for (int seed = 0; seed < 100; seed++) {
      String text = Integer.toString(20261124 + seed);
      List<Class<?>> now =
          Stream.<Class<?>>of(First.class, Second.class, Third.class)
              .filter(type -> !runs(type, text, METHOD))
              .toList();
      assertThat(now).as(text).hasSize(2);
      seen.addAll(now);
    }
    assertThat(seen).contains(First.class, Second.class, Third.class);
  }

  @Test
  void of_a_parameterized_test_each_build_runs_every_third_invocation() {
    for (int seed = 0; seed < 20; seed++) {
      String text = Integer.toString(seed);
      assertThat(runs(First.class, text, TEMPLATE)).isTrue();
      assertThat(
              IntStream.rangeClosed(1, 6)
                  .filter(
                      i ->
                          runs(
                              First.class,
                              text,
                              TEMPLATE + "/[test-template-invocation:#" + i + "]"))
                  .toArray())
          .hasSize(2)
          .satisfies(invocations -> assertThat(invocations[1] - invocations[0]).isEqualTo(3));
    }
  }

  @Test
  void what_is_left_out_says_how_to_run_it() {
    Class<?> leftOut = runs(First.class, "7", METHOD) ? Second.class : First.class;
    assertThat(InTurns.Condition.evaluate(turns(leftOut), "7", METHOD).getReason())
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("-Dwaterclock.all=true", "-Dwaterclock.turns=7"));
  }

  /** A turn without a test would be a build without a scenario of its promise. */
  @Test
  void each_turn_of_each_promise_has_a_test() throws IOException {
    Pattern use =
        Pattern.compile("@InTurns\\(promise = \"([^\"]*)\", turn = (\\d+), of = (\\d+)\\)");
    Map<String, TreeSet<Integer>> missing = new TreeMap<>();
    Map<String, TreeSet<Integer>> found = new TreeMap<>();
    for (Path file : tests()) {
      use.matcher(Files.readString(file))
          .results()
          .forEach(
              turn -> {
                int of = Integer.parseInt(turn.group(3));
                String promise = turn.group(1) + " of " + of;
                found
                    .computeIfAbsent(promise, name -> new TreeSet<>())
                    .add(Integer.parseInt(turn.group(2)));
                missing.computeIfAbsent(
                    promise, name -> new TreeSet<>(IntStream.range(0, of).boxed().toList()));
              });
    }
    assertThat(found).isEqualTo(missing).hasSizeGreaterThan(5);
    assertThat(found.keySet().stream().map(name -> name.replaceFirst(" of \\d+$", "")))
        .as("one number of turns for each promise")
        .doesNotHaveDuplicates();
  }

  private static List<Path> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      return files
          .filter(file -> file.toString().matches(".*/src/test/java/.*Test\\.java"))
          .filter(file -> !file.endsWith("InTurnsTest.java"))
          .toList();
    }
  }

  private static boolean runs(Class<?> type, String seed, String uniqueId) {
    return !InTurns.Condition.evaluate(turns(type), seed, uniqueId).isDisabled();
  }

  private static InTurns turns(Class<?> type) {
    return type.getAnnotation(InTurns.class);
  }
}
