package io.waterclock.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.ConfluentHeader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.UndecodableException.Reason;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SchemaRegistryTest {
  private static final Schema SCHEMA = RecordCodecs.schedule().schema();
  private static final Duration LONG = Duration.ofHours(1);

  private final List<AutoCloseable> open = new ArrayList<>();
  private FakeRegistry server;

  @BeforeEach
  void start() throws Exception {
    server = closing(FakeRegistry.start());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void a_schema_is_asked_for_once() {
    server.put(7, SCHEMA);
    SchemaRegistry registry = registry(server.url());

    assertThat(registry.lookup(7)).isInstanceOf(Lookup.Unavailable.class);
    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(server.asked("/schemas/ids/7")).isEqualTo(1);
    assertThat(registry.problem()).isEmpty();
  }

  @Test
  void an_unknown_id_is_refused_and_another_day_asked_for_again() {
    SchemaRegistry lasting = registry(server.url());
    assertThat(answer(lasting, 9))
        .isInstanceOfSatisfying(
            Lookup.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA);
              assertThat(refused.why()).contains("id 9").contains("Schema not found");
            });
    assertThat(answer(lasting, 9)).isInstanceOf(Lookup.Refused.class);
    assertThat(server.asked("/schemas/ids/9")).isEqualTo(1);

    SchemaRegistry forgetful =
        closing(new SchemaRegistry(settings(server.url()), Duration.ofMillis(1), 100));
    assertThat(answer(forgetful, 9)).isInstanceOf(Lookup.Refused.class);
    server.put(9, SCHEMA);
    until(() -> forgetful.lookup(9) instanceof Lookup.Known);
  }

  @Test
  void ids_that_no_registry_gives_are_not_asked_for() {
    assertThat(answer(registry(server.url()), -1))
        .isInstanceOfSatisfying(
            Lookup.Refused.class, refused -> assertThat(refused.why()).contains("4294967295"));
    assertThat(server.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500 | {\"error_code\":50001,\"message\":\"no store\"} | HTTP 500 no store",
        "503 | busy | HTTP 503",
        "401 | {\"error_code\":401,\"message\":\"who?\"} | refuses the credentials (HTTP 401)",
        "404 | {\"error_code\":404,\"message\":\"HTTP 404\"} | is this the address",
        "404 | <html> | is this the address",
        "200 | <html> | is this the address",
      })
  void what_is_no_answer_of_a_registry_is_an_outage(int status, String body, String said) {
    server.put(7, SCHEMA);
    server.answersAll(status, body);
    SchemaRegistry registry = registry(server.url());

    until(
        () ->
            registry.lookup(7) instanceof Lookup.Unavailable unavailable
                && unavailable.why().contains(said)
                && server.asked.size() >= 2);
    assertThat(registry.problem().orElseThrow()).contains("does not answer").contains(said);

    server.recovers();
    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(registry.problem()).isEmpty();
  }

  @Test
  void one_id_that_the_registry_has_trouble_with_holds_no_other_up() {
    server.put(7, SCHEMA);
    server.answers("/schemas/ids/5", 500, "");
    SchemaRegistry registry = registry(server.url());

    assertThat(registry.lookup(5)).isInstanceOf(Lookup.Unavailable.class);
    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(registry.lookup(5)).isInstanceOf(Lookup.Unavailable.class);
  }

  @Test
  void a_flood_of_ids_that_do_not_exist_holds_no_new_one_up() {
    server.put(4711, SCHEMA);
    CountDownLatch flooded = new CountDownLatch(1);
    server.answersAfter(flooded);
    SchemaRegistry registry = registry(server.url(), "http.read.timeout.ms", "30000");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5_000; i++) {
      registry.lookup(random.nextInt(1_000_000, Integer.MAX_VALUE));
    }
    assertThat(registry.lookup(4711)).isInstanceOf(Lookup.Unavailable.class);
    flooded.countDown();
    assertThat(answer(registry, 4711)).isEqualTo(new Lookup.Known(SCHEMA));

    List<String> asked = server.asked.stream().map(FakeRegistry.Asked::path).toList();
    assertThat(asked.indexOf("/schemas/ids/4711")).isLessThan(5);
  }

  @Test
  void refusals_drive_no_schema_out() {
    server.put(7, SCHEMA);
    SchemaRegistry registry = registry(server.url());
    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    for (int id = 1_000; id < 1_300; id++) {
      assertThat(answer(registry, id)).isInstanceOf(Lookup.Refused.class);
    }

    assertThat(registry.lookup(1_299)).isInstanceOf(Lookup.Refused.class);
    assertThat(registry.lookup(1_000)).as("forgotten").isInstanceOf(Lookup.Unavailable.class);
    assertThat(registry.lookup(7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(server.asked("/schemas/ids/7")).isEqualTo(1);
  }

  @Test
  void another_address_is_tried_when_one_is_dead_or_hangs() throws Exception {
    FakeRegistry dead = FakeRegistry.start();
    dead.close();
    FakeRegistry hanging = closing(FakeRegistry.start());
    hanging.hangs();
    server.put(7, SCHEMA);
    server.put(8, SCHEMA);
    SchemaRegistry registry =
        registry(
            dead.url() + "," + hanging.url() + "," + server.url(), "http.read.timeout.ms", "3000");

    assertThat(answer(registry, 7)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(answer(registry, 8)).isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(hanging.asked("/schemas/ids/8")).as("the good one first").isZero();
  }

  @Test
  void an_address_that_hangs_is_given_up() {
    server.hangs();
    assertThat(new RegistryClient(settings(server.url(), "http.read.timeout.ms", "50")).lookup(1))
        .isInstanceOfSatisfying(
            Lookup.Unavailable.class, away -> assertThat(away.why()).contains("50 ms"));
  }

  @Test
  void who_asks_says_so() {
    server.put(7, SCHEMA);
    new RegistryClient(settings(server.url(), "bearer.auth.token", "t")).lookup(7);
    new RegistryClient(settings("http://u:p@" + server.address())).lookup(7);
    new RegistryClient(settings(server.url(), "basic.auth.user.info", "a:b")).lookup(7);

    assertThat(server.asked.stream().map(asked -> asked.authorization().orElseThrow()))
        .containsExactly("Bearer t", "Basic dTpw", "Basic YTpi");
  }

  @Test
  void a_schema_is_read_with_those_that_it_names() {
    Schema inner = SchemaBuilder.record("Inner").namespace("a").fields().endRecord();
    server.put(1, inner);
    server.put("inner", 1);
    server.put(
        2,
        "{\"schema\":\"{\\\"type\\\":\\\"array\\\",\\\"items\\\":\\\"a.Inner\\\"}\","
            + "\"references\":[{\"name\":\"a.Inner\",\"subject\":\"inner\",\"version\":1}]}");

    assertThat(new RegistryClient(settings(server.url())).lookup(2))
        .isEqualTo(new Lookup.Known(Schema.createArray(inner)));
  }

  @Test
  void a_schema_that_refers_to_hundreds_is_refused() {
    for (int i = 1; i <= 3_000; i++) {
      server.put("link" + i, i);
      server.put(
          i,
          "{\"schema\":\"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"Link"
              + i
              + "\\\",\\\"fields\\\":[]}\",\"references\":["
              + (i == 1 ? "" : "{\"name\":\"x\",\"subject\":\"link" + (i - 1) + "\",\"version\":1}")
              + "]}");
    }

    assertThat(new RegistryClient(settings(server.url())).lookup(3_000))
        .isInstanceOfSatisfying(
            Lookup.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
              assertThat(refused.why()).contains("refers to more than 100 others");
            });
    assertThat(server.asked).as("no more questions than that").hasSize(101);
  }

  @Test
  void an_answer_without_end_is_no_outage() {
    server.put(1, "{\"schema\":\"\\\"int\\\"\",\"x\":\"" + "x".repeat(2 << 20) + "\"}");

    assertThat(new RegistryClient(settings(server.url())).lookup(1))
        .isInstanceOfSatisfying(
            Lookup.Refused.class,
            refused -> assertThat(refused.why()).contains("more than 1048576 bytes"));
  }

  @Test
  void what_is_not_avro_is_refused() {
    server.put(1, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"x\"}");
    server.put(2, "{\"schema\":\"{\\\"type\\\":\\\"nope\\\"}\"}");
    RegistryClient client = new RegistryClient(settings(server.url()));

    for (int id = 1; id <= 2; id++) {
      assertThat(client.lookup(id))
          .isInstanceOfSatisfying(
              Lookup.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Reason.INCOMPATIBLE_SCHEMA));
    }
  }

  @Test
  void what_is_written_is_registered_once_the_registry_answers() throws Exception {
    server.answersAll(503, "");
    SchemaRegistry registry = registry(server.url());
    Registration registration = registry.register(Map.of("t", SCHEMA));
    until(() -> registry.problem().isPresent());
    assertThat(registration.done()).isNotDone();
    assertThatThrownBy(() -> RecordCodecs.schedule().encode(schedule(), registration.encoding()))
        .isInstanceOf(IllegalStateException.class);

    server.recovers();
    registration.done().get(30, TimeUnit.SECONDS);
    byte[] bytes = RecordCodecs.schedule().encode(schedule(), registration.encoding());
    assertThat(ConfluentHeader.schemaId(bytes)).hasValue(1);
    assertThat(server.asked("/subjects/t-value/versions")).isGreaterThan(1);
    assertThat(registry.lookup(1))
        .as("nobody asks for its own")
        .isEqualTo(new Lookup.Known(SCHEMA));
    assertThat(RecordCodecs.schedule().decode(bytes, registry)).isEqualTo(schedule());
  }

  @Test
  void what_may_not_be_registered_is_looked_up_until_somebody_has_registered_it() throws Exception {
    SchemaRegistry registry =
        registry(
            server.url(),
            "auto.register.schemas",
            "false",
            "value.subject.name.strategy",
            "RecordNameStrategy");
    Registration registration = registry.register(Map.of("t", SCHEMA));
    until(() -> registry.problem().isPresent());
    assertThat(registry.problem().orElseThrow())
        .contains("refuses the schemas")
        .contains(SCHEMA.getFullName())
        .contains("auto.register.schemas=true");

    server.put(4, SCHEMA);
    registration.done().get(30, TimeUnit.SECONDS);
    assertThat(registry.problem()).isEmpty();
  }

  @Test
  void a_refusal_says_why() {
    server.answersAll(409, "{\"error_code\":409,\"message\":\"READER_FIELD_MISSING\"}");
    RegistryClient client = new RegistryClient(settings(server.url()));

    assertThatThrownBy(() -> client.idOf("t", SCHEMA))
        .isInstanceOf(RestClient.RefusalException.class)
        .hasMessageContaining("t-value")
        .hasMessageContaining("READER_FIELD_MISSING");
  }

  @Test
  void the_latest_version_is_taken_if_it_gives_the_same_bytes() {
    RegistryClient client =
        new RegistryClient(
            settings(server.url(), "auto.register.schemas", "false", "use.latest.version", "true"));
    Schema documented = new Schema.Parser().parse(SCHEMA.toString().replace("\"doc\"", "\"note\""));
    server.put(3, documented);
    server.put("t-value", 3);
    assertThat(client.idOf("t", SCHEMA)).isEqualTo(3);

    server.put(4, SchemaBuilder.record("Other").fields().endRecord());
    server.put("t-value", 4);
    assertThatThrownBy(() -> client.idOf("t", SCHEMA)).hasMessageContaining("differs from");
  }

  @Test
  void tls_believes_the_trust_store_that_is_configured(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "r",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(keytool.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
    FakeRegistry secure = closing(FakeRegistry.start(context(store)));
    secure.put(7, SCHEMA);

    assertThat(new RegistryClient(settings(secure.url())).lookup(7))
        .isInstanceOf(Lookup.Unavailable.class);
    assertThat(
            new RegistryClient(
                    settings(
                        secure.url(),
                        "schema.registry.ssl.truststore.location",
                        store.toString(),
                        "schema.registry.ssl.truststore.password",
                        "secret",
                        "schema.registry.ssl.truststore.type",
                        "PKCS12"))
                .lookup(7))
        .isEqualTo(new Lookup.Known(SCHEMA));
  }

  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static Schedule schedule() {
    return Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).build();
  }

  private static Lookup answer(SchemaRegistry registry, int id) {
    AtomicReference<Lookup> last = new AtomicReference<>();
    until(
        () -> {
          last.set(registry.lookup(id));
          return !(last.get() instanceof Lookup.Unavailable);
        });
    return last.get();
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("timed out");
      }
    }
  }

  private SchemaRegistry registry(String url, String... more) {
    return closing(new SchemaRegistry(settings(url, more), LONG, 100));
  }

  private static RegistrySettings settings(String url, String... more) {
    Map<String, String> map = new HashMap<>(Map.of("schema.registry.url", url));
    for (int i = 0; i < more.length; i += 2) {
      map.put(more[i], more[i + 1]);
    }
    List<String> problems = new ArrayList<>();
    return RegistrySettings.parse(map, problems)
        .orElseThrow(() -> new AssertionError(problems.toString()));
  }

  private <T extends AutoCloseable> T closing(T resource) {
    open.add(resource);
    return resource;
  }
}
