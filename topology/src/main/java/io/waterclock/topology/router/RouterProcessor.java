package io.waterclock.topology.router;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import io.waterclock.topology.scheduler.input.Inbound;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Sends each fire that names a target to that target, or to the dead-letter topic with the reason.
 * Other fires cost one look at their headers. Keeps no state, so after an aborted transaction the
 * router only reads the fires again.
 */
final class RouterProcessor implements Processor<byte[], byte[], byte[], Object> {
  static final String TO_TARGETS = "to-targets";
  static final String TO_PARTITIONS = "to-partitions";
  static final String TO_DLQ = "to-dlq";

  private final Routing routing;
  private final TargetLog log;
  private final CountReports<RouteCounts> reports;
  private final int maxDeadLetterBytes;
  private @Nullable ProcessorContext<byte[], Object> context;
  private RouteCounts counts = new RouteCounts();

  RouterProcessor(
      Routing routing, TargetLog log, CountReports<RouteCounts> reports, int maxDeadLetterBytes) {
    this.routing = routing;
    this.log = log;
    this.reports = reports;
    this.maxDeadLetterBytes = maxDeadLetterBytes;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    this.context = context;
    this.counts = new RouteCounts();
    reports.assigned(context.taskId(), counts);
  }

  @Override
  public void process(Record<byte[], byte[]> fire) {
    Header target = fire.headers().lastHeader(HeaderNames.TARGET);
    if (target == null || target.value() == null || fire.value() == null) {
      return;
    }
    Route route = routing.of(fire, Utils.utf8(target.value()));
    if (route instanceof Route.Delivery delivery) {
      deliver(delivery, fire);
    } else if (route instanceof Route.Dead dead) {
      deadLetter(dead, fire);
    }
  }

  private void deliver(Route.Delivery delivery, Record<byte[], byte[]> fire) {
    Record<byte[], byte[]> record = delivery.record();
    Routed routed = new Routed(record.value(), delivery.topic(), delivery.partition());
    running()
        .forward(
            record.withValue(routed),
            delivery.partition().isPresent() ? TO_PARTITIONS : TO_TARGETS);
    counts.routed();
    log.delivered(delivery.topic(), Utils.utf8(fire.key()));
  }

  private void deadLetter(Route.Dead dead, Record<byte[], byte[]> fire) {
    Inbound inbound = Inbound.of(fire, running().recordMetadata().orElseThrow());
    String why = "target \"" + dead.topic() + "\": " + dead.why();
    DeadLetter letter = DeadLetter.of(inbound, why, maxDeadLetterBytes);
    running()
        .forward(
            new Record<>(
                letter.key().orElse(null),
                letter.value().orElse(null),
                running().currentSystemTimeMs(),
                letter.headers()),
            TO_DLQ);
    counts.undelivered(dead.reason());
    log.dead(dead, Routing.key(fire));
  }

  @Override
  public void close() {
    if (context != null) {
      reports.revoked(context.taskId());
      context = null;
    }
  }

  private ProcessorContext<byte[], Object> running() {
    if (context == null) {
      throw new IllegalStateException("the processor is closed");
    }
    return context;
  }
}
