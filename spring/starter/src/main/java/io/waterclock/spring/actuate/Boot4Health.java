package io.waterclock.spring.actuate;

import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of a part for Spring Boot 4. */
public record Boot4Health(Supplier<PartHealth> part) implements HealthIndicator {
  @Override
  public Health health() {
    PartHealth now = part.get();
    return Health.status(now.status().name()).withDetails(now.details()).build();
  }
}
