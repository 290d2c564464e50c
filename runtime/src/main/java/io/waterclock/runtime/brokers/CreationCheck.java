package io.waterclock.runtime.brokers;

import io.waterclock.runtime.brokers.StartFinding.Kind;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.WantedSetting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds which topics a cluster refuses to create, and for which settings, without creating any.
 *
 * <p>Idea: a broker names one thing that it refuses, and not always by the setting's key. So each
 * setting is tried alone, beside what the broker accepts.
 *
 * @param partitions of the schedules topic
 */
record CreationCheck(TopicAdmin topics, WaterclockConfig config, int partitions) {
  /** Empty if the cluster would create all of them. */
  List<StartFinding> findings(List<TopicSpec> missing) {
    List<TopicSpec> refused =
        only(missing, refusals(missing, spec -> spec.settings(config.accepted())));
    if (refused.isEmpty()) {
      return List.of();
    }
    Map<String, String> bare = refusals(refused, spec -> Map.of());
    if (!bare.isEmpty()) {
      return List.of(
          refused(
              "%s with %s partitions and %s replicas: partitions and replication.factor set these"
                  .formatted(
                      names(bare),
                      partitions,
                      config.replicationFactor().map(String::valueOf).orElse("default")),
              bare));
    }
    List<StartFinding> needed = needed(refused);
    Map<WantedSetting, String> wanted = wanted(refused);
    List<StartFinding> findings = new ArrayList<>(needed);
    Set<WantedSetting> without = new HashSet<>(config.accepted());
    if (!wanted.isEmpty()) {
      without.addAll(wanted.keySet());
      findings.add(acceptable(wanted, without));
    }
    Map<String, String> together =
        needed.isEmpty() ? refusals(refused, spec -> spec.settings(without)) : Map.of();
    if (!together.isEmpty()) {
      findings.add(
          refused(names(together) + " with all other settings of the scheduler", together));
    }
    return findings;
  }

  /** The needed settings that the cluster refuses. */
  private List<StartFinding> needed(List<TopicSpec> specs) {
    List<TopicSpec> refused = only(specs, refusals(specs, CreationCheck::neededOf));
    Set<String> keys = new TreeSet<>();
    refused.forEach(spec -> keys.addAll(neededOf(spec).keySet()));
    List<StartFinding> findings = new ArrayList<>();
    for (String key : keys) {
      Map<String, String> words =
          refusals(
              refused.stream().filter(spec -> neededOf(spec).containsKey(key)).toList(),
              spec -> Map.of(key, String.valueOf(neededOf(spec).get(key))));
      if (!words.isEmpty()) {
        findings.add(
            refused(
                names(words)
                    + " with its "
                    + key
                    + ", which the scheduler needs: an administrator must allow it, or create what"
                    + " waterclock topics prints",
                words));
      }
    }
    return findings;
  }

  /** The wanted settings that the cluster refuses, each with its words. */
  private Map<WantedSetting, String> wanted(List<TopicSpec> specs) {
    Set<String> unusable = refusals(specs, CreationCheck::neededOf).keySet();
    Map<WantedSetting, String> refused = new EnumMap<>(WantedSetting.class);
    for (WantedSetting setting : WantedSetting.values()) {
      if (config.accepted().contains(setting)) {
        continue;
      }
      Set<WantedSetting> without = EnumSet.allOf(WantedSetting.class);
      without.remove(setting);
      Map<String, String> words =
          refusals(
              specs.stream()
                  .filter(spec -> spec.demands().stream().anyMatch(d -> d.isIn(Set.of(setting))))
                  .toList(),
              spec -> {
                Map<String, String> settings = spec.settings(without);
                if (unusable.contains(spec.name())) {
                  settings.keySet().retainAll(Set.of(setting.key()));
                }
                return settings;
              });
      words.values().stream().findFirst().ifPresent(why -> refused.put(setting, why));
    }
    return refused;
  }

  private static Map<String, String> neededOf(TopicSpec spec) {
    return spec.settings(EnumSet.allOf(WantedSetting.class));
  }

  private StartFinding acceptable(Map<WantedSetting, String> refused, Set<WantedSetting> without) {
    return new StartFinding(
        Kind.REFUSED,
        "the cluster at %s refuses to create topics with %s: topics.accept=%s starts without: %s"
            .formatted(
                config.bootstrapServers(),
                refused.entrySet().stream()
                    .map(one -> one.getKey().key() + " (\"" + one.getValue() + "\")")
                    .collect(Collectors.joining(", ")),
                WantedSetting.text(without),
                refused.keySet().stream()
                    .map(WantedSetting::loss)
                    .collect(Collectors.joining("; "))));
  }

  private StartFinding refused(String what, Map<String, String> words) {
    return new StartFinding(
        Kind.REFUSED,
        "the cluster at %s refuses to create %s (\"%s\")"
            .formatted(config.bootstrapServers(), what, words.values().iterator().next()));
  }

  private Map<String, String> refusals(
      List<TopicSpec> specs, Function<TopicSpec, Map<String, String>> settings) {
    return specs.isEmpty()
        ? Map.of()
        : topics.refusals(
            specs.stream()
                .map(spec -> spec.toCreate(partitions, config, settings.apply(spec)))
                .toList());
  }

  private static List<TopicSpec> only(List<TopicSpec> specs, Map<String, String> refused) {
    return specs.stream().filter(spec -> refused.containsKey(spec.name())).toList();
  }

  private static String names(Map<String, String> topics) {
    return String.join(", ", topics.keySet());
  }
}
