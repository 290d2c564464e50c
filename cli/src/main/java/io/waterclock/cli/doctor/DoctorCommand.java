package io.waterclock.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.StartOptions;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.limit.LimitTopic;
import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.Instances;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.LiveState;
import io.waterclock.cli.live.Symptom;
import io.waterclock.cli.live.WatchdogRequest;
import io.waterclock.cli.read.History;
import io.waterclock.cli.read.ScheduleProgress;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.console.model.Upcoming;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.StartFinding;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "doctor",
    description = {
      "Find out what is wrong with the scheduler, or why a schedule does not fire.",
      "",
      "Checks the settings of the topics, whether each partition has an owner, whether fires fail"
          + " time after time, what the instances and the topics state differently, and which"
          + " schedules need a person: the first three of each kind.",
      "With --preflight: lists everything that a first start of a scheduler would lack on the"
          + " cluster, and creates nothing.",
      "With --watchdog: the watchdog checks every schedule now, and the command prints its"
          + " repairs.",
      "Exit code 0 if nothing is wrong, 1 otherwise."
    })
public final class DoctorCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** About so many schedules are looked at in a few seconds. */
  private static final long MOST_SCHEDULES = 200_000;

  private static final Symptom TOO_MANY =
      Symptom.good(
          "schedules",
          "They are too many to look at here: waterclock list --state"
              + " PAUSED,REJECTED,FAULTED,FAILING and waterclock lint show those that need a"
              + " person.");

  @Parameters(arity = "0..1", paramLabel = "ID", description = "A schedule that should fire.")
  Optional<String> id = Optional.empty();

  @Option(
      names = "--watchdog",
      description =
          "Ask every instance for a watchdog pass over all its schedules, and wait until it ends."
              + " Exit code 1 if the watchdog repaired something, a schedule is faulted, or a"
              + " partition was not checked.")
  boolean watchdog;

  @Option(
      names = "--preflight",
      description =
          "Before a start: check brokers, rights, topics and their settings for the scheduler that"
              + " --command-config or --property configures. Exit code 1 if it would not start.")
  boolean preflight;

  @Mixin StartOptions start = new StartOptions();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() throws JsonProcessingException {
    if (watchdog && id.isPresent()) {
      throw new WrongUsage("--watchdog checks every schedule: leave the ID out.");
    }
    if (preflight && (watchdog || id.isPresent())) {
      throw new WrongUsage(
          "--preflight checks what a start needs: leave the ID and --watchdog out.");
    }
    Cluster cluster = cluster();
    List<Symptom> symptoms =
        preflight
            ? ofStart()
            : watchdog
                ? new WatchdogRequest(cluster, timeout(TIMEOUT), terminal()).symptoms()
                : id.isPresent() ? ofSchedule(cluster, id.get()) : ofCluster(cluster);
    for (Symptom symptom : gravestFirst(symptoms)) {
      println(json ? JSON.writeValueAsString(symptom) : text(symptom));
    }
    return symptoms.stream().anyMatch(Symptom::wrong) ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private static List<Symptom> gravestFirst(List<Symptom> symptoms) {
    return symptoms.stream()
        .sorted(
            Comparator.comparing((Symptom one) -> !one.wrong()).thenComparing(one -> !one.paused()))
        .toList();
  }

  private static String text(Symptom symptom) {
    String mark = symptom.wrong() ? "WRONG" : symptom.paused() ? "PAUSED" : "";
    return String.format("%-7s%s: %s", mark, symptom.about(), symptom.text());
  }

  private List<Symptom> ofStart() {
    List<Symptom> symptoms =
        new ArrayList<>(
            Waterclock.preflight(config(start)).stream()
                .map(
                    finding ->
                        symptom(
                            finding.kind().stops(),
                            finding.kind().name().toLowerCase(Locale.ROOT),
                            finding))
                .toList());
    if (symptoms.stream().noneMatch(Symptom::wrong)) {
      symptoms.add(Symptom.good("start", "A start would succeed."));
    }
    return symptoms;
  }

  private static Symptom symptom(boolean wrong, String about, StartFinding finding) {
    return wrong ? Symptom.bad(about, finding.text()) : Symptom.good(about, finding.text());
  }

  /** If Kafka or a topic is away, that is the finding. */
  private List<Symptom> ofCluster(Cluster cluster) {
    List<Symptom> symptoms = new ArrayList<>(ofTopics(cluster));
    try {
      var unused = start.scheduler(cluster).members();
      int partitions = cluster.partitions(cluster.topics().schedules()).size();
      Map<Integer, NewestWatermark> watermarks = cluster.watermarks(partitions);
      LiveState live = new Instances().live(Instance.named(watermarks));
      symptoms.addAll(checkup(partitions, watermarks, live).symptoms());
      symptoms.addAll(0, ofSchedules(cluster)); // before what is well
      symptoms.addAll(ofDeadLetters(cluster));
    } catch (Failure e) {
      symptoms.add(Symptom.bad("kafka", String.valueOf(e.getMessage())));
    }
    return symptoms;
  }

  /** As far as the topics show it. */
  private WaterclockConfig config(Cluster cluster) {
    Topics topics = cluster.topics();
    return WaterclockConfig.parse(
        Map.of(
            "bootstrap.servers", cluster.address(),
            "prefix", topics.prefix(),
            "application.id", start.scheduler(cluster).applicationId(),
            "limits", exists(cluster, topics.limits()),
            "retries", exists(cluster, topics.retries())));
  }

  private static String exists(Cluster cluster, String topic) {
    return Boolean.toString(!cluster.reader().partitionsIfAny(topic).isEmpty());
  }

  private List<Symptom> ofTopics(Cluster cluster) {
    try (Admin admin = cluster.admin()) {
      List<StartFinding> findings =
          new TopicSetup(admin, cluster.settings(), config(cluster)).findings();
      return findings.isEmpty()
          ? List.of(Symptom.good("topics", "All exist with the right settings."))
          : findings.stream()
              .map(one -> symptom(one.kind() != StartFinding.Kind.WANTED, "topics", one))
              .toList();
    } catch (TopicException | MissingRightsException | Failure e) {
      return List.of(Symptom.bad("topics", String.valueOf(e.getMessage())));
    }
  }

  private ClusterCheckup checkup(
      int partitions, Map<Integer, NewestWatermark> watermarks, LiveState live) {
    return new ClusterCheckup(
        partitions, watermarks, live, terminal().clock().instant(), Tzdb.version());
  }

  /**
   * Reads the schedules only where there are limits, or were, and where there are not so many that
   * the answer would be late.
   */
  private List<Symptom> ofSchedules(Cluster cluster) {
    boolean hasLimits = !cluster.reader().partitionsIfAny(cluster.topics().limits()).isEmpty();
    boolean isMany =
        cluster.reader().size(cluster.partitions(cluster.topics().status())) > MOST_SCHEDULES;
    if (isMany && !hasLimits) {
      return List.of(TOO_MANY);
    }
    List<KnownSchedule> all = cluster.catalogue(progress()).all();
    List<Symptom> symptoms = new ArrayList<>();
    if (isMany) {
      symptoms.add(TOO_MANY);
    } else {
      Upcoming upcoming = new CalendarTopic(cluster).upcoming(defaultZone.zone(), all);
      symptoms.addAll(new NeedsPerson(new Lint(upcoming, now(), LintCommand.HERD)).of(all));
    }
    if (hasLimits) {
      symptoms.addAll(limits(cluster).symptoms(all));
    }
    return symptoms;
  }

  private LimitCheckup limits(Cluster cluster) {
    return new LimitCheckup(new LimitTopic(cluster).book(now()), now());
  }

  private List<Symptom> ofDeadLetters(Cluster cluster) {
    long count = cluster.reader().size(cluster.partitions(cluster.topics().dlq()));
    return count == 0
        ? List.of()
        : List.of(
            Symptom.good(
                cluster.topics().dlq(),
                "It has at most "
                    + count
                    + " records; waterclock dlq list shows those that are neither sent again nor"
                    + " discarded."));
  }

  private List<Symptom> ofSchedule(Cluster cluster, String schedule) {
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    int home = Partitions.home(schedule, partitions).partition();
    Map<Integer, NewestWatermark> watermarks = cluster.watermarks(partitions.size());
    KnownSchedule entry =
        cluster.catalogue(ReadProgress.UNSEEN).of(schedule).orElse(KnownSchedule.of(schedule));
    ScheduleProgress progress = ScheduleProgress.of(entry, home, watermarks);
    ClusterCheckup checkup = checkup(partitions.size(), watermarks, live(progress));
    List<Symptom> symptoms = new ArrayList<>();
    checkup.ownClock().ifPresent(symptoms::add);
    symptoms.addAll(checkup.ofPartition(home));
    if (entry.exists()) {
      Upcoming upcoming = new CalendarTopic(cluster).upcoming(defaultZone.zone(), List.of(entry));
      Optional<Symptom> run = run(cluster, schedule);
      run.ifPresent(symptoms::add);
      symptoms.addAll(
          new ScheduleCheckup(terminal().clock().instant(), checkup.isOwned(home), run.isPresent())
              .symptoms(entry, upcoming));
      if (entry.schedule().map(Schedule::getLimit).isPresent()) {
        limits(cluster).ofSchedule(entry).ifPresent(symptoms::add);
      }
    } else {
      symptoms.add(Symptom.bad(schedule, "There is no such schedule."));
    }
    progress.live().ifPresent(live -> symptoms.addAll(new LiveCheckup(entry, live).symptoms()));
    if (entry.status().isPresent()) {
      symptoms.add(Symptom.good(schedule, checked(progress)));
    }
    newest(cluster, schedule, cluster.topics().fires(), "It last fired at ")
        .ifPresent(symptoms::add);
    newest(
            cluster,
            schedule,
            cluster.topics().missed(),
            "Its last missed occurrences were decided at ")
        .ifPresent(symptoms::add);
    return symptoms;
  }

  private Optional<Symptom> run(Cluster cluster, String schedule) {
    return History.latestFire(cluster, schedule)
        .filter(Fire::getWantsOutcome)
        .flatMap(
            fire ->
                new RunCheckup(
                        fire,
                        Optional.ofNullable(
                            cluster
                                .runs(RunReader.DEPTH)
                                .reported(schedule)
                                .get(new RunReader.RunId(fire.getFireId(), Optional.empty()))),
                        terminal().clock().instant())
                    .symptom());
  }

  /** The partition of a schedule, from the answer about the schedule. */
  private static LiveState live(ScheduleProgress progress) {
    return progress
        .live()
        .flatMap(LiveSchedule::schedule)
        .map(details -> new LiveState(List.of(details.home().owner()), List.of(details.home())))
        .orElse(LiveState.NONE);
  }

  private static String checked(ScheduleProgress progress) {
    return progress
        .checked()
        .map(at -> "The watchdog has checked it since " + at + ".")
        .orElse("The watchdog has not checked it yet.");
  }

  private Optional<Symptom> newest(Cluster cluster, String schedule, String topic, String what) {
    return History.newest(cluster, schedule, topic, 1).events().stream()
        .findFirst()
        .map(
            event ->
                Symptom.good(
                    schedule, what + event.at() + ", " + ago(event.at()) + ": " + event.text()));
  }

  private String ago(Instant at) {
    return DurationText.text(Duration.between(at, terminal().clock().instant()).abs()) + " ago";
  }
}
