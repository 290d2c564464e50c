package io.waterclock.spring.boot;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.spring.kafka.ConnectionSettings;
import io.waterclock.spring.scheduler.EmbeddedScheduler;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A scheduler in the application's JVM. */
@AutoConfiguration
@ConditionalOnProperty(
    name = {"waterclock.enabled"},
    matchIfMissing = true)
@ConditionalOnProperty(name = "waterclock.scheduler.enabled")
@EnableConfigurationProperties(WaterclockProperties.class)
public class EmbeddedSchedulerAutoConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.waterclock.runtime.Waterclock")
  static class WithoutRuntime {
    WithoutRuntime() {
      throw new MisconfiguredException(
          "waterclock.scheduler.enabled is true, and the scheduler is not on the class path",
          "Add the dependency io.waterclock:waterclock-runtime, in the version of the starter.");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Waterclock.class)
  static class WithRuntime {
    @Bean
    EmbeddedScheduler waterclockScheduler(
        WaterclockProperties properties, ConnectionSettings connection) {
      Map<String, String> settings = new HashMap<>();
      Map<String, Object> objects = new HashMap<>(connection.settings());
      connection
          .settings()
          .forEach(
              (key, value) -> {
                if (isText(value)) {
                  objects.remove(key);
                  if (reachesTheCluster(key) || properties.properties().containsKey(key)) {
                    settings.put(key, String.valueOf(value));
                  }
                }
              });
      settings.put("prefix", properties.prefix());
      settings.put("health.port", "off");
      settings.putAll(properties.scheduler().properties());
      return new EmbeddedScheduler(WaterclockConfig.parse(settings, objects));
    }

    /** What a configuration file could say. */
    private static boolean isText(Object value) {
      return value instanceof CharSequence || value instanceof Number || value instanceof Boolean;
    }

    /** Other texts are for what the application's own clients load, whatever their names. */
    private static boolean reachesTheCluster(String key) {
      return AdminClientConfig.configNames().contains(key) || RegistrySettings.KEYS.contains(key);
    }

    @Bean
    TopicsExist waterclockTopicsExist(EmbeddedScheduler scheduler) {
      return new TopicsExist(scheduler.topics());
    }
  }
}
