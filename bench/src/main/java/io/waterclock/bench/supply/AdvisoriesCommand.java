package io.waterclock.bench.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.bench.run.BadOptionException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench advisories}. */
@Command(
    name = "advisories",
    description = {
      "Lists the known advisories that name a library of a release. It opens no connection.",
      "",
      "Exit code 0 if there is none, 1 if there are some, 2 if a file cannot be used."
    },
    mixinStandardHelpOptions = true)
public final class AdvisoriesCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "BOM",
      description =
          "A bill of materials in CycloneDX's JSON, such as a release's waterclock.cdx.json.")
  private Path bom = Path.of("");

  @Option(
      names = "--osv",
      paramLabel = "FILE",
      required = true,
      description =
          "The advisories about Maven packages, as osv.dev exports them: a zip of records.")
  private Path osv = Path.of("");

  @Override
  public Integer call() {
    List<Library> libraries = Library.of(bom);
    Map<String, List<Advisory>> byPackage = new HashMap<>();
    libraries.forEach(library -> byPackage.put(library.name(), new ArrayList<>()));
    Instant newest = read(byPackage);
    int found = 0;
    for (Library library : libraries) {
      for (Advisory advisory : byPackage.getOrDefault(library.name(), List.of())) {
        if (advisory.affects(library.version())) {
          found++;
          System.out.printf(
              "%s %s: %s %s, fixed in %s%n    %s%n",
              library.name(),
              library.version(),
              String.join(" ", advisory.names()),
              advisory.severity(),
              advisory.fixedAfter(library.version()).orElse("no later version"),
              advisory.summary());
        }
      }
    }
    System.out.printf(
        "%d advisories name %d libraries as they are; the newest of the file is of %s%n",
        found, libraries.size(), newest);
    return found == 0 ? 0 : 1;
  }

  /** Adds what the file says about the given packages; returns when it was last changed. */
  private Instant read(Map<String, List<Advisory>> byPackage) {
    JsonMapper json = JsonMapper.builder().build();
    Instant newest = Instant.EPOCH;
    try (ZipFile zip = new ZipFile(osv.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        JsonNode record = json.readTree(zip.getInputStream(entry));
        Instant modified = Instant.parse(record.path("modified").asText());
        newest = modified.isAfter(newest) ? modified : newest;
        if (record.hasNonNull("withdrawn")) {
          continue;
        }
        for (JsonNode affected : record.path("affected")) {
          JsonNode of = affected.path("package");
          List<Advisory> known = byPackage.get(of.path("name").asText());
          if (known != null && of.path("ecosystem").asText().equals("Maven")) {
            known.add(Advisory.of(record, affected));
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new BadOptionException("--osv " + osv + ": no export of osv.dev: " + e.getMessage());
    }
    if (newest.equals(Instant.EPOCH)) {
      throw new BadOptionException("--osv " + osv + ": holds no advisory");
    }
    return newest;
  }
}
