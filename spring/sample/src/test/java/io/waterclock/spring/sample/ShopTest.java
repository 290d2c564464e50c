package io.waterclock.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shop in processes of their own, which are killed with {@code kill -9}, and the snippets of
 * the guide. How often the shop is killed is for {@code waterclock.kills}.
 */
@Timeout(3_600)
final class ShopTest {
  private static final int KILLS = Integer.getInteger("waterclock.kills", 1);
  private static final long SEED = Long.getLong("waterclock.seed", 1);
  private static final int ORDERS_PER_KILL = 40;
  private static final Duration BOUND = Duration.ofMinutes(3);

  @TempDir static Path dir;

  private static EmbeddedKafka kafka;

  private static void createTopics() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("orders.placed", 1, (short) 1),
                  new NewTopic("orders.confirmed", 1, (short) 1)))
          .all()
          .get();
    }
  }

  @Test
  @Tag("all")
  void each_order_has_one_confirmation_and_one_payment_however_often_the_shop_is_killed()
      throws Exception {
    try (EmbeddedKafka broker = EmbeddedKafka.start(dir.resolve("kafka"), 0)) {
      kafka = broker;
      createTopics();
      placeOrdersAndKill();
    }
  }

  private static void placeOrdersAndKill() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    String url =
        "jdbc:h2:tcp://127.0.0.1:"
            + database.getPort()
            + "/"
            + dir.resolve("shop").toAbsolutePath();
    Set<String> orders = new HashSet<>();
    Optional<Process> started = Optional.empty();
    try (Waterclock scheduler = scheduler();
        KafkaProducer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
      await().atMost(BOUND).until(scheduler::isReady);
      for (int kill = 0; kill < KILLS; kill++) {
        Process shop = shop(url);
        started = Optional.of(shop);
        place(producer, orders, "order-" + kill + "-", ORDERS_PER_KILL);
        int before = orders.size() - ORDERS_PER_KILL;
        // somewhere between the first new order and the last payment
        int some = before + random.nextInt(1, ORDERS_PER_KILL);
        boolean isAtPayments = random.nextBoolean();
        await()
            .atMost(BOUND)
            .pollInterval(Duration.ofMillis(20))
            .until(
                () ->
                    requireAlive(shop)
                        && (isAtPayments ? payments(url).size() : confirmed().size()) >= some);
        assertThat(shop.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
        System.out.println("kill " + (kill + 1) + " of " + KILLS + ", seed " + SEED);
      }
      Process last = shop(url);
      started = Optional.of(last);
      await().atMost(BOUND).until(() -> new HashSet<>(payments(url)).equals(orders));
      await().atMost(BOUND).until(() -> new HashSet<>(confirmed()).equals(orders));
      last.destroy();
      assertThat(last.waitFor(40, TimeUnit.SECONDS)).isTrue();
      assertThat(payments(url)).as("payments, seed %s", SEED).hasSameSizeAs(orders);
      assertThat(confirmed()).as("confirmations, seed %s", SEED).hasSameSizeAs(orders);
    } finally {
      started.ifPresent(Process::destroyForcibly);
      database.stop();
    }
  }

  private static Waterclock scheduler() {
    return Waterclock.start(
        WaterclockConfig.parse(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "prefix", "shop",
                "partitions", "1",
                "state.dir", dir.resolve("state").toString(),
                "health.port", "off")));
  }

  private static void place(
      KafkaProducer<String, String> producer, Set<String> orders, String prefix, int count) {
    for (int i = 0; i < count; i++) {
      orders.add(prefix + i);
      var unused = producer.send(new ProducerRecord<>("orders.placed", prefix + i, prefix + i));
    }
    producer.flush();
  }

  /** A static member of its groups takes the place of the killed one at once. */
  private static Process shop(String url) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-Dspring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
            "-Dspring.kafka.consumer.properties.group.instance.id=shop-1",
            "-Dspring.datasource.url=" + url,
            "-Dshop.terms=50ms",
            "-Dwaterclock.prefix=shop",
            "-Dwaterclock.worker.consumer.group.instance.id=shop-1",
            "-cp",
            System.getProperty("java.class.path"),
            "io.waterclock.spring.sample.Shop")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("shop.log").toFile()))
        .start();
  }

  private static boolean requireAlive(Process process) {
    assertThat(process.isAlive()).as("the shop runs").isTrue();
    return true;
  }

  private static List<String> payments(String url) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select order_id from payments")) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    } catch (SQLException e) {
      return List.of(); // the shop has not created the table yet
    }
  }

  private static List<String> confirmed() {
    List<String> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition("orders.confirmed", 0);
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      consumer.seekToBeginning(List.of(partition));
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          found.add(record.value());
        }
      }
    }
    return found;
  }

  /** The Java files of the guide. */
  private static List<String> guide() throws IOException {
    String guide = Files.readString(Path.of(System.getProperty("waterclock.docs")));
    return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
        .matcher(guide)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static Path compile(String name, String source) throws IOException {
    Path classes = Files.createDirectories(dir.resolve(name));
    Matcher type = Pattern.compile("class (\\w+)").matcher(source);
    assertThat(type.find()).isTrue();
    Path file = Files.writeString(classes.resolve(type.group(1) + ".java"), source);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString(),
                    file.toString()))
        .as(source)
        .isZero();
    return classes;
  }

  @Test
  void every_java_file_of_the_guide_compiles() throws IOException {
    List<String> files = guide();
    assertThat(files).hasSizeGreaterThan(4);
    for (int i = 0; i < files.size(); i++) {
      compile("guide-" + i, files.get(i));
    }
  }
}
