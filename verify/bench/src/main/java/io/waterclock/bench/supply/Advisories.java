package io.waterclock.bench.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.supply.Library.Published;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** What exports of osv.dev say about some packages. */
final class Advisories {
  private final JsonMapper json = JsonMapper.builder().build();
  private final Map<Published, List<Advisory>> byPackage = new HashMap<>();

  /**
   * The last change of an advisory that is about one ecosystem alone. Maven's export has advisories
   * that name a package of npm, too: these do not show that npm's export was read.
   */
  private final Map<Ecosystem, Instant> newest = new EnumMap<>(Ecosystem.class);

  private Advisories() {}

  /** None yet. */
  static Advisories about(List<Library> libraries) {
    Advisories advisories = new Advisories();
    libraries.stream()
        .flatMap(library -> library.published().stream())
        .forEach(published -> advisories.byPackage.put(published, new ArrayList<>()));
    return advisories;
  }

  /**
   * Adds those of a file, a zip of records.
   *
   * @throws BadOptionException if it is something else, or has none about Maven or npm
   */
  void read(Path file) {
    int records = 0;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        try (InputStream record = zip.getInputStream(entries.nextElement())) {
          records += add(json.readTree(record)) ? 1 : 0;
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new BadOptionException("--osv " + file + ": no export of osv.dev: " + e.getMessage());
    }
    if (records == 0) {
      throw new BadOptionException("--osv " + file + ": holds no advisory about Maven or npm");
    }
  }

  /** Adds what a record says, and returns whether it is about one of the ecosystems. */
  private boolean add(JsonNode record) {
    Instant modified = Instant.parse(record.path("modified").asText());
    Set<Ecosystem> ecosystems = EnumSet.noneOf(Ecosystem.class);
    for (JsonNode affected : record.path("affected")) {
      JsonNode of = affected.path("package");
      Ecosystem.of(of.path("ecosystem").asText())
          .ifPresent(
              ecosystem -> {
                ecosystems.add(ecosystem);
                List<Advisory> wanted =
                    byPackage.get(new Published(ecosystem, of.path("name").asText()));
                if (wanted != null && !record.hasNonNull("withdrawn")) {
                  wanted.add(Advisory.of(record, ecosystem, affected));
                }
              });
    }
    if (ecosystems.size() == 1) {
      ecosystems.forEach(
          only -> newest.merge(only, modified, BinaryOperator.maxBy(Comparator.naturalOrder())));
    }
    return !ecosystems.isEmpty();
  }

  /** Those about one of the packages. */
  List<Advisory> of(Published published) {
    return byPackage.getOrDefault(published, List.of());
  }

  /**
   * The date of the last change for each ecosystem that the packages are of.
   *
   * @throws BadOptionException if nothing was read about one of them, and so nothing is known
   */
  String newest() {
    return byPackage.keySet().stream()
        .map(Published::ecosystem)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .map(
            ecosystem -> {
              Instant date = newest.get(ecosystem);
              if (date == null) {
                throw new BadOptionException(
                    ("the bill of materials lists packages of %1$s, and no file of --osv is an"
                            + " export of %1$s")
                        .formatted(ecosystem.label()));
              }
              return date + " (" + ecosystem.label() + ")";
            })
        .collect(Collectors.joining(", "));
  }
}
