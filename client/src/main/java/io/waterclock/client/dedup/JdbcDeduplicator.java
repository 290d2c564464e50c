package io.waterclock.client.dedup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * Applies each fire once in a database: the service claims the fire with a row that it inserts in
 * the transaction of the effect. Both commit or neither does, so a worker may die at any moment.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * if (claims.claim(connection, fireId)) {
 *   ... // the effect, with this connection
 * }
 * connection.commit();
 * }</pre>
 *
 * <p>{@link #schema} defines the table {@code waterclock_claims}. For PostgreSQL 9.5 or later and
 * H2 2. Thread-safe: it keeps only the consumer's name.
 */
public final class JdbcDeduplicator {
  private static final String POSTGRESQL = "PostgreSQL";
  private static final String H2 = "H2";
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SELECT =
      "select fire_id, claimed_at from waterclock_claims where consumer = ? and 1 = 0";

  /** The beginning of the SQL states of errors that a retry cannot fix: syntax, names, rights. */
  private static final String WRONG_OR_FORBIDDEN = "42";

  private static final String INSERT =
      "insert into waterclock_claims (consumer, fire_id) values (?, ?)";

  private final String consumer;

  /**
   * @param consumer the name of the service, for example its group id: several services may share a
   *     table. 1 to 255 characters
   */
  public JdbcDeduplicator(String consumer) {
    if (consumer.isEmpty() || consumer.length() > 255) {
      throw new IllegalArgumentException(
          "consumer must have 1 to 255 characters, for example \"reports\"");
    }
    this.consumer = consumer;
  }

  /**
   * Claims a fire within the caller's transaction. If another open transaction has claimed it,
   * PostgreSQL and H2 wait for its end, H2 at most for its lock timeout.
   *
   * @param connection a connection with auto-commit off
   * @param fireId the fire's id, a UUID as text
   * @return true if the caller is to apply the effect; false if it was applied before
   * @throws IllegalStateException if auto-commit is on, because the claim would then commit without
   *     the effect
   * @throws SQLException if the database fails; the caller must then roll the transaction back
   */
  public boolean claim(Connection connection, String fireId) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "a claim belongs to the transaction of its effect: call setAutoCommit(false) first");
    }
    UUID id = UUID.fromString(fireId);
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case POSTGRESQL -> insert(connection, INSERT + " on conflict do nothing", id);
      case H2 -> insertOrFail(connection, id);
      default ->
          throw new IllegalStateException(
              "fires cannot be claimed in " + product + "; PostgreSQL and H2 are supported");
    };
  }

  /**
   * Checks that the database can claim fires.
   *
   * @throws IllegalStateException if it cannot: the table is missing, has other columns, or the
   *     user may not read it
   * @throws SQLException if the database does not answer
   */
  public void check(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setString(1, consumer);
      select.executeQuery().close();
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith(WRONG_OR_FORBIDDEN)) {
        throw new IllegalStateException(
            ("fires cannot be claimed in the table waterclock_claims (%s): create it with"
                    + " JdbcDeduplicator.createTable(connection), or with the SQL of"
                    + " JdbcDeduplicator.schema(), and grant select and insert on it")
                .formatted(e.getMessage()),
            e);
      }
      throw e;
    }
  }

  private boolean insert(Connection connection, String sql, UUID id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, consumer);
      insert.setObject(2, id);
      return insert.executeUpdate() == 1;
    }
  }

  /** In H2 a failed statement leaves the transaction unchanged. */
  private boolean insertOrFail(Connection connection, UUID id) throws SQLException {
    try {
      return insert(connection, INSERT, id);
    } catch (SQLException e) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Deletes old claims of all consumers, for a job that runs from time to time. Keep claims for as
   * long as a service can read a fire again: the retention of the fires topic (7 days unless
   * changed), and the age of the oldest occurrence that a backfill may repeat.
   *
   * @param before the claims that it deletes are older than this
   * @return the number of deleted claims
   */
  public static int forget(Connection connection, Instant before) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("delete from waterclock_claims where claimed_at < ?")) {
      delete.setObject(1, before.atOffset(ZoneOffset.UTC));
      return delete.executeUpdate();
    }
  }

  /** Creates the table if it does not exist. */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(schema());
    }
  }

  /**
   * The table, as SQL for a migration tool; also the resource {@code claims.sql} beside this class.
   */
  public static String schema() {
    try (InputStream sql = JdbcDeduplicator.class.getResourceAsStream("claims.sql")) {
      if (sql == null) {
        throw new IllegalStateException("claims.sql is missing from the jar of the client");
      }
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
