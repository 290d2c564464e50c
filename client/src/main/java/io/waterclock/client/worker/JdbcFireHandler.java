package io.waterclock.client.worker;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.schemas.log.SafeLogger;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;

/**
 * Applies the effect of each fire once in a database: it claims the fire, calls the effect and
 * commits, all in one transaction. It drops a fire that was claimed before, with the reason {@code
 * DUPLICATE}.
 *
 * <pre>{@code
 * worker.onType("report", JdbcFireHandler.of(dataSource::getConnection, claims, (connection, run) -> ...));
 * }</pre>
 *
 * <p>A failure rolls the transaction back, and the worker retries it as any attempt. A handler that
 * the worker has abandoned keeps its transaction open; the next attempt waits for it at the claim.
 */
public final class JdbcFireHandler implements FireHandler {
  private static final Logger LOG = SafeLogger.of(JdbcFireHandler.class);

  /** The source of connections; {@link DataSource} has the same method. */
  @FunctionalInterface
  public interface Connections {
    /** Returns a connection for one run; the handler closes it. */
    Connection getConnection() throws SQLException;
  }

  /** The effect of a fire, inside the transaction. */
  @FunctionalInterface
  public interface Effect {
    /**
     * Applies the effect with this connection, without a commit. An exception rolls everything
     * back.
     */
    void apply(Connection connection, Run run) throws Exception;
  }

  private final Connections connections;
  private final JdbcDeduplicator claims;
  private final Effect effect;

  private JdbcFireHandler(Connections connections, JdbcDeduplicator claims, Effect effect) {
    this.connections = connections;
    this.claims = claims;
    this.effect = effect;
  }

  /**
   * @param connections a connection pool; the handler closes each connection after its run
   */
  public static FireHandler of(Connections connections, JdbcDeduplicator claims, Effect effect) {
    return new JdbcFireHandler(connections, claims, effect);
  }

  @Override
  public void handle(Run run) throws Exception {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      try {
        if (claims.claim(connection, run.fire().getFireId())) {
          effect.apply(connection, run);
        } else {
          run.drop("DUPLICATE");
        }
        connection.commit();
      } catch (Throwable e) {
        rollback(connection, e);
        throw e;
      }
    }
  }

  /** Fails if the table is missing; a database that does not answer may come back. */
  @Override
  public void check() {
    try (Connection connection = connections.getConnection()) {
      claims.check(connection);
    } catch (SQLException e) {
      LOG.warn("The database does not say yet whether fires can be claimed in it", e);
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
