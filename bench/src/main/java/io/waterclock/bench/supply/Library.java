package io.waterclock.bench.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.bench.run.BadOptionException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A library that a bill of materials lists.
 *
 * @param name {@code group:artifact}
 */
record Library(String name, String version) {
  private static final Pattern MAVEN = Pattern.compile("pkg:maven/([^/@]+)/([^/@]+)@([^?#]+).*");

  /**
   * The libraries from Maven repositories that a bill of materials in CycloneDX's JSON lists.
   *
   * @throws BadOptionException if the file cannot be read, or lists none
   */
  static List<Library> of(Path bom) {
    JsonNode root;
    try {
      root = JsonMapper.builder().build().readTree(bom.toFile());
    } catch (IOException e) {
      throw new BadOptionException(bom + ": no bill of materials in JSON: " + e.getMessage());
    }
    List<Library> libraries = new ArrayList<>();
    for (JsonNode component : root.path("components")) {
      Matcher maven = MAVEN.matcher(component.path("purl").asText());
      if (maven.matches()) {
        libraries.add(
            new Library(
                decoded(maven.group(1)) + ":" + decoded(maven.group(2)), decoded(maven.group(3))));
      }
    }
    if (libraries.isEmpty()) {
      throw new BadOptionException(
          bom + ": lists no library; wants CycloneDX with components that have a Maven purl");
    }
    return libraries;
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
