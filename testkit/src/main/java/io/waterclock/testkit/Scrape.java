package io.waterclock.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A scrape in the text format of Prometheus, for tests of metrics and alerts. Immutable. */
public record Scrape(List<Sample> samples) {
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

  /** One line of a scrape. */
  public record Sample(String name, Map<String, String> labels, double value) {}

  public static Scrape of(String text) {
    List<Sample> samples = new ArrayList<>();
    text.lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .forEach(line -> samples.add(sample(line)));
    return new Scrape(samples);
  }

  private static Sample sample(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new AssertionError("no sample: " + line);
    }
    Map<String, String> labels = new HashMap<>();
    if (parts.group(2) != null) {
      Matcher label = LABEL.matcher(parts.group(2));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
    }
    return new Sample(parts.group(1), labels, value(parts.group(3)));
  }

  private static double value(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  public Set<String> names() {
    return samples.stream().map(Sample::name).collect(Collectors.toSet());
  }

  /** The samples of a metric. */
  public List<Sample> samples(String name) {
    return samples.stream().filter(s -> s.name().equals(name)).toList();
  }

  /** The sum over the samples of a metric that have these labels. */
  public double sum(String name, Map<String, String> labels) {
    return samples(name).stream()
        .filter(s -> s.labels().entrySet().containsAll(labels.entrySet()))
        .mapToDouble(Sample::value)
        .sum();
  }

  public double sum(String name) {
    return sum(name, Map.of());
  }

  /** The values of a metric by one of its labels. */
  public Map<String, Double> by(String label, String name) {
    return samples(name).stream()
        .collect(Collectors.toMap(s -> s.labels().get(label), Sample::value, Double::sum));
  }
}
