package io.waterclock.runtime.brokers;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.SupportedVersionRange;

/**
 * Refuses brokers of Apache Kafka that are too old.
 *
 * <p>Brokers show the levels of {@code metadata.version} that their software knows, whatever level
 * their cluster uses. The number of a release is not shown. A broker that shows no level, as those
 * of other vendors, counts as new enough; its topics are checked all the same.
 */
final class BrokerVersion {
  private static final String OLDEST = "3.7";

  /** The first level of Kafka 3.7. */
  private static final short LEAST_LEVEL = 15;

  private BrokerVersion() {}

  static Optional<StartFinding> tooOld(Admin admin, BrokerAnswers answers) {
    try {
      return Optional.ofNullable(
              answers
                  .getOrCause(admin.describeFeatures().featureMetadata(), "ask for the version")
                  .supportedFeatures()
                  .get("metadata.version"))
          .map(SupportedVersionRange::maxVersion)
          .filter(level -> level < LEAST_LEVEL)
          .map(
              level ->
                  new StartFinding(
                      StartFinding.Kind.BROKERS,
                      ("the brokers at %s are older than Kafka %s (they know metadata.version up to"
                              + " level %s), and Waterclock needs %s or later")
                          .formatted(answers.servers(), OLDEST, level, OLDEST)));
    } catch (ExecutionException e) { // a broker of another kind
      return Optional.empty();
    }
  }
}
