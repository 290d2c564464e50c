package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.preview.Explanation;
import io.waterclock.cli.preview.PreviewTrigger;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.TriggerOptions;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Upcoming;
import io.waterclock.console.preview.CronSentence;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.occurrences.Trigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = {
      "Explain in words when a trigger occurs, and how clock changes affect it.",
      "",
      "The trigger comes from flags, without Kafka, or from a schedule in the cluster.",
      "If it is invalid or never occurs, the command prints all problems and exits with 1."
    })
public final class ExplainCommand extends ReportingCommand {
  @Parameters(arity = "0..1", paramLabel = "ID", description = "A schedule's id.")
  Optional<String> id = Optional.empty();

  @Mixin TriggerOptions trigger = new TriggerOptions();

  @Option(
      names = "--for",
      paramLabel = "ID",
      description = "With --dialect jenkins: the schedule's id, which gives each H its value.")
  Optional<String> forId = Optional.empty();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Option(
      names = "--language",
      paramLabel = "LANG",
      description =
          "The language of the sentence, such as de: for cron expressions, where cron-utils, which"
              + " translates them, finds the same next 100 occurrences (default: en).")
  Optional<String> language = Optional.empty();

  @Override
  public Integer call() {
    if (language.isPresent() && !CronSentence.LANGUAGES.contains(language.get())) {
      throw new WrongUsage(
          "--language must be one of %s, not \"%s\"."
              .formatted(String.join(", ", CronSentence.LANGUAGES), language.get()));
    }
    if (id.isPresent() == trigger.isGiven()) {
      throw new WrongUsage("Either an ID or a trigger such as --cron is needed, and not both.");
    }
    if (id.isPresent()) {
      explainSchedule(id.get());
    } else {
      PreviewTrigger asked = PreviewTrigger.of(trigger, forId, now());
      trigger.noteClockChanges(terminal());
      trigger.noteReadings(terminal());
      if (json) {
        println(json(asked.trigger(), asked.zone()));
      } else {
        Explanation.print(asked.trigger(), asked.zone(), language, terminal());
      }
    }
    return ExitCode.OK;
  }

  private void explainSchedule(String known) {
    KnownSchedule entry = existing(known, cluster());
    Upcoming upcoming = new Upcoming(defaultZone.zone(), Calendars.NONE);
    Trigger inForce =
        upcoming
            .trigger(entry)
            .orElseThrow(
                () ->
                    new Failure(
                        "The topics contain no accepted definition of "
                            + known
                            + ", or no longer the instant from which it counts."));
    if (json) {
      ObjectNode tree = json(inForce, upcoming.zone(entry));
      ArrayNode except = tree.putArray("except");
      entry.schedule().ifPresent(schedule -> schedule.getExcept().forEach(except::add));
      ArrayNode only = tree.putArray("only");
      entry.schedule().ifPresent(schedule -> schedule.getOnly().forEach(only::add));
      entry.schedule().ifPresent(schedule -> tree.put("business_day", schedule.getBusinessDay()));
      ArrayNode skip = tree.putArray("skip");
      entry.schedule().ifPresent(s -> s.getSkip().forEach(at -> skip.add(at.toString())));
      println(tree.put("id", known));
      return;
    }
    Explanation.print(inForce, upcoming.zone(entry), language, terminal());
    entry.schedule().ifPresent(this::printExceptions);
  }

  private ObjectNode json(Trigger explained, ZoneId zone) {
    return Explanation.json(explained, zone, language, now());
  }

  /** Names the calendars and skips, which the explanation does not consider. */
  private void printExceptions(Schedule schedule) {
    String fate =
        schedule.getOnExcluded() == OnExcluded.SKIP
            ? " are skipped."
            : " are moved to the next working day.";
    if (!schedule.getExcept().isEmpty()) {
      println(
          "Not considered above: dates of the calendars "
              + String.join(", ", schedule.getExcept())
              + fate);
    }
    if (!schedule.getOnly().isEmpty()) {
      println(
          "Not considered above: dates that none of the calendars "
              + String.join(", ", schedule.getOnly())
              + " has"
              + fate);
    }
    if (schedule.getBusinessDay() != null) {
      println(
          "Not considered above: it fires only on "
              + Exclusions.words(schedule.getBusinessDay())
              + ".");
    }
    if (!schedule.getSkip().isEmpty()) {
      println("Not considered above: the occurrences in skip, " + schedule.getSkip() + ".");
    }
  }
}
