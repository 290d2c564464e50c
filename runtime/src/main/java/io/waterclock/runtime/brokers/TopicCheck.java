package io.waterclock.runtime.brokers;

import io.waterclock.runtime.brokers.StartFinding.Kind;
import io.waterclock.runtime.brokers.TopicSpec.Demand;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.WantedSetting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;

/** Compares topics that exist with what the scheduler requires of them. */
record TopicCheck(TopicAdmin topics, WaterclockConfig config) {
  /**
   * @param found empty if the brokers do not list the setting
   */
  private record Unmet(String topic, Demand demand, Optional<String> found) {
    private String text() {
      return "%s (%s, not %s)"
          .formatted(topic, found.orElse("not listed by the broker"), demand.required());
    }
  }

  /**
   * @param partitions of the schedules topic
   */
  List<StartFinding> ofPartitions(
      List<TopicSpec> specs, Map<String, TopicDescription> existing, int partitions) {
    List<StartFinding> findings = new ArrayList<>();
    config
        .partitions()
        .filter(configured -> configured != partitions)
        .ifPresent(
            configured ->
                findings.add(
                    new StartFinding(
                        Kind.NEEDED,
                        ("topic %s has %s partitions, but partitions=%s is configured: leave the"
                                + " setting out, or set it to %s")
                            .formatted(
                                config.topics().schedules(), partitions, configured, partitions))));
    for (TopicSpec spec : specs) {
      Optional.ofNullable(existing.get(spec.name()))
          .map(found -> found.partitions().size())
          .filter(found -> found != spec.partitions().required(found, partitions))
          .ifPresent(
              found ->
                  findings.add(new StartFinding(Kind.NEEDED, wrongWidth(spec, found, partitions))));
    }
    return findings;
  }

  private static String wrongWidth(TopicSpec spec, int found, int partitions) {
    int required = spec.partitions().required(found, partitions);
    String remedy =
        found < required
            ? "kafka-topics.sh --alter --topic " + spec.name() + " --partitions " + required
            : "Kafka takes none away: copy its records, kafka-topics.sh --delete --topic "
                + spec.name()
                + ", start again, and write them anew";
    return "topic %s has %s partitions, but needs %s%s: %s"
        .formatted(spec.name(), found, required, spec.partitions().reason(), remedy);
  }

  /** Has one finding for each needed setting of a topic, and for each wanted setting of all. */
  List<StartFinding> ofSettings(List<TopicSpec> specs, Map<String, Map<String, String>> existing) {
    List<StartFinding> findings = new ArrayList<>();
    Map<WantedSetting, List<Unmet>> wanted = new EnumMap<>(WantedSetting.class);
    for (TopicSpec spec : specs) {
      Map<String, String> settings = existing.get(spec.name());
      if (settings == null) {
        continue;
      }
      for (Demand demand : spec.demands()) {
        Optional<String> found = Optional.ofNullable(settings.get(demand.key()));
        if (found.filter(demand::isMet).isEmpty()) {
          Unmet unmet = new Unmet(spec.name(), demand, found);
          demand
              .wanted()
              .ifPresentOrElse(
                  setting -> wanted.computeIfAbsent(setting, any -> new ArrayList<>()).add(unmet),
                  () -> findings.add(new StartFinding(Kind.NEEDED, needed(unmet))));
        }
      }
    }
    wanted.forEach((setting, unmet) -> findings.add(wanted(setting, unmet)));
    return findings;
  }

  private String needed(Unmet unmet) {
    String required = unmet.demand().key() + "=" + unmet.demand().value();
    if (unmet.found().isEmpty()) {
      return ("the brokers do not list %s of topic %s, and the scheduler must know that it has %s:"
              + " it runs on brokers that list this setting, as Kafka's do since 3.7")
          .formatted(unmet.demand().key(), unmet.topic(), required);
    }
    return "topic %s has %s=%s, but needs %s: %s"
        .formatted(
            unmet.topic(),
            unmet.demand().key(),
            unmet.found().get(),
            unmet.demand().required(),
            refusalToAlter(unmet)
                .map(
                    words ->
                        ("the cluster refuses to alter it (\"%s\"), so the topic must be created"
                                + " anew with %s, or another prefix chosen")
                            .formatted(words, required))
                .orElseGet(() -> alteration(unmet.topic(), required)));
  }

  private StartFinding wanted(WantedSetting setting, List<Unmet> unmet) {
    String where =
        setting.key() + ": " + unmet.stream().map(Unmet::text).collect(Collectors.joining(", "));
    if (config.accepted().contains(setting)) {
      return new StartFinding(Kind.ACCEPTED, where);
    }
    Unmet first = unmet.get(0);
    return new StartFinding(
        Kind.WANTED,
        "%s: %s: %s, and topics.accept=%s accepts that"
            .formatted(
                where,
                setting.loss(),
                first.found().isEmpty()
                    ? "the brokers may not have this setting"
                    : refusalToAlter(first)
                        .map(words -> "the cluster refuses to alter it (\"" + words + "\")")
                        .orElseGet(() -> alteration(unmet) + " mends it"),
                WantedSetting.text(
                    Stream.concat(config.accepted().stream(), Stream.of(setting)).toList())));
  }

  private Optional<String> refusalToAlter(Unmet unmet) {
    return topics.refusalToAlter(unmet.topic(), unmet.demand().key(), unmet.demand().value());
  }

  private static String alteration(List<Unmet> unmet) {
    Demand first = unmet.get(0).demand();
    return unmet.size() == 1
        ? alteration(unmet.get(0).topic(), first.key() + "=" + first.value())
        : alteration(
            "TOPIC",
            first.key()
                + "="
                + (unmet.stream().allMatch(one -> one.demand().equals(first))
                    ? first.value()
                    : "VALUE"));
  }

  private static String alteration(String topic, String setting) {
    return "kafka-configs.sh --alter --entity-type topics --entity-name %s --add-config %s"
        .formatted(topic, setting);
  }
}
