package io.waterclock.spring.boot;

import java.util.Optional;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The names that a service has unless the properties set others. */
record ServiceNames(Optional<String> application, WaterclockProperties properties) {
  static ServiceNames of(Environment environment, WaterclockProperties properties) {
    return new ServiceNames(text(environment.getProperty("spring.application.name")), properties);
  }

  private static Optional<String> text(@org.jspecify.annotations.Nullable String name) {
    return Optional.ofNullable(name).filter(StringUtils::hasText);
  }

  Optional<String> owner() {
    return text(properties.schedules().owner()).or(this::application);
  }

  /**
   * @throws MisconfiguredException if there is no name
   */
  String groupId() {
    return text(properties.worker().groupId())
        .or(this::application)
        .orElseThrow(
            () ->
                new MisconfiguredException(
                    "Waterclock has handlers of fires, and no name for their consumer group",
                    "Set spring.application.name or waterclock.worker.group-id to the name of the"
                        + " service, the same for all its instances and for no other service, for"
                        + " example \"reports\". Or set waterclock.worker.enabled=false."));
  }

  String claimant() {
    return text(properties.claims().consumer()).orElseGet(this::groupId);
  }
}
