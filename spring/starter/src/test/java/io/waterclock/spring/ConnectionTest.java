package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.spring.kafka.ConnectionSettings;
import io.waterclock.spring.scheduler.EmbeddedScheduler;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Kafka settings come from Spring's own. */
final class ConnectionTest {
  private static Map<String, Object> settings(ApplicationContext context) {
    return context.getBean(ConnectionSettings.class).settings();
  }

  @Test
  void addresses_and_security_come_from_the_settings_of_spring_kafka() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=one:9092,two:9092",
            "spring.kafka.properties.sasl.mechanism=SCRAM-SHA-512",
            "spring.kafka.consumer.group-id=listeners",
            "spring.kafka.consumer.auto-offset-reset=latest",
            "spring.kafka.producer.transaction-id-prefix=tx-",
            "spring.kafka.properties.spring.json.trusted.packages=*")
        .run(
            context -> {
              assertThat(context.getBean(ConnectionSettings.class).bootstrapServers())
                  .isEqualTo("one:9092,two:9092");
              assertThat(settings(context))
                  .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                  .doesNotContainKeys(
                      "group.id",
                      "auto.offset.reset",
                      "key.deserializer",
                      "transactional.id",
                      "spring.json.trusted.packages");
            });
  }

  @Test
  void own_settings_win() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=one:9092",
            "waterclock.properties.bootstrap.servers=other:9092",
            "waterclock.properties.schema.registry.url=http://127.0.0.1:8081")
        .run(
            context ->
                assertThat(settings(context))
                    .containsEntry("bootstrap.servers", "other:9092")
                    .containsEntry("schema.registry.url", "http://127.0.0.1:8081"));
  }

  @Test
  void an_ssl_bundle_reaches_the_clients() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.security.protocol=SSL",
            "spring.kafka.ssl.bundle=kafka",
            "spring.ssl.bundle.jks.kafka.truststore.type=PKCS12")
        .run(
            context -> {
              assertThat(settings(context))
                  .containsEntry("security.protocol", "SSL")
                  .containsKey("ssl.engine.factory.class");
              assertThat(settings(context).values()).anyMatch(SslBundle.class::isInstance);
            });
  }

  @Test
  void an_ssl_bundle_reaches_the_embedded_scheduler() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:1",
            "spring.kafka.security.protocol=SSL",
            "spring.kafka.ssl.bundle=kafka",
            "spring.ssl.bundle.jks.kafka.truststore.type=PKCS12",
            "waterclock.scheduler.enabled=true",
            "waterclock.scheduler.properties.min.interval=5s")
        .run(
            context -> {
              WaterclockConfig config = context.getBean(EmbeddedScheduler.class).config();
              assertThat(config.bootstrapServers()).isEqualTo("127.0.0.1:1");
              assertThat(config.health()).isEmpty();
              assertThat(config.minInterval()).hasSeconds(5);
              assertThat(config.kafka()).containsEntry("security.protocol", "SSL");
              assertThat(config.kafka().values()).anyMatch(SslBundle.class::isInstance);
            });
  }

  @Test
  void what_the_clients_of_the_application_load_is_nothing_to_the_embedded_scheduler() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:1",
            "spring.kafka.consumer.properties.specific.avro.reader=true",
            "spring.kafka.properties.interceptor.of.mine.level=3",
            "spring.kafka.properties.num.stream.threads=7",
            "spring.kafka.properties.limits=true",
            "spring.kafka.properties.retries=5",
            "spring.kafka.properties.schema.registry.url=http://127.0.0.1:1",
            "waterclock.properties.reconnect.backoff.ms=70",
            "waterclock.scheduler.enabled=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(settings(context)).doesNotContainKey("retries");
              WaterclockConfig config = context.getBean(EmbeddedScheduler.class).config();
              assertThat(config.limits()).isFalse();
              assertThat(config.targets().isEmpty()).isTrue();
              assertThat(config.registry()).isPresent();
              assertThat(config.kafka())
                  .containsEntry("reconnect.backoff.ms", "70")
                  .doesNotContainKeys(
                      "specific.avro.reader", "interceptor.of.mine.level", "num.stream.threads");
            });
  }

  /** A wrong setting of Waterclock's own is said. */
  @Test
  void an_unknown_setting_among_those_of_waterclock_stops_the_start() {
    Boot.offline()
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:1",
            "waterclock.properties.specific.avro.reader=true",
            "waterclock.scheduler.enabled=true")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("specific.avro.reader: is no setting"));
  }

  @Test
  void the_embedded_scheduler_needs_its_module() {
    Boot.offline()
        .withClassLoader(new FilteredClassLoader("io.waterclock.runtime"))
        .withPropertyValues("waterclock.scheduler.enabled=true")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("the scheduler is not on the class path"));
  }

  /** As Testcontainers, Docker Compose and platforms provide them; their package has moved. */
  @Test
  void connection_details_win_over_properties() {
    Boot.offline()
        .withPropertyValues("spring.kafka.bootstrap-servers=one:9092")
        .withInitializer(context -> register(context, Boot.connectionDetails()))
        .run(
            context ->
                assertThat(context.getBean(ConnectionSettings.class).bootstrapServers())
                    .isEqualTo("details:9092"));
  }

  @SuppressWarnings("unchecked")
  private static <T> void register(ConfigurableApplicationContext context, Class<T> type) {
    T details =
        (T)
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                    method.getName().equals("getBootstrapServers")
                        ? List.of("details:9092")
                        : method.isDefault()
                            ? InvocationHandler.invokeDefault(proxy, method, arguments)
                            : method.invoke(type, arguments));
    ((GenericApplicationContext) context).registerBean(type, () -> details);
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnFactory {
    @Bean
    DefaultKafkaConsumerFactory<Object, Object> own() {
      return new DefaultKafkaConsumerFactory<>(Map.of("bootstrap.servers", List.of("mine:1")));
    }
  }

  @Test
  void a_factory_of_the_application_counts() {
    Boot.offline()
        .withUserConfiguration(OwnFactory.class)
        .run(
            context ->
                assertThat(context.getBean(ConnectionSettings.class).bootstrapServers())
                    .isEqualTo("mine:1"));
  }

  @Test
  void without_waterclock_enabled_nothing_is_configured() {
    Boot.application()
        .withPropertyValues("waterclock.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(ConnectionSettings.class)
                    .doesNotHaveBean(WaterclockTemplate.class));
  }
}
