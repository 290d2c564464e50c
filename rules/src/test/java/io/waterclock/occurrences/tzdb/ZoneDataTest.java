package io.waterclock.occurrences.tzdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZoneDataTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));
  private static final Path OWN = JAVA.resolve("lib").resolve("tzdb.dat");
  private static final Path OTHER = jar();
  private static final Instant ROLLOVER = Instant.parse("2022-07-01T00:00:00Z");
  private static final ZoneId BERLIN_LIKE = ZoneId.of("Europe/Berlin");

  /** A jar with the data of 2020b. */
  private static Path jar() {
    try {
      return Path.of(
          org.threeten.bp.ZoneId.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void the_file_of_a_java_runtime_has_the_rules_of_that_runtime() {
    ZoneData read = ZoneDataFile.read(OWN);

    assertThat(read.version()).isEqualTo(Tzdb.version());
    assertThat(read).isEqualTo(ZoneDataFile.read(JAVA));
    Map<String, ZoneRules> own = new TreeMap<>();
    ZoneRulesProvider.getAvailableZoneIds().stream()
        .filter(name -> !name.startsWith("waterclock-"))
        .forEach(name -> own.put(name, ZoneRulesProvider.getRules(name, false)));
    assertThat(read.rules()).isEqualTo(own);
  }

  @Test
  void a_jar_of_threeten_has_the_rules_of_its_version() {
    ZoneData read = ZoneDataFile.read(OTHER);

    assertThat(read.version()).isEqualTo("2020b");
    // Mexico had no summer time any more from 2023 on, which was decided in 2022
    ZoneId mexico = read.zone("America/Mexico_City");
    Instant summer = Instant.parse("2026-07-01T00:00:00Z");
    assertThat(mexico.getRules().getOffset(summer)).isEqualTo(ZoneOffset.ofHours(-5));
    assertThat(Zones.parse("America/Mexico_City").getRules().getOffset(summer))
        .isEqualTo(ZoneOffset.ofHours(-6));
    assertThat(read.zone("+02:00")).isEqualTo(ZoneOffset.ofHours(2));
    assertThatThrownBy(() -> read.zone("Mars/Olympus")).isInstanceOf(InvalidTriggerException.class);
    assertThatThrownBy(() -> read.zone("Europe/Kyiv"))
        .isInstanceOf(InvalidTriggerException.class)
        .hasMessageContaining("2020b");
  }

  @Test
  void zones_of_other_versions_are_no_suggestions() {
    ZoneDataFile.read(OTHER).zone("Europe/Paris");

    assertThatThrownBy(() -> Zones.parse("waterclock-1/Europe/Pari"))
        .hasMessageNotContaining("did you mean waterclock-");
  }

  @Test
  void a_trigger_occurs_by_the_rules_of_its_zone_data() {
    ZoneData read = ZoneDataFile.read(OTHER);
    Cron cron = Cron.parse("0 9 * * *", read.zone("America/Mexico_City"));

    assertThat(cron.nextAfter(Instant.parse("2026-07-01T00:00:00Z")))
        .contains(Instant.parse("2026-07-01T14:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_rollover_has_the_old_offsets_before_its_instant_and_the_new_ones_from_it_on(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ZoneData old = ZoneDataFile.read(OTHER);
    ZoneData next = ZoneDataFile.read(OWN);
    Instant from = Instant.parse("2019-01-01T00:00:00Z").plusSeconds(random.nextLong(400_000_000L));
    ZoneData rolled = old.rolledOver(next, from);

    for (Map.Entry<String, ZoneRules> zone : rolled.rules().entrySet()) {
      ZoneRules before = old.rules().getOrDefault(zone.getKey(), next.rules().get(zone.getKey()));
      ZoneRules after = next.rules().getOrDefault(zone.getKey(), before);
      for (Instant at : instants(random, from)) {
        ZoneRules rules = Objects.requireNonNull(at.isBefore(from) ? before : after);
        assertThat(zone.getValue().getOffset(at))
            .as("seed %s, %s at %s, rollover at %s", seed, zone.getKey(), at, from)
            .isEqualTo(rules.getOffset(at));
      }
    }
  }

  private static List<Instant> instants(SplittableRandom random, Instant from) {
    List<Instant> instants =
        new ArrayList<>(List.of(from, from.minusMillis(1), from.plusMillis(1)));
    for (int i = 0; i < 40; i++) {
      instants.add(from.plusSeconds(random.nextLong(-100_000_000L, 100_000_000L)));
      instants.add(from.plusSeconds(random.nextLong(-3_000_000_000L, 8_000_000_000L)));
    }
    return instants;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 9 * * *", "30 1,2 * * *", "*/20 * * * *", "0 0 1 * *"})
  void a_trigger_changes_its_rules_at_the_rollover(String expression) {
    ZoneData old = ZoneDataFile.read(OTHER);
    ZoneData next = ZoneDataFile.read(OWN);
    Instant from = Instant.parse("2023-07-15T03:04:05Z");
    ZoneData rolled = old.rolledOver(next, from);
    for (String name :
        List.of("America/Mexico_City", "Asia/Tehran", "Asia/Amman", "Africa/Cairo", "UTC")) {
      Cron before = Cron.parse(expression, old.zone(name));
      Cron after = Cron.parse(expression, next.zone(name));
      Cron both = Cron.parse(expression, rolled.zone(name));
      Instant aDayLater = from.plus(Duration.ofDays(1));

      assertThat(between(both, from.minus(Duration.ofDays(20)), from.minusMillis(1)))
          .isEqualTo(between(before, from.minus(Duration.ofDays(20)), from.minusMillis(1)));
      assertThat(between(both, aDayLater, from.plus(Duration.ofDays(300))))
          .isEqualTo(between(after, aDayLater, from.plus(Duration.ofDays(300))));
    }
  }

  private static List<Instant> between(Cron cron, Instant after, Instant through) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = cron.nextAfter(after);
    while (next.isPresent() && !next.get().isAfter(through)) {
      found.add(next.get());
      next = cron.nextAfter(next.get());
    }
    return found;
  }

  @Test
  void a_rolled_zone_knows_its_summer_time() {
    ZoneData rolled = ZoneDataFile.read(OTHER).rolledOver(ZoneDataFile.read(OWN), ROLLOVER);
    ZoneRules mexico = Objects.requireNonNull(rolled.rules().get("America/Mexico_City"));

    assertThat(mexico.isDaylightSavings(Instant.parse("2021-07-01T00:00:00Z"))).isTrue();
    assertThat(mexico.isDaylightSavings(Instant.parse("2022-01-01T00:00:00Z"))).isFalse();
    assertThat(mexico.isDaylightSavings(Instant.parse("2026-07-01T00:00:00Z"))).isFalse();
  }

  @Test
  void a_time_that_the_rollover_skips_fires_at_its_instant() {
    ZoneData data =
        new ZoneData("2026a", Map.of("A/B", ZoneRules.of(ZoneOffset.ofHours(1))))
            .rolledOver(
                new ZoneData("2026b", Map.of("A/B", ZoneRules.of(ZoneOffset.ofHours(2)))),
                ROLLOVER);
    Cron cron = Cron.parse("30 1 * * *", data.zone("A/B"));

    // the clock jumps from 01:00 to 02:00
    assertThat(cron.nextAfter(ROLLOVER.minus(Duration.ofHours(2)))).contains(ROLLOVER);
    assertThat(cron.nextAfter(ROLLOVER)).contains(Instant.parse("2022-07-01T23:30:00Z"));
    assertThat(LocalDateTime.ofInstant(ROLLOVER, data.zone("A/B")))
        .isEqualTo(LocalDateTime.parse("2022-07-01T02:00"));
  }

  @Test
  void a_time_that_the_rollover_repeats_fires_once() {
    ZoneData data =
        new ZoneData("2026a", Map.of("A/B", ZoneRules.of(ZoneOffset.ofHours(2))))
            .rolledOver(
                new ZoneData("2026b", Map.of("A/B", ZoneRules.of(ZoneOffset.ofHours(1)))),
                ROLLOVER);
    Cron cron = Cron.parse("30 1 * * *", data.zone("A/B"));

    assertThat(between(cron, ROLLOVER.minus(Duration.ofHours(6)), ROLLOVER.plusSeconds(72_000)))
        .containsExactly(Instant.parse("2022-06-30T23:30:00Z"));
  }

  @Test
  void a_zone_that_one_version_lacks_keeps_its_rules() {
    ZoneRules rules = BERLIN_LIKE.getRules();
    ZoneData with = new ZoneData("2026a", Map.of("A/B", rules, "C/D", rules));
    ZoneData without = new ZoneData("2026b", Map.of("C/D", rules));

    assertThat(with.rolledOver(without, ROLLOVER).rules()).containsEntry("A/B", rules);
    assertThat(without.rolledOver(with, ROLLOVER).rules()).containsEntry("A/B", rules);
    assertThat(with.rolledOver(without, ROLLOVER).version())
        .isEqualTo("2026a,2026b@2022-07-01T00:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1969-12-31T23:59:59Z", "2200-01-01T00:00:01Z", "2026-01-01T00:00:00.001Z"})
  void a_rollover_is_at_a_whole_second_of_our_time(String instant) {
    ZoneData data = ZoneDataFile.read(OWN);

    assertThatThrownBy(() -> data.rolledOver(data, Instant.parse(instant)))
        .isInstanceOf(InvalidZoneDataException.class)
        .hasMessageContaining(instant);
  }

  @Test
  void several_rollovers_follow_one_another() {
    String pin = OTHER + ", " + OWN + "@2021-01-01T00:00:00Z," + OTHER + "@2024-01-01T00:00:00Z";
    ZoneData data = ZoneDataPin.read(pin);
    ZoneRules mexico = Objects.requireNonNull(data.rules().get("America/Mexico_City"));

    assertThat(data.version())
        .isEqualTo("2020b," + Tzdb.version() + "@2021-01-01T00:00:00Z,2020b@2024-01-01T00:00:00Z");
    assertThat(mexico.getOffset(Instant.parse("2023-07-01T00:00:00Z")))
        .isEqualTo(ZoneOffset.ofHours(-6));
    assertThat(mexico.getOffset(Instant.parse("2024-07-01T00:00:00Z")))
        .isEqualTo(ZoneOffset.ofHours(-5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nothing.dat",
        "FILE,FILE",
        "FILE,FILE@",
        "FILE,FILE@soon",
        "FILE,@2026-01-01T00:00:00Z",
        "FILE,FILE@2026-01-01T00:00:00Z,FILE@2026-01-01T00:00:00Z"
      })
  void a_bad_pin_says_what_is_wrong(String pin) {
    assertThatThrownBy(() -> ZoneDataPin.read(pin.replace("FILE", OWN.toString())))
        .isInstanceOf(InvalidZoneDataException.class)
        .hasMessageMatching("(?s).{20,}");
    assertThatThrownBy(() -> ZoneDataPin.read(OWN + ",@2026-01-01T00:00:00Z"))
        .hasMessageContaining("\"@2026-01-01T00:00:00Z\" must be FILE@INSTANT");
  }

  @Test
  void damaged_files_are_refused(@TempDir Path folder) throws IOException {
    byte[] good = Files.readAllBytes(OWN);
    SplittableRandom random = new SplittableRandom(7);
    Path file = folder.resolve("tzdb.dat");
    for (int i = 0; i < 60; i++) {
      byte[] bad = Arrays.copyOf(good, random.nextInt(good.length));
      Files.write(file, bad);
      assertThatThrownBy(() -> ZoneDataFile.read(file))
          .isInstanceOf(InvalidZoneDataException.class);
    }
    for (int i = 0; i < 60; i++) {
      byte[] bad = good.clone();
      for (int j = 0; j < 50; j++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, bad);
      try {
        ZoneDataFile.read(file);
      } catch (InvalidZoneDataException e) {
        assertThat(e).hasMessageContaining("tzdb.dat");
      }
    }
    Files.writeString(file, "PK is no jar");
    assertThatThrownBy(() -> ZoneDataFile.read(file)).isInstanceOf(InvalidZoneDataException.class);
  }

  @Test
  void what_is_wrong_with_a_file_is_told(@TempDir Path folder) throws IOException {
    byte[] good = Files.readAllBytes(OWN);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(good));
    in.skipBytes(1 + 2 + 4);
    skipTexts(in);
    int names = skipTexts(in);
    int rules = in.readUnsignedShort();
    for (int i = 0; i < rules; i++) {
      in.skipBytes(in.readUnsignedShort());
    }
    int zones = good.length - in.available();
    Path file = folder.resolve("tzdb.dat");

    assertRefused(file, changed(good, 0, 2), "does not begin like time-zone data");
    assertRefused(file, changed(good, 3, 'X'), "does not begin like time-zone data");
    assertRefused(file, changed(good, 11, 'X'), "version is not like 2026a");
    assertRefused(file, withShort(good, zones + 2, names), "no name or no rules");
    assertRefused(file, withShort(good, zones + 4, rules), "no name or no rules");
    assertRefused(file, withShort(good, zones, 0), "contains no zone");
    assertRefused(file, Arrays.copyOf(good, (4 << 20) + 1), "more than 4194304 bytes");
    Files.write(file, Arrays.copyOf(good, 4 << 20));
    assertThat(ZoneDataFile.read(file)).isEqualTo(ZoneDataFile.read(OWN));
  }

  private static int skipTexts(DataInputStream in) throws IOException {
    int texts = in.readUnsignedShort();
    for (int i = 0; i < texts; i++) {
      in.readUTF();
    }
    return texts;
  }

  private static byte[] changed(byte[] good, int at, int value) {
    byte[] bad = good.clone();
    bad[at] = (byte) value;
    return bad;
  }

  private static byte[] withShort(byte[] good, int at, int value) {
    return changed(changed(good, at, value >> 8), at + 1, value);
  }

  private static void assertRefused(Path file, byte[] bytes, String reason) throws IOException {
    Files.write(file, bytes);
    assertThatThrownBy(() -> ZoneDataFile.read(file))
        .isInstanceOf(InvalidZoneDataException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void a_pinned_jvm_uses_the_pinned_data_for_every_zone() throws Exception {
    String pin = OTHER + "," + OWN + "@2030-01-01T00:00:00Z";

    assertThat(
            java(
                "-Djava.time.zone.DefaultZoneRulesProvider=" + PinnedZones.class.getName(),
                "-Dwaterclock.tzdb=" + pin,
                PinnedJvm.class.getName()))
        .isEqualTo(
            "2020b,"
                + Tzdb.version()
                + "@2030-01-01T00:00:00Z 2026-07-01T14:00:00Z 2030-07-01T15:00:00Z\n");
    assertThat(java(PinnedJvm.class.getName(), pin))
        .isEqualTo(
            "2020b,"
                + Tzdb.version()
                + "@2030-01-01T00:00:00Z 2026-07-01T14:00:00Z 2030-07-01T15:00:00Z\n");
  }

  private static String java(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA.resolve("bin").resolve("java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return text;
    }
  }
}
