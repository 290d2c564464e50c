package io.waterclock.client.topics;

/** Is told how far a long reading is. */
@FunctionalInterface
public interface ReadProgress {
  /** Tells nobody. */
  ReadProgress UNSEEN = (read, all) -> {};

  /**
   * @param read offsets so far
   * @param all offsets in total
   */
  void read(long read, long all);
}
