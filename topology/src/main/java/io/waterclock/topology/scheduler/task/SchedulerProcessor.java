package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Settings;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The processor of the topology: a {@link TaskLoop} between each {@code init}, which may come more
 * than once, and the next {@code close}.
 */
final class SchedulerProcessor implements Processor<byte[], byte[], byte[], Object> {
  private final Settings settings;
  private final ApplicationContext application;
  private final ThreadLocal<SharedByThread> shared;
  private final CalendarFeed calendarFeed;
  private @Nullable TaskLoop loop;

  /**
   * @param shared one for all processors of an application
   * @param calendarFeed one for all processors of an application
   */
  SchedulerProcessor(
      Settings settings,
      ApplicationContext application,
      ThreadLocal<SharedByThread> shared,
      CalendarFeed calendarFeed) {
    this.settings = settings;
    this.application = application;
    this.shared = shared;
    this.calendarFeed = calendarFeed;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    close();
    loop =
        new TaskLoop(
            context, TaskContext.of(context, settings, application), shared.get(), calendarFeed);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (loop == null) {
      throw new IllegalStateException("the processor is closed");
    }
    loop.process(record);
  }

  @Override
  public void close() {
    if (loop != null) {
      loop.stop();
      loop = null;
    }
  }
}
