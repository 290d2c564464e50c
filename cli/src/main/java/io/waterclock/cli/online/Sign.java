package io.waterclock.cli.online;

/**
 * Something that a look at the topics shows.
 *
 * @param wrong whether it keeps something from firing, or will
 * @param about a topic, a partition, a schedule, an instance
 * @param text a sentence
 */
record Sign(boolean wrong, String about, String text) {
  static Sign good(String about, String text) {
    return new Sign(false, about, text);
  }

  static Sign bad(String about, String text) {
    return new Sign(true, about, text);
  }
}
