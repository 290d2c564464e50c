package io.waterclock.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a query asks a metric for, in PromQL and in the {@code label_values} of Grafana. Knows no
 * more of the language than our queries use.
 *
 * @param grouped the labels by which it groups
 */
record Promql(List<Selector> selectors, Set<String> grouped) {
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+),\\s*(\\w+)\\)");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
  private static final Pattern SELECTOR =
      Pattern.compile("(?<![\\w:])([a-zA-Z_:][\\w:]*)\\s*(?:\\{([^}]*)}|(?!\\s*\\(|\\w))");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

  /** A metric, and what its labels have to be. */
  record Selector(String name, List<Condition> conditions) {}

  /** A label, an operator and a value. */
  record Condition(String label, String operator, String value) {}

  static Promql parse(String query) {
    Set<String> grouped = new TreeSet<>();
    String text = query;
    Matcher labelValues = LABEL_VALUES.matcher(query);
    if (labelValues.matches()) {
      text = labelValues.group(1);
      grouped.add(labelValues.group(2));
    }
    GROUPING
        .matcher(text)
        .results()
        .flatMap(grouping -> Arrays.stream(grouping.group(1).split(",", -1)))
        .map(String::strip)
        .forEach(grouped::add);
    text = RANGE.matcher(GROUPING.matcher(text).replaceAll(" ")).replaceAll("");
    List<Selector> selectors = new ArrayList<>();
    SELECTOR
        .matcher(text)
        .results()
        .filter(found -> !OPERATORS.contains(found.group(1)))
        .forEach(found -> selectors.add(new Selector(found.group(1), conditions(found))));
    return new Promql(selectors, grouped);
  }

  private static List<Condition> conditions(MatchResult selector) {
    String text = selector.group(2) == null ? "" : selector.group(2);
    return MATCHER
        .matcher(text)
        .results()
        .map(found -> new Condition(found.group(1), found.group(2), found.group(3)))
        .toList();
  }
}
