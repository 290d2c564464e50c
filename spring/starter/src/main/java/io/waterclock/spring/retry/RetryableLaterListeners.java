package io.waterclock.spring.retry;

import io.waterclock.client.rules.RetryPlan;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gives the containers of listeners with {@link RetryableLater} the error handler that it asks for.
 * As a bean, which Spring asks for while it creates the listeners.
 */
public final class RetryableLaterListeners implements AnnotationEnhancer {
  private static final String POST_PROCESSOR = "containerPostProcessor";
  private static final String FILTER = "filter";
  private static final String TOPICS = "topics";
  private static final String NAME = "waterclockRetryableLater";
  private static final long BETWEEN_ATTEMPTS_MS = 200;

  private final ConfigurableListableBeanFactory beans;
  private final Supplier<KafkaOperations<Object, Object>> operations;
  private final Supplier<RetryLaterRecoverer> recoverer;
  private int listeners;

  /**
   * @param beans takes beans for each listener
   * @param operations writes in the transactions of containers that have some
   * @param recoverer with the dead letters of all listeners
   */
  public RetryableLaterListeners(
      ConfigurableListableBeanFactory beans,
      Supplier<KafkaOperations<Object, Object>> operations,
      Supplier<RetryLaterRecoverer> recoverer) {
    this.beans = beans;
    this.operations = operations;
    this.recoverer = recoverer;
  }

  /**
   * @throws IllegalStateException if the listener has a post-processor of its own, or a filter that
   *     is an expression
   * @throws IllegalArgumentException if the waits cannot be read
   */
  @Override
  public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
    RetryableLater wanted =
        AnnotatedElementUtils.findMergedAnnotation(element, RetryableLater.class);
    if (wanted == null) {
      return attributes;
    }
    if (!String.valueOf(attributes.get(POST_PROCESSOR)).isEmpty()) {
      throw new IllegalStateException(
          element + ": @RetryableLater does not go together with " + POST_PROCESSOR);
    }
    RetryPlan plan = RetryPlan.parse(resolved(wanted.after()));
    Optional<String> returnTo =
        Optional.of(resolved(wanted.returnTo())).filter(topic -> !topic.isEmpty());
    FixedBackOff backOff =
        new FixedBackOff(BETWEEN_ATTEMPTS_MS, Math.max(0, wanted.attempts() - 1));
    String name = NAME + listeners++;
    ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> set =
        container -> handle(container, plan, returnTo, backOff);
    beans.registerSingleton(name, set);
    attributes.put(POST_PROCESSOR, name);
    String own = resolved(String.valueOf(attributes.get(FILTER)));
    if (own.startsWith("#{")) {
      throw new IllegalStateException(
          element + ": with @RetryableLater, " + FILTER + " is the name of a bean");
    }
    register(name + FILTER, filter(own));
    attributes.put(FILTER, name + FILTER);
    if (attributes.get(TOPICS) instanceof String[] topics && topics.length > 0) {
      attributes.put(
          TOPICS,
          Stream.concat(Arrays.stream(topics), returnTo.stream())
              .distinct()
              .toArray(String[]::new));
    }
    return attributes;
  }

  /** Not for other listeners, whose factory takes the only bean of this type. */
  private void register(String name, RecordFilterStrategy<Object, Object> filter) {
    RootBeanDefinition definition =
        new RootBeanDefinition(RecordFilterStrategy.class, () -> filter);
    definition.setAutowireCandidate(false);
    ((BeanDefinitionRegistry) beans).registerBeanDefinition(name, definition);
  }

  /**
   * As the listener's own filter, which it would replace.
   *
   * @param own the name of its bean; if it is empty, the only bean of its type filters, if there is
   *     one, as with Spring Boot
   */
  @SuppressWarnings("unchecked")
  private RecordFilterStrategy<Object, Object> filter(String own) {
    SingletonSupplier<RecordFilterStrategy<Object, Object>> others =
        SingletonSupplier.of(
            () -> {
              List<String> names =
                  own.isEmpty()
                      ? Arrays.stream(beans.getBeanNamesForType(RecordFilterStrategy.class))
                          .filter(bean -> !bean.startsWith(NAME))
                          .toList()
                      : List.of(own);
              return names.size() == 1
                  ? beans.getBean(names.get(0), RecordFilterStrategy.class)
                  : record -> false;
            });
    return record -> RetryLaterFilter.isForOthers(record) || others.obtain().filter(record);
  }

  private void handle(
      AbstractMessageListenerContainer<Object, Object> container,
      RetryPlan plan,
      Optional<String> returnTo,
      FixedBackOff backOff) {
    RetryLaterRecoverer waiting = recoverer.get().after(plan);
    RetryLaterRecoverer own = returnTo.map(waiting::returnTo).orElse(waiting);
    if (container.getContainerProperties().getKafkaAwareTransactionManager() == null) {
      container.setCommonErrorHandler(new DefaultErrorHandler(own, backOff));
    } else {
      container.setAfterRollbackProcessor(
          new DefaultAfterRollbackProcessor<>(
              (record, failure) -> own.accept(record, failure), backOff, operations.get(), true));
      // without it, a batch that fails comes again for ever
      container.getContainerProperties().setBatchRecoverAfterRollback(true);
    }
  }

  private String resolved(String text) {
    return String.valueOf(beans.resolveEmbeddedValue(text));
  }
}
