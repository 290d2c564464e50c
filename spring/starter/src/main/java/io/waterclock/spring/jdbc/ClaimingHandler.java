package io.waterclock.spring.jdbc;

import io.waterclock.client.dedup.JdbcDeduplicator;
import io.waterclock.client.worker.FireHandler;
import io.waterclock.client.worker.Run;
import io.waterclock.schemas.log.SafeLogger;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/**
 * Runs a handler in a transaction that begins with the claim of the fire.
 *
 * @param transactions of this data source
 * @param createsTable whether it creates the table of claims if that is missing
 */
public record ClaimingHandler(
    FireHandler handler,
    DataSource dataSource,
    PlatformTransactionManager transactions,
    JdbcDeduplicator claims,
    boolean createsTable)
    implements FireHandler {
  private static final Logger LOG = SafeLogger.of(ClaimingHandler.class);

  @Override
  public void handle(Run run) throws Exception {
    TransactionStatus transaction =
        transactions.getTransaction(TransactionDefinition.withDefaults());
    try {
      if (claim(run)) {
        handler.handle(run);
      } else {
        run.drop("DUPLICATE");
      }
    } catch (Throwable e) {
      rollback(transaction, e);
      throw e;
    }
    transactions.commit(transaction);
  }

  private boolean claim(Run run) throws SQLException {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return claims.claim(connection, run.fire().getFireId());
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private void rollback(TransactionStatus transaction, Throwable cause) {
    try {
      transactions.rollback(transaction);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Fails if the table is missing; a database that does not answer may come back. */
  @Override
  public void check() throws Exception {
    handler.check();
    try (Connection connection = dataSource.getConnection()) {
      if (createsTable) {
        JdbcDeduplicator.createTable(connection);
      }
      claims.check(connection);
    } catch (SQLException e) {
      LOG.warn("The database does not say yet whether fires can be claimed in it", e);
    }
  }
}
