package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.testing.TestRun;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Claims in the transactions of Spring, on H2. */
final class ClaimsTest {
  @OncePerFire
  static class Effects {
    private final JdbcTemplate jdbc;

    Effects(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @FireHandler(id = "works")
    @Transactional
    public void works() {
      jdbc.update("insert into effects values (1)");
    }

    @FireHandler(id = "fails")
    public void fails() {
      jdbc.update("insert into effects values (1)");
      throw new IllegalStateException("after the effect");
    }
  }

  static class WithoutClaims {
    @FireHandler(id = "without")
    void handle() {}
  }

  private static ApplicationContextRunner application() {
    return Boot.withDatabase(Boot.offline())
        .withBean(Effects.class)
        .withPropertyValues("waterclock.claims.create-table=true");
  }

  private static void tables(JdbcTemplate jdbc) {
    jdbc.execute("create table effects (n int)");
  }

  private static int count(JdbcTemplate jdbc, String table) {
    Integer count = jdbc.queryForObject("select count(*) from " + table, Integer.class);
    return count == null ? -1 : count;
  }

  @Test
  void a_fire_that_comes_twice_has_its_effect_once() {
    application()
        .run(
            context -> {
              JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
              tables(jdbc);
              var handler = HandlersTest.handler(context, "id works");
              handler.check();
              TestRun run = Runs.of(null);
              handler.handle(run);
              assertThat(run.dropReason()).isEmpty();
              handler.handle(run);
              assertThat(run.dropReason()).contains("DUPLICATE");
              assertThat(count(jdbc, "effects")).isEqualTo(1);
              assertThat(count(jdbc, "waterclock_claims")).isEqualTo(1);
            });
  }

  @Test
  void a_failure_rolls_back_the_effect_and_the_claim() {
    application()
        .run(
            context -> {
              JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
              tables(jdbc);
              var handler = HandlersTest.handler(context, "id fails");
              handler.check();
              assertThatThrownBy(() -> handler.handle(Runs.of(null)))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage("after the effect");
              assertThat(count(jdbc, "effects")).isZero();
              assertThat(count(jdbc, "waterclock_claims")).isZero();
            });
  }

  @Test
  void a_missing_table_fails_the_check_of_the_handler() {
    application()
        .withPropertyValues("waterclock.claims.create-table=false")
        .run(
            context ->
                assertThatThrownBy(() -> HandlersTest.handler(context, "id works").check())
                    .hasMessageContaining("waterclock_claims")
                    .hasMessageContaining("create it"));
  }

  @Test
  void claims_have_the_name_of_the_group_unless_set() {
    application()
        .withPropertyValues("waterclock.worker.group-id=billing")
        .run(
            context -> {
              JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
              tables(jdbc);
              var handler = HandlersTest.handler(context, "id works");
              handler.check();
              handler.handle(Runs.of(null));
              assertThat(
                      jdbc.queryForObject("select consumer from waterclock_claims", String.class))
                  .isEqualTo("billing");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondManager {
    @org.springframework.context.annotation.Bean
    JdbcTransactionManager first(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @org.springframework.context.annotation.Bean
    JdbcTransactionManager second(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @Test
  void of_several_transaction_managers_a_property_names_one() {
    ApplicationContextRunner two = application().withUserConfiguration(SecondManager.class);
    two.run(
        context ->
            assertThat(context)
                .hasFailed()
                .getFailure()
                .hasMessageContaining("waterclock.claims.transaction-manager"));
    two.withPropertyValues("waterclock.claims.transaction-manager=second")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void a_database_without_such_handlers_needs_no_name() {
    Boot.withDatabase(Boot.offline())
        .withPropertyValues("spring.application.name=")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void a_handler_without_the_annotation_needs_no_database() {
    Boot.offline()
        .withBean(WithoutClaims.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed().doesNotHaveBean(JdbcDeduplicator.class);
              HandlersTest.handler(context, "id without").handle(Runs.of(null));
            });
  }
}
