package io.waterclock.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate for 127.0.0.1 and localhost, with its key.
 *
 * @param keystore both, in PKCS12, with {@link #STORE_PASSWORD}
 * @param pem the certificate without its key, for clients
 * @param secret derived from the key
 */
record SelfSignedCertificate(Path keystore, Path pem, String secret) {
  /** Not a secret: the directory of the file protects it. */
  static final String STORE_PASSWORD = "changeit";

  private static final String ALIAS = "broker";
  private static final int BOUND_S = 30;

  /**
   * Returns the certificate of a directory, and creates it if it is missing.
   *
   * @throws EmbeddedKafkaException if it cannot be created or read
   */
  static SelfSignedCertificate in(Path directory) {
    Path keystore = directory.resolve("broker.p12");
    Path pem = directory.resolve("broker.pem");
    try {
      Files.createDirectories(directory);
      if (!Files.exists(keystore)) {
        make(keystore);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(keystore)) {
        store.load(in, STORE_PASSWORD.toCharArray());
      }
      Files.writeString(pem, pem(store.getCertificate(ALIAS).getEncoded()));
      byte[] key = store.getKey(ALIAS, STORE_PASSWORD.toCharArray()).getEncoded();
      return new SelfSignedCertificate(
          keystore,
          pem,
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key)));
    } catch (IOException | GeneralSecurityException e) {
      throw new EmbeddedKafkaException("There is no certificate in " + directory + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedKafkaException("Interrupted while a certificate was made", e);
    }
  }

  private static void make(Path keystore) throws IOException, InterruptedException {
    String what =
        "-genkeypair -alias %s -keyalg EC -groupname secp256r1 -dname CN=localhost"
            + " -ext san=ip:127.0.0.1,dns:localhost -validity 3650 -storetype PKCS12 -storepass %s";
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(what.formatted(ALIAS, STORE_PASSWORD).split(" ")));
    command.addAll(List.of("-keystore", keystore.toString()));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!keytool.waitFor(BOUND_S, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new EmbeddedKafkaException("keytool made no certificate: " + said.strip());
    }
  }

  private static String pem(byte[] certificate) {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
        + "\n-----END CERTIFICATE-----\n";
  }
}
