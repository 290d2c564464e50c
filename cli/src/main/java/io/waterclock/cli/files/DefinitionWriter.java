package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Writes schedules, calendars and limits as documents of a YAML file that {@link DefinitionFiles}
 * reads as the same definitions. Not thread-safe.
 */
public final class DefinitionWriter {
  /** Texts that every version of YAML reads as texts. */
  private static final Pattern PLAIN =
      Pattern.compile("(?!(?i:y|yes|n|no|on|off|true|false|null)$)[A-Za-z][A-Za-z0-9._/-]*");

  private final Appendable out;
  private final Dump dump =
      new Dump(
          DumpSettings.builder()
              .setDefaultFlowStyle(FlowStyle.BLOCK)
              .setSplitLines(false)
              .setIndicatorIndent(2)
              .setIndentWithIndicator(true)
              .build());

  public DefinitionWriter(Appendable out) {
    this.out = out;
  }

  /**
   * Writes a schedule.
   *
   * @param comments lines for people before it
   * @throws UncheckedIOException if the output fails
   */
  public void schedule(String id, Schedule schedule, List<String> comments) {
    document("schedule", id, RecordCodecs.schedule().toJson(schedule), comments);
  }

  /**
   * Writes a schedule from its JSON form; the scheduler, not this class, checks the form.
   *
   * @throws UncheckedIOException if the output fails
   */
  public void schedule(String id, JsonNode form, List<String> comments) {
    document("schedule", id, form, comments);
  }

  /**
   * Writes a calendar.
   *
   * @param comments lines for people before it
   * @throws UncheckedIOException if the output fails
   */
  public void calendar(String name, Calendar calendar, List<String> comments) {
    document("calendar", name, RecordCodecs.calendar().toJson(calendar), comments);
  }

  /**
   * Writes a limit without its pause, which is a person's and not the file's.
   *
   * @param comments lines for people before it
   * @throws UncheckedIOException if the output fails
   */
  public void limit(String name, Limit limit, List<String> comments) {
    Limit lasting = Limit.newBuilder(limit).setPaused(null).build();
    document("limit", name, RecordCodecs.limit().toJson(lasting), comments);
  }

  private void document(String kind, String name, JsonNode form, List<String> comments) {
    List<NodeTuple> fields = new ArrayList<>(List.of(tuple(kind, text(name))));
    form.properties().forEach(field -> fields.add(tuple(field.getKey(), node(field.getValue()))));
    try {
      out.append("---\n");
      for (String comment : comments) {
        out.append("# ").append(SafeText.line(comment)).append('\n');
      }
      dump.dumpNode(mapping(fields), new Output(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Node node(JsonNode value) {
    if (value.isObject()) {
      List<NodeTuple> fields = new ArrayList<>();
      value
          .properties()
          .forEach(field -> fields.add(tuple(field.getKey(), node(field.getValue()))));
      return mapping(fields);
    }
    if (value.isArray()) {
      List<Node> items = new ArrayList<>();
      value.forEach(item -> items.add(node(item)));
      boolean isShort = items.stream().allMatch(ScalarNode.class::isInstance);
      return new SequenceNode(Tag.SEQ, items, isShort ? FlowStyle.FLOW : FlowStyle.BLOCK);
    }
    return value.isTextual()
        ? text(value.textValue())
        : new ScalarNode(tag(value), value.asText(), ScalarStyle.PLAIN);
  }

  private static Tag tag(JsonNode value) {
    if (value.isNumber()) {
      return value.isIntegralNumber() ? Tag.INT : Tag.FLOAT;
    }
    return value.isBoolean() ? Tag.BOOL : Tag.NULL;
  }

  private static MappingNode mapping(List<NodeTuple> fields) {
    return new MappingNode(Tag.MAP, fields, fields.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
  }

  private static NodeTuple tuple(String name, Node value) {
    return new NodeTuple(text(name), value);
  }

  private static Node text(String text) {
    boolean isPlain = PLAIN.matcher(text).matches();
    return new ScalarNode(Tag.STR, text, isPlain ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
  }

  private record Output(Appendable out) implements StreamDataWriter {
    @Override
    public void write(String text) {
      write(text, 0, text.length());
    }

    @Override
    public void write(String text, int offset, int length) {
      try {
        out.append(text, offset, offset + length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
