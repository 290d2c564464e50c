package io.waterclock.examples;

import io.waterclock.client.dedup.StreamsDeduplicator;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.GlobalKTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/**
 * A Kafka Streams service that joins fires with its own data: when a customer's schedule fires, the
 * service makes an invoice from the customer's current record in the customers topic. If a backfill
 * emits a fire again, the service makes no second invoice.
 */
public final class Invoices {
  static final String CUSTOMERS = "examples.customers";
  static final String INVOICES = "examples.invoices";
  private static final String CUSTOMER = "customer";

  private Invoices() {}

  /**
   * Runs the service until it is interrupted, with one customer who gets an invoice every five
   * seconds.
   */
  public static void main(String[] args) throws Exception {
    String servers = Setup.bootstrapServers(args);
    Setup.createTopic(servers, CUSTOMERS);
    Setup.createTopic(servers, INVOICES);
    addCustomer(servers, "42", "Ada Lovelace");
    try (Schedules schedules = Schedules.connect(servers);
        KafkaStreams streams = start(servers, Files.createTempDirectory("examples-invoices"))) {
      invoice(schedules, "42", Duration.ofSeconds(5));
      Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
      Thread.currentThread().join();
    }
  }

  /** Defines a schedule that makes an invoice for a customer at this interval. */
  static Answer.Accepted invoice(Schedules schedules, String customer, Duration interval) {
    return schedules
        .put(
            "examples/invoices/" + customer,
            ScheduleBuilder.every(interval).label(CUSTOMER, customer))
        .join()
        .orThrow();
  }

  static void addCustomer(String servers, String customer, String name) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(CUSTOMERS, customer, name)).get();
    }
  }

  static KafkaStreams start(String servers, Path state) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "examples-invoices");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    KafkaStreams streams = new KafkaStreams(topology(), settings);
    streams.start();
    return streams;
  }

  private static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    GlobalKTable<String, String> customers =
        builder.globalTable(
            CUSTOMERS,
            Consumed.with(Serdes.String(), Serdes.String()),
            Materialized.as("customers"));
    builder.stream(
            "waterclock.fires",
            Consumed.with(Serdes.String(), RecordCodecs.fire().serde(WireFormat.AVRO)))
        .filter((key, fire) -> fire.getSchedule().getLabels().containsKey(CUSTOMER))
        .processValues(StreamsDeduplicator.of("invoiced", Duration.ofDays(8)))
        .join(customers, (key, fire) -> customer(fire), Invoices::text)
        .peek((key, invoice) -> System.out.println(invoice))
        .to(INVOICES, Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  private static String customer(Fire fire) {
    return fire.getSchedule().getLabels().getOrDefault(CUSTOMER, "");
  }

  private static String text(Fire fire, String name) {
    return "invoice for " + name + ", " + fire.getOccurrence();
  }
}
