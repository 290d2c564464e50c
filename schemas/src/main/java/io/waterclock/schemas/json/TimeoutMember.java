package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/** How long a run may take: a duration, or {@code "none"} for no limit. */
record TimeoutMember(int msPos, int nonePos) implements Member {
  private static final String TIMEOUT = "timeout";
  private static final String NONE = "none";
  private static final TextForm TEXT =
      new TextForm(
          "a duration or \"none\"",
          TextForm.DURATION_MS.toText(),
          TextForm.DURATION_MS.parser(),
          TextForm.DURATION_MS.exampleText());

  @Override
  public List<String> names() {
    return List.of(TIMEOUT);
  }

  @Override
  public void write(SpecificRecordBase record, ObjectNode to) {
    Optional.ofNullable(record.get(msPos)).ifPresent(ms -> to.set(TIMEOUT, TEXT.write(ms)));
    if ((Boolean) record.get(nonePos)) {
      to.put(TIMEOUT, NONE);
    }
  }

  @Override
  public void read(ObjectNode from, SpecificRecordBase record, Reading at) {
    Optional<JsonNode> value = Member.value(from, TIMEOUT);
    if (value.filter(TimeoutMember::isNone).isPresent()) {
      record.put(nonePos, true);
    } else {
      value
          .flatMap(node -> TEXT.read(node, at.field(TIMEOUT)))
          .ifPresent(ms -> record.put(msPos, ms));
    }
  }

  @Override
  public String example(String ignored) {
    return TEXT.example();
  }

  private static boolean isNone(JsonNode node) {
    return node.isTextual() && node.textValue().strip().equalsIgnoreCase(NONE);
  }
}
