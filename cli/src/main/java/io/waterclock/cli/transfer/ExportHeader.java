package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.occurrences.Tzdb;
import java.time.Instant;

/**
 * The first line of an export.
 *
 * @param running whether the scheduler ran during the export
 * @param tzdb the version of the time-zone data of the exporting machine
 */
record ExportHeader(
    String prefix, String clusterId, Instant exportedAt, boolean running, String tzdb) {

  static ExportHeader of(Cluster cluster, SchedulerGroup group, Instant now, boolean running) {
    return new ExportHeader(
        cluster.topics().prefix(), group.clusterId(), now, running, Tzdb.version());
  }

  /** Whether the export is one of these topics. */
  boolean isOf(String otherPrefix, String otherClusterId) {
    return prefix.equals(otherPrefix) && clusterId.equals(otherClusterId);
  }
}
