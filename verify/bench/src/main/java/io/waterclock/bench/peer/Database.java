package io.waterclock.bench.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The peers' access to their database. */
final class Database {
  private Database() {}

  /** Connections that are kept open, as every peer advises. */
  static HikariDataSource pool(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    return new HikariDataSource(config);
  }

  static void execute(HikariDataSource pool, String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The text of a resource of the class path. */
  static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(Database.class.getResourceAsStream(name), "no resource " + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
