package io.waterclock.schemas.registry;

import io.waterclock.schemas.SchemaSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Caches the answers of a source while a command runs. Waits as long as the source. For one thread.
 */
public final class CachedSchemas implements SchemaSource {
  private final SchemaSource source;
  private final Map<Integer, Lookup> said = new HashMap<>();

  public CachedSchemas(SchemaSource source) {
    this.source = source;
  }

  /**
   * Also caches that the source is unavailable, so that a command does not wait for it at each
   * record.
   */
  @Override
  public Lookup lookup(int id) {
    return said.computeIfAbsent(id, source::lookup);
  }
}
