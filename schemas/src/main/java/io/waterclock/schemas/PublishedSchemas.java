package io.waterclock.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The schemas that were ever published, as resources {@code published/v<n>/<record>.avsc}: records
 * on a topic may have any of them. A release that changes a schema adds a folder with the changed
 * records and raises {@link #VERSIONS}; folders never change once released.
 */
final class PublishedSchemas {
  static final int VERSIONS = 1;

  private PublishedSchemas() {}

  /** All published versions of a record, oldest first. */
  static List<Schema> of(String record) {
    List<Schema> schemas = new ArrayList<>();
    for (int version = 1; version <= VERSIONS; version++) {
      try (InputStream in = PublishedSchemas.class.getResourceAsStream(path(version, record))) {
        if (in != null) {
          schemas.add(new Schema.Parser().parse(in));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("published schema of " + record, e);
      }
    }
    return schemas;
  }

  static String path(int version, String record) {
    return "published/v" + version + "/" + record + ".avsc";
  }
}
