package io.waterclock.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.read.FilterOptions;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.occurrences.core.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "lint",
    description = {
      "Find schedules that are valid and probably not meant.",
      "",
      "Those that never fire, since calendars or skips leave out everything, or their end had"
          + " passed from the beginning; those whose time zone differs from that of nearly all"
          + " others of their owner; many that fire at the same instants without jitter; and those"
          + " without an owner.",
      "Exit code 0 if there are none, 1 otherwise."
    })
public final class LintCommand extends ReportingCommand {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As the option says. */
  static final int HERD = 100;

  private static final int MOST_ALIKE = 10;

  /** Of more than {@link #MOST_ALIKE}. */
  private static final int FIRST = 3;

  @ArgGroup(validate = false, order = 90, heading = "%nOnly schedules that match:%n")
  FilterOptions filter = new FilterOptions();

  @Option(
      names = "--herd",
      paramLabel = "N",
      defaultValue = "" + HERD,
      description =
          "Name a cron expression that N schedules without jitter share (default:"
              + " ${DEFAULT-VALUE}).")
  int herd;

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() throws JsonProcessingException {
    requireLeast("--herd", herd, 2);
    Cluster cluster = cluster();
    List<KnownSchedule> entries =
        cluster.catalogue(progress()).all().stream().filter(filter.selector()::selects).toList();
    List<Symptom> symptoms =
        new Lint(
                new CalendarTopic(cluster).upcoming(defaultZone.zone(), entries).withoutJitter(),
                terminal().clock().instant(),
                herd)
            .of(entries);
    if (json) {
      for (Symptom symptom : symptoms) {
        println(JSON.writeValueAsString(symptom));
      }
    } else {
      print(symptoms);
      println(
          symptoms.isEmpty()
              ? "nothing to say about " + entries.size() + " schedules"
              : Words.number(symptoms.size(), "finding"));
    }
    return symptoms.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Of many with one finding, the first few: the rest would hide what else there is. */
  private void print(List<Symptom> symptoms) {
    Map<String, List<Symptom>> byText =
        symptoms.stream()
            .collect(Collectors.groupingBy(Symptom::text, LinkedHashMap::new, Collectors.toList()));
    byText.forEach(
        (text, alike) -> {
          int shown = alike.size() > MOST_ALIKE ? FIRST : alike.size();
          alike.subList(0, shown).forEach(one -> println(one.about() + ": " + text));
          if (alike.size() > shown) {
            println("  and %s more, in --json: %s".formatted(alike.size() - shown, text));
          }
        });
  }
}
