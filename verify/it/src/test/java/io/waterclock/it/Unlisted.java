package io.waterclock.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** An admin client whose broker lists some settings less, as a managed or an older one does. */
final class Unlisted {
  private Unlisted() {}

  static Admin of(Admin admin, String... keys) {
    Set<String> hidden = Set.of(keys);
    return (Admin)
        Proxy.newProxyInstance(
            Unlisted.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(admin, arguments);
                return answer instanceof DescribeConfigsResult configs
                    ? less(configs, hidden)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
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
