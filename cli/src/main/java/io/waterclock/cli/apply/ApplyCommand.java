package io.waterclock.cli.apply;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.files.DefinitionFiles;
import io.waterclock.cli.files.FileProblem;
import io.waterclock.cli.limit.LimitTopic;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.BulkRun;
import io.waterclock.decide.whatif.Side;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "apply",
    exitCodeOnInvalidInput = ExitCode.SOFTWARE,
    description = {
      "Make the schedules, calendars and limits of a cluster those of files: print the differences,"
          + " ask, write, and wait for every answer.",
      "",
      "A file is YAML or JSON, with any number of definitions; docs/schedules-as-code.md describes"
          + " it. All errors are printed with file and line before anything is written. A"
          + " definition that equals the one in force is not written, so an interrupted apply is"
          + " completed by the next one.",
      "Exit code 0 if nothing differs or all was written, 1 after a failure, 2 if a dry run finds"
          + " differences."
    })
public final class ApplyCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int DIFFERENCES = 2;
  private static final int MOST_ERRORS = 100;

  /** A scheduler reads a new calendar within seconds. */
  private static final int CALENDAR_ATTEMPTS = 20;

  private static final long CALENDAR_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR|FILE",
      description = "Files, folders with files (.yaml, .yml, .json), or - for standard input.")
  List<String> paths = List.of();

  @Option(
      names = "--set",
      paramLabel = "NAME",
      description = "Label the schedules as those of this set (waterclock-set=NAME).")
  Optional<String> set = Optional.empty();

  @Option(
      names = "--prune",
      description = "Delete the schedules with the label of --set that no file defines.")
  boolean prune;

  @Option(
      names = "--allow-empty",
      description = "With --prune: delete all schedules of the set if the files define none.")
  boolean allowEmpty;

  @Option(names = "--adopt", description = "Take over schedules with the label of another set.")
  boolean adopt;

  @Option(
      names = "--allow-past",
      description =
          "Accept new schedules that fire at once: an instant in the past, \"at: now\", and"
              + " \"in\".")
  boolean allowPast;

  @Option(names = "--dry-run", description = "Only print the differences; exit code 2 if any.")
  boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  @Option(names = "--rate", paramLabel = "N", description = "Write at most N definitions a second.")
  Optional<Double> rate = Optional.empty();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Mixin ChangeNote said = new ChangeNote();

  @Override
  public Integer call() {
    check();
    DefinitionFiles files = read();
    Cluster cluster = cluster();
    Map<String, Calendar> calendars = new CalendarTopic(cluster).all();
    LimitTopic limitTopic = new LimitTopic(cluster);
    Map<String, Limit> limits = files.limits().isEmpty() ? limitTopic.allIfAny() : limitTopic.all();
    List<FileProblem> problems = new ArrayList<>(files.problems());
    problems.addAll(files.invalid(calendars.keySet(), defaultZone.zone(), now()));
    refuse(problems);
    Map<String, KnownSchedule> known = new TreeMap<>();
    cluster.catalogue(progress()).all().forEach(entry -> known.put(entry.id(), entry));
    Comparison found =
        new Comparison(rules(), known, calendars, limits, effects(files, calendars)).run(files);
    refuse(found.problems());
    long removed =
        found.changes().stream().filter(one -> one.kind() == Difference.Kind.REMOVE).count();
    found.changes().forEach(this::print);
    if (files.isEmpty()) {
      note("the files define nothing.");
    }
    String counts = counts(found, 0);
    if (dryRun || found.changes().isEmpty()) {
      report(counts, dryRun);
      return found.changes().isEmpty() ? ExitCode.OK : DIFFERENCES;
    }
    if (removed > 0 && files.schedules().isEmpty() && !allowEmpty) {
      throw new Failure(
          ("Nothing was written: the files define no schedule, so --prune would delete all %s of"
                  + " the set %s; --allow-empty does that.")
              .formatted(removed, set.orElse("")));
    }
    if (!yes && !terminal().confirm("apply " + counts + "?")) {
      throw new Failure("Nothing was written.");
    }
    Written written = write(cluster, found.changes());
    int refused = written.refused();
    String done =
        counts(found, written.unchanged())
            .replace("to add", "added")
            .replace("to change", "changed")
            .replace("to remove", "removed");
    report(done + (refused == 0 ? "" : ", " + refused + " of them refused"), false);
    return refused == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void check() {
    if (prune && set.isEmpty()) {
      throw new WrongUsage("--prune needs --set, whose label says what may be deleted.");
    }
    WrongUsage.ifBlank("--set", set);
    if (rate.filter(most -> !(most > 0)).isPresent()) {
      throw new WrongUsage("--rate must be above zero.");
    }
    if (paths.contains("-") && (paths.size() > 1 || !(yes || dryRun))) {
      throw new WrongUsage("- is the only file, and needs --yes or --dry-run.");
    }
  }

  private DefinitionFiles read() {
    return paths.equals(List.of("-"))
        ? DefinitionFiles.of("-", terminal().read("-"), defaultZone.zone())
        : DefinitionFiles.read(paths.stream().map(Path::of).toList(), defaultZone.zone());
  }

  private Comparison.Rules rules() {
    return new Comparison.Rules(set, prune, adopt, allowPast, defaultZone.zone(), now());
  }

  private Effects effects(DefinitionFiles files, Map<String, Calendar> calendars) {
    Map<String, Calendar> planned = new HashMap<>(calendars);
    files.calendars().forEach(file -> planned.put(file.name().value(), file.calendar()));
    return new Effects(
        Side.of(CalendarTopic.inForce(calendars)),
        Side.of(CalendarTopic.inForce(planned)),
        defaultZone.zone(),
        now().truncatedTo(ChronoUnit.MILLIS));
  }

  private static void refuse(List<FileProblem> problems) {
    if (!problems.isEmpty()) {
      List<String> lines = new ArrayList<>();
      lines.add("Nothing was written, for " + AnswerText.reasons(problems.size()) + ":");
      problems.stream().limit(MOST_ERRORS).forEach(problem -> lines.add("  " + problem));
      if (problems.size() > MOST_ERRORS) {
        lines.add("  and " + (problems.size() - MOST_ERRORS) + " more");
      }
      throw new Failure(lines);
    }
  }

  private void print(Difference change) {
    if (json) {
      println(change.json());
    } else {
      change.lines().forEach(this::println);
    }
  }

  /**
   * @param answered how many edits turned out to be what is in force
   */
  private static String counts(Comparison found, int answered) {
    return "%s to add, %s to change, %s to remove, %s unchanged"
        .formatted(
            count(found, Difference.Kind.ADD),
            count(found, Difference.Kind.EDIT) - answered,
            count(found, Difference.Kind.REMOVE),
            found.unchanged() + answered);
  }

  private static long count(Comparison found, Difference.Kind kind) {
    return found.changes().stream().filter(change -> change.kind() == kind).count();
  }

  private void report(String counts, boolean isDry) {
    if (json) {
      println(JsonNodeFactory.instance.objectNode().put("dry_run", isDry).put("summary", counts));
    } else {
      println(counts);
    }
  }

  /**
   * The answers to what was written.
   *
   * @param unchanged how many edits said what was in force
   */
  private record Written(int refused, int unchanged) {}

  private Written write(Cluster cluster, List<Difference> changes) {
    CalendarTopic topic = new CalendarTopic(cluster);
    List<Difference> calendars = changes.stream().filter(Difference::isCalendar).toList();
    calendars.forEach(change -> topic.write(new CalendarName(change.name()), change.value()));
    LimitTopic limits = new LimitTopic(cluster);
    changes.stream()
        .filter(Difference::isLimit)
        .forEach(change -> limits.write(change.name(), change.value()));
    Map<String, ProducerRecord<byte[], byte[]>> open = new TreeMap<>();
    changes.stream()
        .filter(Difference::isSchedule)
        .forEach(change -> open.put(change.name(), record(cluster, change)));
    Set<String> edits = new HashSet<>();
    changes.stream()
        .filter(change -> change.isSchedule() && change.kind() == Difference.Kind.EDIT)
        .forEach(change -> edits.add(change.name()));
    int refused = 0;
    int unchanged = 0;
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      boolean mayWait = !calendars.isEmpty() && attempt < CALENDAR_ATTEMPTS;
      List<Answer> answers = send(cluster, List.copyOf(open.values()));
      open.keySet().clear();
      for (Answer answer : answers) {
        if (mayWait && lacksCalendar(answer)) {
          changes.stream()
              .filter(change -> change.isSchedule() && change.name().equals(answer.getScheduleId()))
              .forEach(change -> open.put(change.name(), record(cluster, change)));
        } else if (isRefused(answer)) {
          refused++;
          AnswerText.print(answer, terminal());
        } else if (answer.getVerdict() == Verdict.UNCHANGED
            && edits.contains(answer.getScheduleId())) {
          unchanged++;
        }
      }
      if (!open.isEmpty()) {
        LockSupport.parkNanos(CALENDAR_NANOS);
      }
    }
    return new Written(refused, unchanged);
  }

  private List<Answer> send(Cluster cluster, List<ProducerRecord<byte[], byte[]>> records) {
    List<Answer> answers = new ArrayList<>();
    ProgressLines lines = new ProgressLines(terminal(), "answered %,d of %,d");
    new Requests(cluster)
        .all(
            records,
            new BulkRun(rate.orElse(Double.POSITIVE_INFINITY), timeout(TIMEOUT)),
            answer -> {
              answers.add(answer);
              lines.read(answers.size(), records.size());
            });
    return answers;
  }

  private ProducerRecord<byte[], byte[]> record(Cluster cluster, Difference change) {
    return new Requests(cluster).saying(said).definition(change.name(), change.value());
  }

  /** The scheduler has not read a calendar yet that was written just before. */
  private static boolean lacksCalendar(Answer answer) {
    return answer.getVerdict() == Verdict.REJECTED
        && answer.getProblems().stream()
            .allMatch(one -> one.getField().equals("except") || one.getField().equals("only"));
  }

  /** A delete of what is gone already has done its work. */
  private static boolean isRefused(Answer answer) {
    return answer.getVerdict() == Verdict.REJECTED || answer.getVerdict() == Verdict.CONFLICT;
  }
}
