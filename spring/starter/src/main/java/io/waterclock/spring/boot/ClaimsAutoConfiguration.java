package io.waterclock.spring.boot;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.spring.OncePerFire;
import io.waterclock.spring.handler.Around;
import io.waterclock.spring.handler.HandlerMethod;
import io.waterclock.spring.jdbc.ClaimingHandler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** Claims of fires for handlers with {@link OncePerFire}. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    })
@ConditionalOnProperty(name = "waterclock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaterclockProperties.class)
public class ClaimsAutoConfiguration {
  /** Refuses handlers that want claims where nothing can claim. */
  @Bean
  @Order(0)
  Around waterclockClaimsNeeded(ObjectProvider<JdbcDeduplicator> claims) {
    return (handler, method) -> {
      if (wantsClaims(method) && claims.getIfAvailable() == null) {
        throw new IllegalArgumentException(
            "@OncePerFire needs a database: one DataSource with its transaction manager, for example"
                + " from spring-boot-starter-jdbc and spring.datasource.url");
      }
      return handler;
    };
  }

  /** Whether the method, or its class, asks for claims. */
  private static boolean wantsClaims(HandlerMethod method) {
    return AnnotatedElementUtils.hasAnnotation(method.method(), OncePerFire.class)
        || AnnotatedElementUtils.hasAnnotation(method.type(), OncePerFire.class);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSourceUtils.class)
  @ConditionalOnSingleCandidate(DataSource.class)
  static class Jdbc {
    /** Lazy: an application without such handlers needs no name for them. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JdbcDeduplicator waterclockDeduplicator(
        WaterclockProperties properties, Environment environment) {
      return new JdbcDeduplicator(ServiceNames.of(environment, properties).claimant());
    }

    @Bean
    @Order(1)
    Around waterclockClaims(
        WaterclockProperties properties,
        DataSource dataSource,
        ListableBeanFactory beans,
        ObjectProvider<JdbcDeduplicator> claims) {
      return (handler, method) ->
          wantsClaims(method)
              ? new ClaimingHandler(
                  handler,
                  dataSource,
                  transactions(beans, properties.claims()),
                  claims.getObject(),
                  properties.claims().createTable())
              : handler;
    }

    /** Beside the named one, those of Kafka are none of a database. */
    private static PlatformTransactionManager transactions(
        ListableBeanFactory beans, WaterclockProperties.Claims settings) {
      String named = settings.transactionManager();
      if (named != null) {
        return beans.getBean(named, PlatformTransactionManager.class);
      }
      Map<String, PlatformTransactionManager> all =
          beans.getBeansOfType(PlatformTransactionManager.class);
      List<String> ofDatabases =
          all.entrySet().stream()
              .filter(
                  entry ->
                      !(entry.getValue()
                          instanceof org.springframework.kafka.transaction.KafkaTransactionManager))
              .map(Map.Entry::getKey)
              .toList();
      return Optional.of(ofDatabases)
          .filter(names -> names.size() == 1)
          .map(names -> all.get(names.get(0)))
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "@OncePerFire needs one transaction manager of the database, and there are "
                          + ofDatabases
                          + "; set waterclock.claims.transaction-manager to the name of one"));
    }
  }
}
