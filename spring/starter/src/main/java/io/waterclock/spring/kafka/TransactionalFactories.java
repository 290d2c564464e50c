package io.waterclock.spring.kafka;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/**
 * Prepares each transactional producer factory, so that its producers take records of Waterclock
 * beside those of the application, in one transaction.
 */
public final class TransactionalFactories implements BeanPostProcessor {
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof DefaultKafkaProducerFactory<?, ?> factory && factory.transactionCapable()) {
      prepare(factory);
    }
    return bean;
  }

  private static <K, V> void prepare(DefaultKafkaProducerFactory<K, V> factory) {
    Map<String, Object> settings = factory.getConfigurationProperties();
    factory.setKeySerializerSupplier(passing(factory.getKeySerializerSupplier(), settings, true));
    factory.setValueSerializerSupplier(
        passing(factory.getValueSerializerSupplier(), settings, false));
  }

  private static <T> Supplier<@Nullable Serializer<T>> passing(
      Supplier<@Nullable Serializer<T>> own, Map<String, Object> settings, boolean isKey) {
    return () -> {
      Serializer<T> serializer = own.get();
      return serializer instanceof RawBytesSerializer
          ? serializer
          : new RawBytesSerializer<>(serializer == null ? configured(settings, isKey) : serializer);
    };
  }

  /** The serializer that Kafka would create. */
  @SuppressWarnings("unchecked")
  private static <T> Serializer<T> configured(Map<String, Object> settings, boolean isKey) {
    String key =
        isKey
            ? ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG
            : ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;
    Serializer<T> serializer =
        (Serializer<T>)
            Utils.newInstance(
                (Class<?>)
                    ConfigDef.parseType(key, settings.getOrDefault(key, ""), ConfigDef.Type.CLASS));
    serializer.configure(settings, isKey);
    return serializer;
  }
}
