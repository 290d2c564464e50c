package io.waterclock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a release, as someone unpacks it who has a Java runtime and nothing else. */
@Timeout(600)
final class ReleaseArchiveTest {
  @TempDir static Path dir;
  private static UnpackedRelease release = new UnpackedRelease(Path.of(""), Map.of());

  @BeforeAll
  static void unpack() throws Exception {
    release = UnpackedRelease.shared();
  }

  @Test
  void its_checksum_is_beside_it() throws Exception {
    UnpackedRelease.Run check =
        release.bash(
            "cd '" + UnpackedRelease.ARCHIVE.getParent() + "' && sha512sum --check SHA512SUMS",
            Map.of());
    assertThat(check.output())
        .isEqualToIgnoringNewLines(UnpackedRelease.ARCHIVE.getFileName() + ": OK");
  }

  @Test
  @Tag("all")
  void dev_and_run_work_with_a_runtime_alone() throws Exception {
    assertThat(Path.of(release.environment().getOrDefault("JAVA_HOME", "")).resolve("bin/java"))
        .exists()
        .satisfies(java -> assertThat(java.resolveSibling("javac")).doesNotExist());
    String launcher = release.launcher().toString();
    int broker = Ports.free();
    String server = "127.0.0.1:" + broker;
    int devHealth = Ports.free();
    List<String> dev =
        List.of(
            launcher,
            "dev",
            "--port",
            Integer.toString(broker),
            "--data",
            dir.resolve("dev").toString(),
            "--set",
            "health.port=" + devHealth);
    Path settings =
        Files.writeString(
            dir.resolve("waterclock.properties"),
            Files.readString(release.home().resolve("deploy/systemd/waterclock.properties"))
                .replaceAll("(?m)^(bootstrap.servers=).*", "$1" + server));
    int runHealth = Ports.free();
    Map<String, String> variables = new HashMap<>(release.environment());
    variables.putAll(
        Map.of(
            "WATERCLOCK_PREFIX",
            "second",
            "WATERCLOCK_PARTITIONS",
            "1",
            "WATERCLOCK_REPLICATION_FACTOR",
            "1",
            "WATERCLOCK_STATE_DIR",
            dir.resolve("run").toString(),
            "WATERCLOCK_HEALTH_PORT",
            Integer.toString(runHealth)));
    try (Service first = Service.start(dev, release.environment())) {
      first.awaitOk(URI.create("http://127.0.0.1:" + devHealth + "/ready"));
      List<String> run = List.of(launcher, "run", "--config", settings.toString());
      try (Service second = Service.start(run, variables)) {
        second.awaitOk(URI.create("http://127.0.0.1:" + runHealth + "/ready"));
        String put =
            "waterclock put hello --every=1s --timeout=2m --prefix=second --bootstrap-server=";
        assertThat(release.bash(put + server, Map.of()).output()).contains("hello accepted");
        assertThat(second.terminate()).isZero();
      }
      assertThat(first.terminate()).isZero();
    }
  }

  @Test
  void a_shell_completes_with_its_script() throws Exception {
    UnpackedRelease.Run bash =
        release.bash("source completions/waterclock.bash && complete -p waterclock", Map.of());
    assertThat(bash.exitCode()).as(bash.output()).isZero();
    assertThat(Files.readString(release.home().resolve("completions/waterclock.fish")))
        .contains("complete -c waterclock", "-a put");
  }

  /** A login that the release does not have, as those of the clouds. */
  @Test
  @Tag("all")
  void a_login_comes_from_a_jar_of_the_users() throws Exception {
    Path jar = Files.createDirectories(dir.resolve("a b")).resolve("login.jar");
    String name = VaultLogin.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream login = ReleaseArchiveTest.class.getResourceAsStream("/" + name)) {
      out.putNextEntry(new JarEntry(name));
      login.transferTo(out);
    }
    String list =
        "waterclock list --bootstrap-server=127.0.0.1:1 --property security.protocol=SASL_PLAINTEXT"
            + " --property sasl.mechanism=OAUTHBEARER --property sasl.login.callback.handler.class="
            + VaultLogin.class.getName()
            + " --property 'sasl.jaas.config=org.apache.kafka.common.security.oauthbearer"
            + ".OAuthBearerLoginModule required;'";
    assertThat(release.bash(list, Map.of()).output())
        .contains(VaultLogin.class.getName() + " could not be found");
    assertThat(release.bash(list, Map.of("WATERCLOCK_CLASSPATH", jar.toString())).output())
        .contains("the login failed: its callback handler got no token: " + VaultLogin.REASON);
    Path ext = Files.createDirectory(release.home().resolve("lib/ext"));
    try {
      Files.copy(jar, ext.resolve("login.jar"));
      assertThat(release.bash(list, Map.of()).output())
          .contains("the login failed: its callback handler got no token: " + VaultLogin.REASON);
    } finally {
      Utils.delete(ext.toFile());
    }
  }

  /** Java refuses to start with two. */
  @Test
  void a_garbage_collector_of_the_user_replaces_that_of_the_launcher() throws Exception {
    UnpackedRelease.Run run =
        release.bash(
            "waterclock dev --help", Map.of("WATERCLOCK_OPTS", "-Xmx64m -XX:+UseSerialGC"));
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  @Test
  void the_pages_that_the_readme_links_to_are_there() throws IOException {
    List<String> links =
        Pattern.compile("\\]\\((?!http)([^)#]+\\.md)")
            .matcher(Files.readString(release.home().resolve("README.md")))
            .results()
            .map((MatchResult link) -> link.group(1))
            .toList();
    assertThat(links)
        .isNotEmpty()
        .allSatisfy(link -> assertThat(release.home().resolve(link)).exists());
  }

  @Test
  void each_library_has_a_licence_and_is_in_the_bill_of_materials() throws IOException {
    List<String> licences = Files.readAllLines(release.home().resolve("THIRD-PARTY.txt"));
    Set<String> materials = new HashSet<>();
    Documents.of(release.home().resolve("waterclock.cdx.json"))
        .get(0)
        .path("components")
        .forEach(one -> materials.add(one.path("name").asText() + one.path("version").asText()));
    List<String> libraries;
    try (Stream<Path> lib = Files.list(release.home().resolve("lib"))) {
      libraries = lib.map(jar -> jar.getFileName().toString().replace(".jar", "")).toList();
    }
    assertThat(libraries).hasSizeGreaterThan(50).noneMatch(name -> name.contains("test-utils"));
    for (String library : libraries) {
      assertThat(materials).contains(library.replaceFirst("-(?=\\d)", ""));
      if (!library.startsWith("waterclock-")) {
        String coordinates = ":" + library.replaceFirst("-(?=\\d)", ":") + " ";
        assertThat(licences).filteredOn(line -> line.contains(coordinates)).hasSize(1);
      }
    }
  }
}
