package io.waterclock.client.worker;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.schemas.SafeLogger;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;

/**
 * Does each fire once in a database: claims it, has it done and commits, all in one transaction. A
 * fire that was done before is dropped, with the reason {@code DUPLICATE}.
 *
 * <pre>{@code
 * worker.onType("report", JdbcFireHandler.of(dataSource::getConnection, claims, (connection, run) -> ...));
 * }</pre>
 *
 * <p>What fails is rolled back and tried again as any attempt. A handler that was abandoned holds
 * its transaction; the next attempt waits for it at the claim.
 */
public final class JdbcFireHandler implements FireHandler {
  private static final Logger LOG = SafeLogger.of(JdbcFireHandler.class);

  /** What is done in the transaction. */
  @FunctionalInterface
  public interface Effect {
    /** Does it, with this connection and without committing. An exception rolls everything back. */
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
   * @param connections closed after each run: let them come from a pool
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

  /** A database that is away may come back; that the table is missing is told. */
  @Override
  public void check() {
    try (Connection connection = connections.getConnection()) {
      claims.check(connection);
    } catch (SQLException e) {
      LOG.warn("Whether fires can be claimed in the database is not known yet", e);
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
