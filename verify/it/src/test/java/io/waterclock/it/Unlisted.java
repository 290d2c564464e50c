package io.waterclock.it;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeFeaturesResult;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** An admin client whose broker shows less than Kafka's, as a managed or an older one does. */
final class Unlisted {
  private Unlisted() {}

  /** It lists no topic's setting with one of these keys. */
  static Admin settings(Admin admin, String... keys) {
    Set<String> hidden = Set.of(keys);
    return answering(
        admin,
        answer -> answer instanceof DescribeConfigsResult configs ? less(configs, hidden) : answer);
  }

  /** Its software knows levels of {@code metadata.version} up to this one. */
  static Admin level(Admin admin, short level) {
    return answering(
        admin, answer -> answer instanceof DescribeFeaturesResult ? features(level) : answer);
  }

  private static Admin answering(Admin admin, UnaryOperator<Object> change) {
    return (Admin)
        Proxy.newProxyInstance(
            Unlisted.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              try {
                return change.apply(method.invoke(admin, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static DescribeFeaturesResult features(short level) {
    SupportedVersionRange range =
        make(
            SupportedVersionRange.class,
            List.of(short.class, short.class),
            List.of((short) 1, level));
    FeatureMetadata metadata =
        make(
            FeatureMetadata.class,
            List.of(Map.class, Optional.class, Map.class),
            List.of(Map.of(), Optional.empty(), Map.of("metadata.version", range)));
    return make(
        DescribeFeaturesResult.class,
        List.of(KafkaFuture.class),
        List.of(KafkaFuture.completedFuture(metadata)));
  }

  /** Kafka keeps these constructors to itself. */
  private static <T> T make(Class<T> type, List<Class<?>> types, List<?> arguments) {
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types.toArray(new Class<?>[0]));
      constructor.setAccessible(true);
      return constructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DescribeConfigsResult less(DescribeConfigsResult configs, Set<String> hidden) {
    Map<ConfigResource, KafkaFuture<Config>> less = new HashMap<>();
    configs
        .values()
        .forEach((topic, listed) -> less.put(topic, listed.thenApply(all -> without(all, hidden))));
    return new Less(less);
  }

  private static Config without(Config all, Collection<String> hidden) {
    return new Config(
        List.copyOf(all.entries()).stream()
            .filter(entry -> !hidden.contains(entry.name()))
            .toList());
  }

  private static final class Less extends DescribeConfigsResult {
    Less(Map<ConfigResource, KafkaFuture<Config>> configs) {
      super(configs);
    }
  }
}
