package io.waterclock.testkit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;

/**
 * Secures an embedded broker: every client uses SASL/SCRAM-SHA-512 over TLS, and Kafka's authorizer
 * denies everything that no ACL allows.
 *
 * <pre>{@code
 * KafkaSecurity security =
 *     KafkaSecurity.in(dir.resolve("security")).superUser("admin", "s3cret").user("app", "pa55");
 * try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, security);
 *     Admin admin = Admin.create(security.client(kafka.bootstrapServers(), "admin"))) {
 *   admin.createAcls(whatAppMayDo).all().get(); // at any time; no restart is needed
 * }
 * }</pre>
 *
 * <p>The first start of a broker's data directory creates the users; a restart on it has the same
 * users. Immutable.
 */
public final class KafkaSecurity {
  private static final String MECHANISM = "SCRAM-SHA-512";

  /** The broker itself, as a client of its own listeners. */
  private static final String NODE = "node";

  private final SelfSignedCertificate certificate;
  private final Map<String, String> passwords;
  private final Set<String> superUsers;

  private KafkaSecurity(
      SelfSignedCertificate certificate, Map<String, String> passwords, Set<String> superUsers) {
    this.certificate = certificate;
    this.passwords = passwords;
    this.superUsers = superUsers;
  }

  /**
   * Starts without users. Creates a self-signed certificate for 127.0.0.1 and localhost with the
   * JDK's keytool, in about a second, unless the directory has one.
   *
   * @param directory for the certificate and its key; created if it does not exist
   * @throws EmbeddedKafkaException if the certificate cannot be created
   */
  public static KafkaSecurity in(Path directory) {
    SelfSignedCertificate certificate = SelfSignedCertificate.in(directory);
    return new KafkaSecurity(certificate, Map.of(NODE, certificate.secret()), Set.of(NODE));
  }

  /**
   * The same with another user, with the rights that ACLs grant.
   *
   * @throws IllegalArgumentException if the name or the password contains a quotation mark or a
   *     backslash
   */
  public KafkaSecurity user(String name, String password) {
    if ((name + password).matches(".*[\"\\\\].*")) {
      throw new IllegalArgumentException(
          "the name and the password of user " + name + " must do without \" and \\");
    }
    Map<String, String> more = new TreeMap<>(passwords);
    more.put(name, password);
    return new KafkaSecurity(certificate, Map.copyOf(more), superUsers);
  }

  /** The same with another user, who has all rights. */
  public KafkaSecurity superUser(String name, String password) {
    Set<String> more = new TreeSet<>(superUsers);
    more.add(name);
    return new KafkaSecurity(certificate, passwords, Set.copyOf(more)).user(name, password);
  }

  /**
   * The settings of a client for a user, including {@code bootstrap.servers}.
   *
   * @throws IllegalArgumentException if there is no such user
   */
  public Map<String, Object> client(String bootstrapServers, String user) {
    Map<String, Object> settings = new LinkedHashMap<>(client(user));
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return settings;
  }

  private Map<String, String> client(String user) {
    String password = passwords.get(user);
    if (password == null) {
      throw new IllegalArgumentException(
          "there is no user " + user + ", but " + new TreeSet<>(passwords.keySet()));
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "SASL_SSL");
    settings.put(SaslConfigs.SASL_MECHANISM, MECHANISM);
    settings.put(
        SaslConfigs.SASL_JAAS_CONFIG,
        jaas("org.apache.kafka.common.security.scram.ScramLoginModule", user, password) + ";");
    settings.put(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, "PEM");
    settings.put(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, certificate.pem().toString());
    return settings;
  }

  /** The certificate in PEM, for clients in other languages. */
  public Path certificate() {
    return certificate.pem();
  }

  /** Settings of a secure broker, which override the defaults. */
  Map<String, String> broker() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "listener.security.protocol.map",
        "%s:SASL_SSL,%s:SASL_PLAINTEXT"
            .formatted(BrokerSettings.CLIENT_LISTENER, BrokerSettings.CONTROLLER_LISTENER));
    settings.put("ssl.keystore.type", "PKCS12");
    settings.put("ssl.keystore.location", certificate.keystore().toString());
    settings.put("ssl.keystore.password", SelfSignedCertificate.STORE_PASSWORD);
    settings.put("ssl.truststore.type", "PEM");
    settings.put("ssl.truststore.location", certificate.pem().toString());
    settings.put("sasl.enabled.mechanisms", MECHANISM);
    settings.put("sasl.mechanism.inter.broker.protocol", MECHANISM);
    settings.put(
        "listener.name.clients.scram-sha-512.sasl.jaas.config",
        client(NODE).get(SaslConfigs.SASL_JAAS_CONFIG));
    // the SCRAM credentials are in the metadata, so the controller's listener cannot use them
    settings.put("sasl.mechanism.controller.protocol", "PLAIN");
    settings.put("listener.name.controller.sasl.enabled.mechanisms", "PLAIN");
    String plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
    String secret = certificate.secret();
    settings.put(
        BrokerSettings.CONTROLLER_JAAS,
        "%s user_%s=\"%s\";".formatted(jaas(plain, NODE, secret), NODE, secret));
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put(
        "super.users",
        superUsers.stream().sorted().map(user -> "User:" + user).collect(Collectors.joining(";")));
    return settings;
  }

  /** The SCRAM arguments of Kafka's formatter. */
  List<String> scram() {
    return passwords.entrySet().stream()
        .map(
            user ->
                "%s=[name=\"%s\",password=\"%s\"]"
                    .formatted(MECHANISM, user.getKey(), user.getValue()))
        .toList();
  }

  private static String jaas(String module, String user, String password) {
    return "%s required username=\"%s\" password=\"%s\"".formatted(module, user, password);
  }
}
