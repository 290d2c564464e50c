package io.waterclock.client.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In H2; what PostgreSQL makes of it is seen where workers are killed. */
final class JdbcDeduplicatorTest {
  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private final String fire = UUID.randomUUID().toString();
  private final JdbcDeduplicator claims = new JdbcDeduplicator("reports");

  private Connection open() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    return connection;
  }

  @BeforeEach
  void createTable() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      JdbcDeduplicator.createTable(connection);
      JdbcDeduplicator.createTable(connection);
    }
  }

  @Test
  void a_fire_is_claimed_once_and_the_transaction_continues_after_a_failed_claim()
      throws Exception {
    try (Connection connection = open()) {
      assertThat(claims.claim(connection, fire)).isTrue();
      connection.commit();
      assertThat(claims.claim(connection, fire)).isFalse();
      assertThat(new JdbcDeduplicator("billing").claim(connection, fire))
          .as("each consumer does it once")
          .isTrue();
      connection.commit();
      try (Statement statement = connection.createStatement();
          ResultSet count = statement.executeQuery("select count(*) from waterclock_claims")) {
        count.next();
        assertThat(count.getInt(1)).isEqualTo(2);
      }
    }
  }

  @Test
  void a_claim_is_undone_with_its_effect() throws Exception {
    try (Connection connection = open()) {
      claims.claim(connection, fire);
      connection.rollback();
      assertThat(claims.claim(connection, fire)).isTrue();
    }
  }

  @Test
  void a_connection_that_commits_by_itself_is_refused() throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThatThrownBy(() -> claims.claim(connection, fire))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void claims_are_forgotten_by_their_age() throws Exception {
    try (Connection connection = open()) {
      claims.claim(connection, fire);
      assertThat(JdbcDeduplicator.forget(connection, Instant.now().minusSeconds(60))).isZero();
      assertThat(JdbcDeduplicator.forget(connection, Instant.now().plusSeconds(60))).isOne();
      assertThat(claims.claim(connection, fire)).isTrue();
    }
  }
}
