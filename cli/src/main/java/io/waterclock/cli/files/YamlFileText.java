package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads the documents of a YAML file with the types of JSON: a plain text is a number, true, false
 * or null only if JSON says so. Aliases are read; together they may make a file at most {@value
 * #MOST_VALUES} values long, so that aliases of aliases cost no more than their text. For one
 * thread.
 */
final class YamlFileText {
  private static final int MOST_VALUES = 2_000_000;

  /** What the reader of JSON takes at most as a number: else a number would come back as text. */
  private static final int LONGEST_NUMBER = 1000;

  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9]\\d*)");
  private static final Pattern DECIMAL =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?");
  private static final Set<String> TAGS =
      Set.of("!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map");

  private final Iterator<Event> events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int values;

  /**
   * A value with a name.
   *
   * @param size how many values it has, with itself
   * @param depth how deeply they are nested; 1 for a scalar
   */
  private record Anchored(JsonNode value, int size, int depth) {
    static Anchored of(JsonNode value) {
      int size = 1;
      int depth = 0;
      for (JsonNode inside : value) {
        Anchored part = of(inside);
        size += part.size;
        depth = Math.max(depth, part.depth);
      }
      return new Anchored(value, size, depth + 1);
    }
  }

  private YamlFileText(String text) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    this.events = new Parse(settings).parseString(text).iterator();
  }

  /**
   * Hands over each document, or each item of a document that is a list.
   *
   * @throws BrokenFileException at the first line that is not YAML; the documents before it were
   *     handed over
   */
  static void read(String text, Consumer<Located> each) throws BrokenFileException {
    try {
      new YamlFileText(text).read(each);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(mark -> mark.getLine() + 1).orElse(1);
      throw new BrokenFileException(
          line,
          "is not YAML: %s; quote values that begin with * or @, such as cron: \"*/5 * * * *\""
              .formatted(String.valueOf(e.getProblem()).replaceAll("\\s+", " ")));
    } catch (YamlEngineException e) {
      throw new BrokenFileException(1, "is not YAML: " + e.getMessage());
    }
  }

  private void read(Consumer<Located> each) throws BrokenFileException {
    while (events.hasNext()) {
      if (!(events.next() instanceof DocumentStartEvent)) {
        continue;
      }
      anchors.clear();
      Event first = events.next();
      if (first instanceof SequenceStartEvent) {
        for (Event item = events.next(); item instanceof NodeEvent; item = events.next()) {
          each.accept(located(item));
        }
      } else {
        each.accept(located(first));
      }
    }
  }

  private Located located(Event event) throws BrokenFileException {
    Map<String, Integer> lines = new HashMap<>();
    return new Located(value(event, new Located.Path("", 0, lines)), line(event), lines);
  }

  private JsonNode value(Event event, Located.Path at) throws BrokenFileException {
    if (at.depth() > Located.MOST_DEPTH) {
      throw new BrokenFileException(line(event), "is nested too deeply");
    }
    count(1, event);
    if (event instanceof AliasEvent alias) {
      Anchored known = anchors.get(alias.getAlias());
      if (known == null) {
        throw new BrokenFileException(
            line(event), "names *%s, which no value before it is".formatted(alias.getAlias()));
      }
      if (at.depth() + known.depth() > Located.MOST_DEPTH + 1) {
        throw new BrokenFileException(line(event), "is nested too deeply");
      }
      count(known.size(), event);
      return known.value().deepCopy();
    }
    Optional<String> tag =
        event instanceof CollectionStartEvent collection
            ? collection.getTag()
            : ((ScalarEvent) event).getTag();
    if (tag.filter(name -> !TAGS.contains(name)).isPresent()) {
      throw new BrokenFileException(
          line(event), "has the tag " + tag.get() + "; write the value alone");
    }
    Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
    JsonNode value =
        event instanceof ScalarEvent scalar
            ? scalar(scalar)
            : event instanceof MappingStartEvent ? object(at) : array(at);
    anchor.ifPresent(name -> anchors.put(name, Anchored.of(value)));
    return value;
  }

  private ObjectNode object(Located.Path at) throws BrokenFileException {
    ObjectNode object = Located.NODES.objectNode();
    for (Event key = events.next(); key instanceof NodeEvent; key = events.next()) {
      if (!(key instanceof ScalarEvent name)) {
        throw new BrokenFileException(line(key), "has a key that is no text");
      }
      if (name.getValue().equals("<<") && name.isPlain()) {
        throw new BrokenFileException(line(key), "has a merge key (<<); write the fields instead");
      }
      if (object.has(name.getValue())) {
        throw new BrokenFileException(line(key), name.getValue() + " is given twice");
      }
      Located.Path field = at.field(name.getValue(), line(key));
      object.set(name.getValue(), value(events.next(), field));
    }
    return object;
  }

  private ArrayNode array(Located.Path at) throws BrokenFileException {
    ArrayNode array = Located.NODES.arrayNode();
    for (Event item = events.next(); item instanceof NodeEvent; item = events.next()) {
      array.add(value(item, at.item(array.size(), line(item))));
    }
    return array;
  }

  private static JsonNode scalar(ScalarEvent event) throws BrokenFileException {
    String text = event.getValue();
    if (!event.isPlain() || event.getTag().isPresent()) {
      return Located.NODES.textNode(text);
    }
    return switch (text) {
      case "", "null", "~" -> Located.NODES.nullNode();
      case "true" -> Located.NODES.booleanNode(true);
      case "false" -> Located.NODES.booleanNode(false);
      default -> {
        if (text.length() > LONGEST_NUMBER || !DECIMAL.matcher(text).matches()) {
          yield Located.NODES.textNode(text);
        }
        yield INTEGER.matcher(text).matches() ? integer(new BigInteger(text)) : decimal(event);
      }
    };
  }

  private static JsonNode decimal(ScalarEvent event) throws BrokenFileException {
    try {
      return Located.NODES.numberNode(new BigDecimal(event.getValue()));
    } catch (NumberFormatException e) {
      throw new BrokenFileException(line(event), "has a number whose exponent is too large");
    }
  }

  private static JsonNode integer(BigInteger number) {
    return number.bitLength() < Long.SIZE
        ? Located.NODES.numberNode(number.longValue())
        : Located.NODES.numberNode(number);
  }

  private void count(int more, Event event) throws BrokenFileException {
    values += more;
    if (values > MOST_VALUES) {
      throw new BrokenFileException(
          line(event), "makes the file more than " + MOST_VALUES + " values long");
    }
  }

  private static int line(Event event) {
    return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
