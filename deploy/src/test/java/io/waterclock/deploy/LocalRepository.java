package io.waterclock.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A local Maven repository as {@code mvn install} would leave it: the libraries of the repository
 * of this build, by links, and the artifacts of this build. The repository of this build does not
 * change.
 */
record LocalRepository(Path root) implements AutoCloseable {
  private static final Path OF_THIS_BUILD =
      Path.of(System.getProperty("waterclock.repository", "repository"));

  /** Makes one in a folder that does not exist yet. */
  static LocalRepository in(Path root) throws IOException {
    LocalRepository repository = new LocalRepository(root);
    repository.fill();
    return repository;
  }

  private void fill() throws IOException {
    link(OF_THIS_BUILD, root, "io");
    link(OF_THIS_BUILD.resolve("io"), root.resolve("io"), "waterclock");
    PublishedModule parent = PublishedModule.PARENT;
    for (PublishedModule above : PublishedModule.parents()) {
      install(above, above.dir().resolve("pom.xml"), ".pom");
    }
    for (PublishedModule module : PublishedModule.all()) {
      Path target = module.dir().resolve("target");
      Path flat = target.resolve(module.artifactId() + ".pom");
      install(module, Files.exists(flat) ? flat : module.dir().resolve("pom.xml"), ".pom");
      if (module.isJar()) {
        String name = module.artifactId() + "-" + parent.version() + ".jar";
        install(module, target.resolve(name), ".jar");
      }
    }
  }

  /** Removes the links, lest a cleaner of folders follow them. */
  @Override
  public void close() throws IOException {
    for (Path folder : List.of(root, root.resolve("io"))) {
      try (Stream<Path> entries = Files.list(folder)) {
        for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
          Files.delete(link);
        }
      }
    }
  }

  /** Links to everything in a folder but one. */
  private static void link(Path from, Path to, String except) throws IOException {
    Files.createDirectories(to);
    List<Path> entries;
    try (Stream<Path> all = Files.list(from)) {
      entries = all.filter(entry -> !entry.getFileName().toString().equals(except)).toList();
    }
    for (Path entry : entries) {
      Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
    }
  }

  private void install(PublishedModule module, Path file, String extension) throws IOException {
    String version = PublishedModule.PARENT.version();
    Path target = root.resolve("io/waterclock").resolve(module.artifactId()).resolve(version);
    Files.createDirectories(target);
    Files.copy(file, target.resolve(module.artifactId() + "-" + version + extension));
  }
}
