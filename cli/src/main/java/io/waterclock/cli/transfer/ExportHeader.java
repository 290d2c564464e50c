package io.waterclock.cli.transfer;

import java.time.Instant;

/**
 * What the first line of an export says.
 *
 * @param prefix of the topics it was taken from
 * @param clusterId of their cluster
 * @param running true when the scheduler went on deciding while it was taken
 * @param tzdb the version of the time-zone data where it was taken
 */
record ExportHeader(
    String prefix, String clusterId, Instant exportedAt, boolean running, String tzdb) {

  /** True for the topics that it was taken from. */
  boolean isOf(String otherPrefix, String otherClusterId) {
    return prefix.equals(otherPrefix) && clusterId.equals(otherClusterId);
  }
}
