package io.waterclock.client.worker;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where a {@link JdbcFireHandler} gets its connections; the method of a {@link DataSource}. */
@FunctionalInterface
public interface Connections {
  /** A connection for one run, which closes it. */
  Connection getConnection() throws SQLException;
}
