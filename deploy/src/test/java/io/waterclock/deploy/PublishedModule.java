package io.waterclock.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A module that users depend on, and its pom as written.
 *
 * @param dir the module's folder
 */
record PublishedModule(Path dir, Document pom) {
  /** The root, which holds what all poms inherit. It is not published. */
  static final PublishedModule PARENT = in(Documents.ROOT);

  /** All modules of the build that are published, in its order. */
  static List<PublishedModule> all() {
    return modules().filter(PublishedModule::isPublished).toList();
  }

  /** What published modules have as their parent: the root, and others. */
  static List<PublishedModule> parents() {
    Set<String> names =
        all().stream()
            .flatMap(module -> module.texts("/project/parent/artifactId").stream())
            .collect(Collectors.toSet());
    return modules().filter(module -> names.contains(module.artifactId())).toList();
  }

  private static Stream<PublishedModule> modules() {
    List<PublishedModule> modules = new ArrayList<>(List.of(PARENT));
    addModulesBelow(PARENT, modules);
    return modules.stream();
  }

  private static void addModulesBelow(PublishedModule parent, List<PublishedModule> modules) {
    for (String name : parent.texts("/project/modules/module")) {
      PublishedModule module = in(parent.dir.resolve(name));
      modules.add(module);
      addModulesBelow(module, modules);
    }
  }

  private static PublishedModule in(Path dir) {
    try {
      return new PublishedModule(
          dir,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(dir.resolve("pom.xml").toFile()));
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(dir + " has no readable pom.xml", e);
    }
  }

  String artifactId() {
    return text("/project/artifactId").orElseThrow();
  }

  String version() {
    return text("/project/version").orElseThrow();
  }

  private boolean isPublished() {
    return texts("/project/properties/maven.deploy.skip").contains("false");
  }

  boolean isJar() {
    return text("/project/packaging").isEmpty();
  }

  boolean hasSources() {
    return Files.isDirectory(dir.resolve("src/main/java"));
  }

  /** The text of one element or attribute that is there and not blank. */
  Optional<String> text(String xpath) {
    return texts(xpath).stream().findFirst().filter(text -> !text.isBlank());
  }

  List<String> texts(String xpath) {
    try {
      List<String> texts = new ArrayList<>();
      for (Node node :
          XPathFactory.newInstance().newXPath().evaluateExpression(xpath, pom, XPathNodes.class)) {
        texts.add(node.getTextContent().strip());
      }
      return texts;
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(xpath, e);
    }
  }

  @Override
  public String toString() {
    return artifactId();
  }
}
