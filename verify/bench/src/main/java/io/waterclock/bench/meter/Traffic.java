package io.waterclock.bench.meter;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What a writer has sent so far.
 *
 * @param fires to the topic of fires
 * @param all to all topics but those of Kafka itself
 * @param requests of its producers
 */
public record Traffic(Sent fires, Sent all, long requests) {

  /**
   * What a broker has got.
   *
   * @param logs its directory
   * @param fires the topic
   * @param requests of the writer
   */
  public static Traffic of(Path logs, String fires, long requests) {
    Map<String, Sent> topics = Sent.of(logs);
    Sent all =
        topics.entrySet().stream()
            .filter(topic -> !topic.getKey().startsWith("__"))
            .map(Map.Entry::getValue)
            .reduce(Sent.NOTHING, Sent::and);
    return new Traffic(topics.getOrDefault(fires, Sent.NOTHING), all, requests);
  }

  /** The requests of all producers of this JVM so far. */
  public static long requestsOfThisJvm() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long requests = 0;
    try {
      ObjectName all = new ObjectName("kafka.producer:type=producer-metrics,client-id=*");
      for (ObjectName producer : server.queryNames(all, null)) {
        requests += ((Number) server.getAttribute(producer, "request-total")).longValue();
      }
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    return requests;
  }

  public Traffic since(Traffic before) {
    return new Traffic(
        fires.since(before.fires), all.since(before.all), requests - before.requests);
  }
}
