package io.waterclock.bench.supply;

import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.supply.Library.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
          "Advisories about Maven or npm packages, as osv.dev exports them: a zip of records, or a"
              + " directory of such zips. May be repeated.")
  private List<Path> osv = List.of();

  @Override
  public Integer call() {
    List<Library> libraries = Library.of(bom);
    Advisories advisories = Advisories.about(libraries);
    files().forEach(advisories::read);
    String newest = advisories.newest();
    int found = 0;
    for (Library library : libraries) {
      Set<String> listed = new HashSet<>(); // one may name a webjar and its package
      for (Published published : library.published()) {
        for (Advisory advisory : advisories.of(published)) {
          if (advisory.affects(library.version()) && listed.add(advisory.names().get(0))) {
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
    }
    System.out.printf(
        "%d advisories name %d libraries as they are; the newest are of %s%n",
        found, libraries.size(), newest);
    return found == 0 ? 0 : 1;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path path : osv) {
      if (!Files.isDirectory(path)) {
        files.add(path);
        continue;
      }
      try (Stream<Path> inside = Files.list(path)) {
        inside.filter(file -> file.toString().endsWith(".zip")).sorted().forEach(files::add);
      } catch (IOException e) {
        throw new BadOptionException("--osv " + path + ": " + e.getMessage());
      }
    }
    return files;
  }
}
