package io.waterclock.spring.boot;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.spring.actuate.ClientHealth;
import io.waterclock.spring.actuate.PartHealth;
import io.waterclock.spring.actuate.SchedulerHealth;
import io.waterclock.spring.actuate.WaterclockEndpoint;
import io.waterclock.spring.actuate.WorkerHealth;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.kafka.ConnectionSettings;
import io.waterclock.spring.schedule.ScheduleWriter;
import io.waterclock.spring.scheduler.EmbeddedScheduler;
import io.waterclock.spring.worker.WorkerLifecycle;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of Waterclock for the actuator. */
@AutoConfiguration(after = WaterclockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(ConnectionSettings.class)
public class PartsAutoConfiguration {
  @Bean(destroyMethod = "close")
  ClientHealth waterclockClientHealth(
      ConnectionSettings connection, WaterclockProperties properties) {
    return new ClientHealth(connection, properties.prefix());
  }

  @Bean
  @ConditionalOnBean(WorkerLifecycle.class)
  WorkerHealth waterclockWorkerHealth(WorkerLifecycle worker) {
    return new WorkerHealth(worker);
  }

  @Bean
  @ConditionalOnAvailableEndpoint
  WaterclockEndpoint waterclockEndpoint(
      Schedules schedules,
      WaterclockProperties properties,
      AnnotatedMethods methods,
      ObjectProvider<ScheduleWriter> writer,
      ObjectProvider<Supplier<PartHealth>> parts) {
    Map<String, Supplier<PartHealth>> named = new LinkedHashMap<>();
    parts
        .orderedStream()
        .forEach(
            part ->
                named.put(
                    part.getClass().getSimpleName().replace("Health", "").toLowerCase(Locale.ROOT),
                    part));
    return new WaterclockEndpoint(
        schedules,
        methods,
        () -> writer.stream().findAny().map(ScheduleWriter::results).orElse(Map.of()),
        named,
        properties.endpoint().showPayloads());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.waterclock.runtime.Waterclock")
  @ConditionalOnBean(type = "io.waterclock.spring.scheduler.EmbeddedScheduler")
  static class Embedded {
    @Bean
    SchedulerHealth waterclockSchedulerHealth(EmbeddedScheduler scheduler) {
      return new SchedulerHealth(scheduler);
    }
  }
}
