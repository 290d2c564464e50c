package io.waterclock.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import io.waterclock.client.payload.PayloadMapper;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.WorkerListener;
import io.waterclock.spring.ChangeSender;
import io.waterclock.spring.KafkaChangeSender;
import io.waterclock.spring.WaterclockCalendar;
import io.waterclock.spring.WaterclockTemplate;
import io.waterclock.spring.handler.AnnotatedMethods;
import io.waterclock.spring.handler.Around;
import io.waterclock.spring.handler.ObservedRuns;
import io.waterclock.spring.kafka.ConnectionSettings;
import io.waterclock.spring.kafka.TransactionalFactories;
import io.waterclock.spring.retry.RetryLaterRecoverer;
import io.waterclock.spring.retry.RetryableLaterListeners;
import io.waterclock.spring.schedule.Removal;
import io.waterclock.spring.schedule.ScheduleWriter;
import io.waterclock.spring.worker.WorkerLifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;

/** Schedules, handlers of fires and declared schedules. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
    },
    after = {
      PayloadAutoConfiguration.class,
      ClaimsAutoConfiguration.class,
      EmbeddedSchedulerAutoConfiguration.class,
      MetricsAutoConfiguration.class
    })
@ConditionalOnProperty(name = "waterclock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaterclockProperties.class)
public class WaterclockAutoConfiguration {
  @Bean
  static TransactionalFactories waterclockTransactionalFactories() {
    return new TransactionalFactories();
  }

  @Bean
  static RetryableLaterListeners waterclockRetryableLaterListeners(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<KafkaOperations<Object, Object>> templates,
      ObjectProvider<RetryLaterRecoverer> recoverers,
      ObjectProvider<WaterclockProperties> properties) {
    return new RetryableLaterListeners(
        beans,
        templates::getObject,
        () ->
            recoverers.getIfAvailable(
                () ->
                    RetryLaterRecoverer.to(
                            templates.getObject(),
                            new DeadLetterPublishingRecoverer(templates.getObject()))
                        .prefix(properties.getObject().prefix())));
  }

  @Bean
  @ConditionalOnMissingBean
  ConnectionSettings waterclockConnectionSettings(
      WaterclockProperties properties,
      ObjectProvider<ConsumerFactory<?, ?>> consumers,
      ObjectProvider<KafkaAdmin> admins) {
    ConsumerFactory<?, ?> consumer = consumers.getIfUnique();
    KafkaAdmin admin = consumer == null ? admins.getIfUnique() : null;
    Map<String, Object> ofSpring =
        consumer != null
            ? consumer.getConfigurationProperties()
            : admin != null ? admin.getConfigurationProperties() : Map.of();
    return ConnectionSettings.of(ofSpring, properties.properties())
        .orElseThrow(
            () ->
                new MisconfiguredException(
                    "Waterclock does not know the addresses of the Kafka brokers: there is no bean"
                        + " of the type ConsumerFactory or KafkaAdmin",
                    "With Spring Boot 4, add the dependency"
                        + " org.springframework.boot:spring-boot-starter-kafka and set"
                        + " spring.kafka.bootstrap-servers. Without Spring for Apache Kafka, set"
                        + " waterclock.properties.bootstrap.servers=localhost:9092."));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Schedules waterclockSchedules(WaterclockProperties properties, ConnectionSettings connection) {
    return Schedules.builder(connection.bootstrapServers())
        .kafka(connection.settings())
        .prefix(properties.prefix())
        .timeout(properties.timeout())
        .format(properties.format())
        .build();
  }

  @Bean
  @ConditionalOnMissingBean
  ChangeSender waterclockChangeSender(
      Schedules schedules, ObjectProvider<KafkaOperations<?, ?>> templates) {
    return new KafkaChangeSender(schedules, templates.orderedStream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  WaterclockTemplate waterclockTemplate(
      ChangeSender sender,
      PayloadMapper payloads,
      ObjectProvider<ObservationRegistry> observations) {
    return new WaterclockTemplate(
        sender, payloads, observations.getIfUnique(() -> ObservationRegistry.NOOP));
  }

  @Bean
  @ConditionalOnMissingBean
  TopicsExist waterclockTopicsExist() {
    return new TopicsExist(CompletableFuture.completedFuture(null));
  }

  @Bean
  AnnotatedMethods waterclockAnnotatedMethods(
      ConfigurableListableBeanFactory beans,
      PayloadMapper payloads,
      ObjectProvider<Around> around,
      ObjectProvider<ObservationRegistry> observations) {
    List<Around> all = new ArrayList<>(around.orderedStream().toList());
    all.add(new ObservedRuns(observations.getIfUnique(() -> ObservationRegistry.NOOP)));
    return new AnnotatedMethods(beans, payloads, all);
  }

  @Bean
  @ConditionalOnProperty(name = "waterclock.schedules.enabled", matchIfMissing = true)
  ScheduleWriter waterclockScheduleWriter(
      WaterclockProperties properties,
      Environment environment,
      Schedules schedules,
      ObjectProvider<WaterclockCalendar> calendars,
      AnnotatedMethods methods,
      TopicsExist topics) {
    WaterclockProperties.Schedules settings = properties.schedules();
    return new ScheduleWriter(
        schedules,
        calendars.orderedStream().toList(),
        methods::schedules,
        ServiceNames.of(environment, properties).owner(),
        new Removal(settings.removal(), settings.removalDelay(), settings.removalMayEmpty()),
        topics.future());
  }

  @Bean
  @ConditionalOnProperty(name = "waterclock.worker.enabled", matchIfMissing = true)
  WorkerLifecycle waterclockWorker(
      WaterclockProperties properties,
      Environment environment,
      ConnectionSettings connection,
      AnnotatedMethods methods,
      PayloadMapper payloads,
      ObjectProvider<FireWorkerCustomizer> customizers,
      ObjectProvider<WorkerListener> listeners,
      TopicsExist topics) {
    ServiceNames names = ServiceNames.of(environment, properties);
    return new WorkerLifecycle(
        () -> {
          FireWorker.Builder worker = worker(properties.worker(), names, connection);
          worker.prefix(properties.prefix()).payloads(payloads);
          methods.handlers().forEach(found -> found.match().register(worker, found.handler()));
          listeners.orderedStream().forEach(worker::listener);
          customizers.orderedStream().forEach(customizer -> customizer.customize(worker));
          return worker;
        },
        () -> !methods.handlers().isEmpty(),
        topics.future(),
        new WorkerLifecycle.Times(properties.worker().drain(), properties.worker().restart()));
  }

  private static FireWorker.Builder worker(
      WaterclockProperties.Worker settings, ServiceNames names, ConnectionSettings connection) {
    FireWorker.Builder worker =
        FireWorker.builder(connection.bootstrapServers(), names.groupId())
            .kafka(connection.settings())
            .consumer(settings.consumer())
            .startAt(settings.startAt())
            .retry(RetryPlan.of(settings.retry()))
            .threads(settings.threads())
            .buffer(settings.buffer())
            .report(settings.report());
    Optional.ofNullable(settings.deadLetterTopic()).ifPresent(worker::deadLetterTopic);
    return worker;
  }
}
