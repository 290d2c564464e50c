package io.waterclock.connect;

import io.waterclock.schemas.avro.OutcomeState;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.transforms.predicates.Predicate;

/**
 * True for the outcome of a fire that a worker did not run because a worker had run it before.
 * Kafka Connect's {@code Filter} with it keeps a delivery that comes again, and a backfill, from
 * replacing the result of the run in a table. For structs of {@link OutcomeConverter}. Thread-safe.
 */
public final class IsDuplicate<R extends ConnectRecord<R>> implements Predicate<R> {
  private static final String DUPLICATE = "DUPLICATE";

  @Override
  public boolean test(R record) {
    return record.value() instanceof Struct outcome
        && OutcomeConverter.SCHEMA.name().equals(outcome.schema().name())
        && outcome.getString("status").equals(OutcomeState.DROPPED.name())
        && DUPLICATE.equals(outcome.getString("reason"));
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public void configure(Map<String, ?> given) {}

  @Override
  public void close() {}
}
