package io.waterclock.cli.source;

import io.waterclock.cli.source.QuartzTriggers.Common;
import io.waterclock.cli.source.QuartzTriggers.Gap;
import io.waterclock.cli.source.QuartzTriggers.Job;
import io.waterclock.cli.source.QuartzTriggers.JobData;
import java.io.IOException;
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * The file {@code quartz_data.xml} of Quartz's job scheduling data processor, versions 1.8 and 2.0.
 * A document type is refused, so entities expand to nothing and nothing else is opened.
 */
public final class QuartzXml {
  static final int USUAL_PRIORITY = 5;
  private static final String DEFAULT_GROUP = "DEFAULT";
  private static final Map<String, Integer> MISFIRES =
      Map.of(
          "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY", -1,
          "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW", 1,
          "MISFIRE_INSTRUCTION_FIRE_NOW", 1,
          "MISFIRE_INSTRUCTION_DO_NOTHING", 2);

  /** What is read of a file, or only says how Quartz loads it. */
  private static final Set<String> OF_FILE = Set.of("schedule", "processing-directives");

  private static final Set<String> OF_JOB =
      Set.of("name", "group", "description", "job-class", "durability", "recover", "job-data-map");

  private static final Set<String> OF_TRIGGER =
      Set.of(
          "name",
          "group",
          "description",
          "job-name",
          "job-group",
          "priority",
          "calendar-name",
          "job-data-map",
          "start-time",
          "start-time-seconds-in-future",
          "end-time",
          "misfire-instruction");

  /** What a kind of trigger has besides. */
  private static final Map<String, Set<String>> OF_KIND =
      Map.of(
          "cron", Set.of("cron-expression", "time-zone"),
          "simple", Set.of("repeat-interval", "repeat-count"),
          "calendar-interval", Set.of("repeat-interval", "repeat-interval-unit"));

  /** A file of Quartz is six elements deep; the JDK reads the text of an element by recursion. */
  private static final int MOST_NESTED = 100;

  private final MovingSettings settings;
  private final QuartzTriggers triggers;
  private final Map<String, Element> jobs = new LinkedHashMap<>();
  private final Set<String> started = new HashSet<>();

  private QuartzXml(MovingSettings settings) {
    this.settings = settings;
    this.triggers = new QuartzTriggers(settings);
  }

  /**
   * @throws BrokenSourceException if the text is not such a file
   */
  public static Moving read(String text, MovingSettings settings) {
    Element root = parse(text).getDocumentElement();
    if (!name(root).equals("job-scheduling-data")) {
      throw new BrokenSourceException(
          "the root element is <%s>, not <job-scheduling-data>".formatted(name(root)));
    }
    QuartzXml xml = new QuartzXml(settings);
    unknown(root, OF_FILE)
        .forEach(name -> xml.triggers.list().leave("<" + name + ">", "it has no equal"));
    for (Element schedule : children(root, "schedule")) {
      for (Element job : children(schedule, "job")) {
        xml.jobs.put(key(job, "name", "group"), job);
      }
      for (Element trigger : children(schedule, "trigger")) {
        xml.trigger(trigger);
      }
      unknown(schedule, Set.of("job", "trigger"))
          .forEach(name -> xml.triggers.list().leave("<" + name + ">", "it has no equal"));
    }
    xml.jobs.keySet().stream()
        .filter(job -> !xml.started.contains(job))
        .forEach(job -> xml.triggers.list().leave("job " + job, "no trigger starts it"));
    return xml.triggers.list().moved();
  }

  private static Document parse(String text) {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
    try {
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setAttribute("jdk.xml.maxElementDepth", MOST_NESTED);
      factory.setXIncludeAware(false);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new Strict());
      return builder.parse(new InputSource(new StringReader(text)));
    } catch (SAXParseException e) {
      throw new BrokenSourceException("line " + e.getLineNumber() + ": " + e.getMessage(), e);
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new BrokenSourceException("it is not XML: " + e.getMessage(), e);
    }
  }

  /** Prints nothing; what is wrong is thrown. */
  private static final class Strict implements ErrorHandler {
    @Override
    public void warning(SAXParseException e) {}

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }

  private void trigger(Element trigger) {
    for (Element kind : children(trigger)) {
      String key = key(kind, "name", "group");
      triggers.list().attempt("trigger " + key, () -> trigger(kind, common(kind, key)));
    }
  }

  private void trigger(Element kind, Common common) {
    switch (name(kind)) {
      case "cron" ->
          triggers.cron(common, text(kind, "cron-expression").orElse(""), text(kind, "time-zone"));
      case "simple" ->
          triggers.simple(
              common,
              Duration.ofMillis(number(kind, "repeat-interval").orElse(0)),
              number(kind, "repeat-count").orElse(0),
              0);
      case "calendar-interval" ->
          triggers.calendarInterval(
              common,
              number(kind, "repeat-interval").orElse(0),
              text(kind, "repeat-interval-unit").orElse("DAY"),
              Optional.empty(),
              Gap.MOVES_ALL_AFTER_IT);
      default -> triggers.unknown(common, name(kind));
    }
  }

  private Common common(Element trigger, String key) {
    String jobKey = key(trigger, "job-name", "job-group");
    Optional<Element> job = Optional.ofNullable(jobs.get(jobKey));
    started.add(jobKey);
    Map<String, String> data = new LinkedHashMap<>();
    job.ifPresent(known -> data.putAll(data(known)));
    data.putAll(data(trigger));
    Optional<Instant> start =
        time(trigger, "start-time")
            .or(
                () ->
                    text(trigger, "start-time-seconds-in-future")
                        .flatMap(text -> seconds(text, "start-time-seconds-in-future")));
    List<String> notes = new ArrayList<>();
    if (text(trigger, "start-time").isEmpty() && !name(trigger).equals("cron")) {
      notes.add(
          "It has no start-time, so Quartz counts from when it loads the file; here it counts from"
              + " the import.");
    }
    return new Common(
        key,
        new Job(
            jobKey,
            job.flatMap(known -> text(known, "job-class")).orElse(jobKey),
            text(trigger, "description").or(() -> job.flatMap(known -> text(known, "description"))),
            true,
            leftOut(trigger, job)),
        start,
        time(trigger, "end-time"),
        text(trigger, "calendar-name"),
        text(trigger, "misfire-instruction").map(name -> MISFIRES.getOrDefault(name, 0)).orElse(0),
        false,
        (int) number(trigger, "priority").orElse(USUAL_PRIORITY),
        new JobData(data, notes));
  }

  private static List<String> leftOut(Element trigger, Optional<Element> job) {
    Set<String> ofKind = OF_KIND.getOrDefault(name(trigger), Set.of());
    List<String> leftOut = new ArrayList<>();
    unknown(trigger, OF_TRIGGER).stream()
        .filter(name -> !ofKind.contains(name))
        .forEach(name -> leftOut.add("trigger." + name));
    Stream.concat(Stream.of(trigger), job.stream())
        .flatMap(parent -> children(parent, "job-data-map").stream())
        .flatMap(QuartzXml::unknownData)
        .forEach(leftOut::add);
    job.ifPresent(known -> unknown(known, OF_JOB).forEach(name -> leftOut.add("job." + name)));
    if (job.flatMap(known -> text(known, "recover")).filter("true"::equals).isPresent()) {
      leftOut.add(QuartzTriggers.RECOVERY);
    }
    return leftOut;
  }

  private static Stream<String> unknownData(Element map) {
    return Stream.concat(
            unknown(map, Set.of("entry")).stream(),
            children(map, "entry").stream()
                .flatMap(entry -> unknown(entry, Set.of("key", "value")).stream()))
        .map(name -> "job-data-map." + name);
  }

  /** The names of the children that are not known, each once. */
  private static List<String> unknown(Element parent, Set<String> known) {
    return children(parent).stream()
        .map(QuartzXml::name)
        .filter(name -> !known.contains(name))
        .distinct()
        .toList();
  }

  private Optional<Instant> seconds(String text, String field) {
    OptionalLong seconds = QuartzTriggers.number(text);
    if (seconds.isEmpty()) {
      throw new BrokenSourceException(field + " is no number: " + text);
    }
    return Optional.of(settings.now().plusSeconds(seconds.getAsLong()));
  }

  private Optional<Instant> time(Element parent, String field) {
    return text(parent, field)
        .map(
            text -> {
              try {
                return text.matches(".*(Z|[-+]\\d\\d:\\d\\d)")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).atZone(settings.zone()).toInstant();
              } catch (DateTimeException e) {
                throw new BrokenSourceException(field + " is no time: " + text, e);
              }
            });
  }

  private static Map<String, String> data(Element parent) {
    Map<String, String> data = new LinkedHashMap<>();
    for (Element map : children(parent, "job-data-map")) {
      for (Element entry : children(map, "entry")) {
        data.put(text(entry, "key").orElse(""), text(entry, "value").orElse(""));
      }
    }
    return data;
  }

  private static String key(Element element, String name, String group) {
    return text(element, group).orElse(DEFAULT_GROUP) + "/" + text(element, name).orElse("unnamed");
  }

  private static OptionalLong number(Element parent, String field) {
    Optional<String> text = text(parent, field);
    OptionalLong number = text.isEmpty() ? OptionalLong.empty() : QuartzTriggers.number(text.get());
    if (text.isPresent() && number.isEmpty()) {
      throw new BrokenSourceException(field + " is no number: " + text.get());
    }
    return number;
  }

  private static Optional<String> text(Element parent, String name) {
    return children(parent, name).stream()
        .findFirst()
        .map(element -> String.valueOf(element.getTextContent()).strip())
        .filter(text -> !text.isEmpty());
  }

  private static List<Element> children(Element parent, String name) {
    return children(parent).stream().filter(child -> name(child).equals(name)).toList();
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static String name(Element element) {
    return element.getLocalName();
  }
}
