package io.waterclock.spring.actuate;

import java.util.function.Supplier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of a part for Spring Boot 3. */
public record Boot3Health(Supplier<PartHealth> part) implements HealthIndicator {
  @Override
  public Health health() {
    PartHealth now = part.get();
    return Health.status(now.status().name()).withDetails(now.details()).build();
  }
}
