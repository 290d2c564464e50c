package io.waterclock.client.worker;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The source of a {@link JdbcFireHandler}'s connections; {@link DataSource} has the same method.
 */
@FunctionalInterface
public interface Connections {
  /** Returns a connection for one run; the handler closes it. */
  Connection getConnection() throws SQLException;
}
