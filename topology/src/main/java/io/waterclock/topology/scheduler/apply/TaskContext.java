package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decider;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.OwnerLimits.Owner;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import io.waterclock.topology.scheduler.store.Stores;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/** What the classes of a task share. Made anew at each assignment, for the task's stream thread. */
public record TaskContext(
    Settings settings,
    ApplicationContext application,
    PartitionState partition,
    DecisionEncoder encoder,
    Applier applier) {

  public static TaskContext of(
      ProcessorContext<byte[], Object> context, Settings settings, ApplicationContext application) {
    Stores stores =
        Stores.of(
            name -> {
              KeyValueStore<Bytes, byte[]> store = context.getStateStore(name);
              return store;
            });
    Timetables tables = new Timetables();
    States states = new States(stores.schedules(), stores.progress(), tables);
    TaskQueues queues = TaskQueues.of(index(context.getStateStore(ScheduleStore.NAME)));
    Decider decider =
        new Decider(tables, settings.retention().completed(), settings.alerting().failingAfter());
    OutgoingRecords records =
        new OutgoingRecords(
            settings.channels(), settings.limits(), stores.progress().withdrawnAt());
    Counts counts =
        new Counts(settings.limits().owners().owners().stream().map(Owner::name).toList());
    Optional<StoredPosition> stored = stores.progress().position();
    Placement placement =
        new Placement(
            stores.progress(),
            states,
            queues,
            tables,
            stored.map(StoredPosition::position).orElse(Position.throughAllAt(0)),
            stored.map(StoredPosition::clockMs).orElse(0L));
    return new TaskContext(
        settings,
        application,
        new PartitionState(context.taskId().partition(), stores, states, placement, counts),
        new DecisionEncoder(decider, records),
        new Applier(context, stores, states, placement, counts));
  }

  /**
   * The index of a store, which Kafka Streams wraps; of a store without one, an index in memory.
   */
  private static DueIndex index(StateStore store) {
    StateStore innermost = store;
    while (innermost instanceof WrappedStateStore<?, ?, ?> wrapper) {
      innermost = wrapper.wrapped();
    }
    return innermost instanceof DueIndex.Indexed indexed
        ? indexed.dueIndex()
        : new MemoryDueIndex();
  }
}
