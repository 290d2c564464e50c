package io.waterclock.spring.boot;

import io.waterclock.spring.actuate.ClientHealth;
import io.waterclock.spring.actuate.PartHealth;
import io.waterclock.spring.actuate.SchedulerHealth;
import io.waterclock.spring.actuate.WorkerHealth;
import io.waterclock.spring.kafka.ConnectionSettings;
import java.util.function.Supplier;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Health for Spring Boot 3. */
@AutoConfiguration(after = PartsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnBean(ConnectionSettings.class)
@ConditionalOnEnabledHealthIndicator("waterclock")
public class Boot3HealthAutoConfiguration {
  @Bean
  HealthIndicator waterclockClientHealthIndicator(ClientHealth health) {
    return indicator(health);
  }

  @Bean
  @ConditionalOnBean(WorkerHealth.class)
  HealthIndicator waterclockWorkerHealthIndicator(WorkerHealth health) {
    return indicator(health);
  }

  @Bean
  @ConditionalOnBean(type = "io.waterclock.spring.actuate.SchedulerHealth")
  HealthIndicator waterclockSchedulerHealthIndicator(SchedulerHealth health) {
    return indicator(health);
  }

  private static HealthIndicator indicator(Supplier<PartHealth> part) {
    return () -> {
      PartHealth now = part.get();
      return Health.status(now.status().name()).withDetails(now.details()).build();
    };
  }
}
