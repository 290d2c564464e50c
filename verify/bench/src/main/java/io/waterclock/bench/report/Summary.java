package io.waterclock.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.bench.report.Verdict.Outcome;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a run of several parts.
 *
 * @param exits the exit code of each part
 * @param parts the JSON of each part
 */
public record Summary(
    Map<String, Integer> exits,
    Map<String, JsonNode> parts,
    List<Verdict> verdicts,
    Duration took) {

  /** True when no part failed. */
  public boolean isWhole() {
    return exits.values().stream().allMatch(exit -> exit == 0);
  }

  public void print(PrintStream out) {
    out.println();
    out.println("summary: " + exits.size() + " parts in " + took.toMinutes() + " min");
    exits.forEach(
        (part, exit) -> {
          if (exit != 0) {
            out.println("  FAILED  " + part + ", exit code " + exit);
          }
        });
    int width = verdicts.stream().mapToInt(verdict -> verdict.target().length()).max().orElse(1);
    String format = "  %-7s  %-" + width + "s  %14s  wanted: %s%n";
    verdicts.forEach(
        verdict ->
            out.printf(
                format, word(verdict), verdict.target(), verdict.measured(), verdict.wanted()));
  }

  private static String word(Verdict verdict) {
    return verdict.outcome().name().toLowerCase(Locale.ROOT);
  }

  public JsonNode figures() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.putPOJO("exit codes", exits).put("minutes", took.toMinutes());
    all.put(
        "targets met",
        verdicts.stream().filter(verdict -> verdict.outcome() == Outcome.MET).count());
    ArrayNode targets = all.putArray("targets");
    for (Verdict verdict : verdicts) {
      targets
          .addObject()
          .put("target", verdict.target())
          .put("outcome", word(verdict))
          .put("measured", verdict.measured())
          .put("wanted", verdict.wanted());
    }
    return all.putPOJO("parts", parts);
  }
}
