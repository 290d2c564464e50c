package io.waterclock.client.topics;

/** Receives the progress of a long read. */
@FunctionalInterface
public interface ReadProgress {
  /** Ignores the progress. */
  ReadProgress UNSEEN = (read, all) -> {};

  /**
   * @param read the number of offsets read so far
   * @param all the number of offsets in total
   */
  void read(long read, long all);
}
