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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A library that a bill of materials lists.
 *
 * @param published where advisories may name it: a webjar is a Maven artifact that holds a package
 *     of npm
 */
record Library(String version, List<Published> published) {
  private static final Pattern PURL =
      Pattern.compile("pkg:(maven|npm)/(?:(@?[^/@]+)/)?([^/@]+)@([^?#]+).*");

  /** The webjars that are packages of npm, with the version that npm has. */
  private static final String WEBJARS = "org.webjars.npm";

  /** A package: {@code group:artifact} of Maven, {@code name} or {@code @scope/name} of npm. */
  record Published(Ecosystem ecosystem, String name) {}

  /**
   * The libraries from Maven repositories and npm that a bill of materials in CycloneDX's JSON
   * lists.
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
      Matcher purl = PURL.matcher(component.path("purl").asText());
      if (purl.matches()) {
        Optional<String> space = Optional.ofNullable(purl.group(2)).map(Library::decoded);
        String name = decoded(purl.group(3));
        libraries.add(
            new Library(
                decoded(purl.group(4)),
                purl.group(1).equals("npm")
                    ? List.of(npm(space, name))
                    : maven(space.orElse(""), name)));
      }
    }
    if (libraries.isEmpty()) {
      throw new BadOptionException(
          bom + ": lists no library; wants CycloneDX with components that have a purl");
    }
    return libraries;
  }

  /** As the bill of materials has it. */
  String name() {
    return published.get(0).name();
  }

  private static Published npm(Optional<String> scope, String name) {
    return new Published(Ecosystem.NPM, scope.map(it -> it + "/").orElse("") + name);
  }

  private static List<Published> maven(String group, String artifact) {
    Published maven = new Published(Ecosystem.MAVEN, group + ":" + artifact);
    if (!group.equals(WEBJARS)) {
      return List.of(maven);
    }
    int scope = artifact.indexOf("__"); // babel__core is @babel/core
    return List.of(
        maven,
        scope < 1
            ? npm(Optional.empty(), artifact)
            : npm(Optional.of("@" + artifact.substring(0, scope)), artifact.substring(scope + 2)));
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
