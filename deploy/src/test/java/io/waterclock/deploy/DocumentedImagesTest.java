package io.waterclock.deploy;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The images of the pages. */
final class DocumentedImagesTest {
  private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]+]\\((images/[^)]+)\\)");
  private static final Path DOCS = Documents.ROOT.resolve("docs");
  private static final long MOST_BYTES = 150_000;

  @Test
  void every_image_that_a_page_shows_exists_is_small_and_no_other_is_kept() throws IOException {
    Set<String> shown = new TreeSet<>();
    for (Path page : files(DOCS, ".md")) {
      IMAGE
          .matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .forEach(shown::add);
    }
    Set<String> kept =
        files(DOCS.resolve("images"), ".png").stream()
            .map(image -> "images/" + image.getFileName())
            .collect(toCollection(TreeSet::new));
    assertThat(kept).isNotEmpty().isEqualTo(shown);
    for (String image : kept) {
      assertThat(DOCS.resolve(image).toFile().length()).as(image).isLessThan(MOST_BYTES);
    }
  }

  private static Set<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(end)).collect(toCollection(TreeSet::new));
    }
  }
}
