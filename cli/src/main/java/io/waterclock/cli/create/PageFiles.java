package io.waterclock.cli.create;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a page: its first pom.xml, and its Java files, those with a package. The build runs
 * what is in a page, so a project that is made of it runs, too.
 */
final class PageFiles {
  private static final Pattern POM = Pattern.compile("```xml\\n(<project .*?)```", Pattern.DOTALL);
  private static final Pattern JAVA =
      Pattern.compile("```java\\n(package ([\\w.]+);.*?)```", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");

  private PageFiles() {}

  /**
   * The contents, by their paths in a project of Maven.
   *
   * @param page the name of a page in the resources of this package
   */
  static Map<String, String> of(String page) {
    String text = read(page);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", first(POM, text));
    Matcher java = JAVA.matcher(text);
    while (java.find()) {
      String type = first(TYPE, java.group(1));
      String folder = java.group(2).replace('.', '/');
      String kind = type.endsWith("Test") ? "test" : "main";
      files.put("src/%s/java/%s/%s.java".formatted(kind, folder, type), java.group(1));
    }
    return files;
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("the page has nothing like " + pattern);
    }
    return found.group(1);
  }

  private static String read(String page) {
    try (InputStream in = PageFiles.class.getResourceAsStream(page)) {
      return new String(Objects.requireNonNull(in, page).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
