package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * CronJobs of Kubernetes, as {@code kubectl get cronjobs -o yaml} prints them, or manifests. The
 * template of the job becomes the payload.
 */
public final class CronJobs {
  /** What is read, and what the server keeps. */
  private static final Set<String> DOCUMENT =
      Set.of("apiVersion", "kind", "metadata", "spec", "status");

  private static final Set<String> METADATA =
      Set.of(
          "name",
          "namespace",
          "labels",
          "creationTimestamp",
          "generation",
          "managedFields",
          "resourceVersion",
          "selfLink",
          "uid");

  private static final Set<String> SPEC =
      Set.of(
          "schedule",
          "timeZone",
          "suspend",
          "concurrencyPolicy",
          "startingDeadlineSeconds",
          "jobTemplate");

  private final MovingSettings settings;
  private final MovingList list;

  private CronJobs(MovingSettings settings) {
    this.settings = settings;
    this.list = new MovingList(settings);
  }

  /**
   * @throws BrokenSourceException if the text is neither YAML nor JSON
   */
  public static Moving read(String text, MovingSettings settings) {
    CronJobs jobs = new CronJobs(settings);
    Documents.yaml(text).forEach(jobs::document);
    return jobs.list.moved();
  }

  private void document(JsonNode document) {
    String kind = document.path("kind").asText();
    if (kind.endsWith("List")) {
      document.path("items").forEach(this::document);
    } else if (kind.equals("CronJob")) {
      job(document);
    } else if (!document.isNull() && !document.isMissingNode() && !document.isEmpty()) {
      list.leave(
          (kind.isEmpty() ? "a document without a kind" : kind + " " + name(document)),
          "it is no CronJob");
    }
  }

  private static String name(JsonNode job) {
    JsonNode metadata = job.path("metadata");
    String namespace = metadata.path("namespace").asText("default");
    return namespace + "/" + metadata.path("name").asText("unnamed");
  }

  private void job(JsonNode job) {
    JsonNode spec = job.path("spec");
    Draft draft = Draft.empty();
    draft.form().put("cron", spec.path("schedule").asText()).put("dialect", "robfig");
    zone(spec, draft);
    if (spec.path("suspend").asBoolean()) {
      draft.form().put("enabled", false);
    }
    if (draft.form().path("cron").asText().contains("@every")) {
      draft.note("Its interval counts from the put, not from the creation of the CronJob.");
    }
    overlap(spec, draft);
    deadline(spec, draft);
    draft.form().put("type", "kubernetes").set("payload", spec.path("jobTemplate"));
    JsonNode labels = job.path("metadata").path("labels");
    if (labels.isObject() && !labels.isEmpty()) {
      draft.form().set("labels", labels);
    }
    draft.leaveOut("", job, DOCUMENT);
    draft.leaveOut("metadata.", job.path("metadata"), METADATA);
    draft.leaveOut("spec.", spec, SPEC);
    Optional<SourceTrigger> source = source(draft);
    list.add("CronJob " + name(job), name(job), source.map(draft::from).orElse(draft));
  }

  /** Empty for an interval, which counts from the start of the controller, and for a wrong zone. */
  private static Optional<SourceTrigger> source(Draft draft) {
    try {
      ZoneId zone = Zones.parse(draft.form().path("timezone").asText());
      String text = draft.form().path("cron").asText();
      return text.contains("@every")
          ? Optional.empty()
          : Optional.of(new SourceTrigger(SourceEngine.ROBFIG, text, zone));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  private void zone(JsonNode spec, Draft draft) {
    Optional<String> zone = Optional.ofNullable(spec.path("timeZone").textValue());
    String text = spec.path("schedule").asText();
    if (zone.isPresent()) {
      draft.form().put("timezone", zone.get());
      return;
    }
    Optional<String> rest = draft.takeZone(text);
    rest.ifPresent(cron -> draft.form().put("cron", cron));
    if (rest.isEmpty()) {
      draft.form().put("timezone", settings.zone().getId());
      draft.noZone("Kubernetes uses that of kube-controller-manager", settings.zone());
    }
  }

  private static void overlap(JsonNode spec, Draft draft) {
    String policy = spec.path("concurrencyPolicy").asText("Allow").toLowerCase(Locale.ROOT);
    switch (policy) {
      case "forbid" -> draft.form().put("overlap", "skip");
      case "replace" ->
          draft.note(
              "concurrencyPolicy Replace has no equal: a fire does not stop the run before it.");
      default -> {}
    }
  }

  /** Kubernetes starts the last of the missed jobs, if its deadline has not passed. */
  private static void deadline(JsonNode spec, Draft draft) {
    JsonNode deadline = spec.path("startingDeadlineSeconds");
    if (deadline.isNumber()) {
      draft.form().put("catch_up", "skip").put("grace", deadline.asLong() + "s");
      draft.note(
          "After an outage every occurrence within startingDeadlineSeconds fires; Kubernetes starts"
              + " one job for them.");
    } else {
      draft.form().put("catch_up", "collapse");
    }
  }
}
