package io.waterclock.cli.change;

import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "revert",
    description = {
      "Define a schedule again as it was, and print the scheduler's answer.",
      "",
      "Takes the definition from the topic revisions, which retains them for 30 days by default;"
          + " waterclock history ID lists them. It becomes a new revision, and what has fired or"
          + " was missed meanwhile stays so. Also brings back a deleted schedule, as a new life of"
          + " its id."
    })
public final class RevertCommand extends ReportingCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(paramLabel = "ID", description = "The schedule's id.")
  String id = "";

  @Option(
      names = "--to",
      paramLabel = "REVISION",
      description =
          "The revision, such as waterclock.schedules-3@17 (default: the one before the newest with"
              + " another definition).")
  Optional<String> to = Optional.empty();

  @Mixin ChangeNote said = new ChangeNote();

  @Override
  public Integer call() {
    Cluster cluster = cluster();
    List<Revision> all = accepted(cluster);
    Revision chosen =
        to.isPresent() ? named(all, to.get()) : before(all).orElseThrow(() -> nothing(all));
    if (TargetRecord.isDelayed(chosen.getSchedule())) {
      throw new Failure(
          ("Revision %s of %s is a delayed record, and the topic of revisions does not keep its"
                  + " content: send the record to %s again.")
              .formatted(chosen.getRevision(), id, cluster.topics().later()));
    }
    note("revision " + chosen.getRevision() + ", in effect from " + chosen.getEffectiveAt());
    byte[] value = RecordCodecs.schedule().encode(chosen.getSchedule(), WireFormat.JSON);
    Answer answer =
        new Requests(cluster).saying(said).define(id, Optional.of(value), timeout(TIMEOUT));
    return json ? AnswerText.printJson(answer, terminal()) : AnswerText.print(answer, terminal());
  }

  /** The accepted definitions that the topic retains, the oldest first. */
  private List<Revision> accepted(Cluster cluster) {
    String topic = cluster.topics().revisions();
    List<Revision> found = new ArrayList<>();
    cluster
        .reader(progress())
        .toEnd(
            List.of(Partitions.home(id, cluster.partitions(topic))),
            record -> {
              if (record.value() != null && Partitions.key(record).equals(id)) {
                cluster
                    .decode(RecordCodecs.revision(), record)
                    .filter(revision -> revision.getEndedBy() == null)
                    .ifPresent(found::add);
              }
              return true;
            });
    return found;
  }

  private Revision named(List<Revision> all, String revision) {
    return all.stream()
        .filter(one -> one.getRevision().equals(revision))
        .findFirst()
        .orElseThrow(
            () ->
                new Failure(
                    "The topic retains no revision "
                        + revision
                        + " of "
                        + id
                        + (all.isEmpty()
                            ? "."
                            : "; it has "
                                + String.join(
                                    ", ", all.stream().map(Revision::getRevision).toList())
                                + ".")));
  }

  private static Optional<Revision> before(List<Revision> all) {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Schedule newest = all.get(all.size() - 1).getSchedule();
    for (int i = all.size() - 2; i >= 0; i--) {
      if (!all.get(i).getSchedule().equals(newest)) {
        return Optional.of(all.get(i));
      }
    }
    return Optional.empty();
  }

  private Failure nothing(List<Revision> all) {
    return new Failure(
        all.isEmpty()
            ? "The topic retains no revision of " + id + "."
            : "The topic retains no other definition of " + id + " than the newest one.");
  }
}
