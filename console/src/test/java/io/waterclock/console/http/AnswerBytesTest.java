package io.waterclock.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

final class AnswerBytesTest {
  private final BytesUnderWay underWay = new BytesUnderWay();

  /** Six bytes for each character. */
  private static JsonNode controls(int characters) {
    return new TextNode("\u0001".repeat(characters));
  }

  private boolean allIsFree() {
    boolean isFree = underWay.take("other", BytesUnderWay.MOST);
    if (isFree) {
      underWay.giveBack("other", BytesUnderWay.MOST);
    }
    return isFree;
  }

  @Test
  void answer_that_gets_longer_than_all_the_room_is_not_made() {
    assertThat(AnswerBytes.of(controls(6 << 20), underWay, "ann")).isEmpty();
    assertThat(allIsFree()).isTrue();
  }

  @Test
  void answer_holds_its_room_until_it_is_given_back() {
    int length = AnswerBytes.of(controls(1 << 20), underWay, "ann").orElseThrow().length;
    assertThat(length).isEqualTo((6 << 20) + 2);
    assertThat(AnswerBytes.of(controls(1 << 20), underWay, "ann")).as("a second").isEmpty();
    assertThat(AnswerBytes.of(controls(1 << 20), underWay, "bob")).as("of another").isPresent();
    underWay.giveBack("ann", length);
    underWay.giveBack("bob", length);
    assertThat(allIsFree()).isTrue();
  }

  @Test
  void small_answer_is_made_while_all_the_room_is_taken() {
    assertThat(underWay.take("ann", BytesUnderWay.MOST)).isTrue();
    byte[] made = AnswerBytes.of(new TextNode("\u00e4"), underWay, "ann").orElseThrow();
    assertThat(new String(made, UTF_8)).isEqualTo("\"\u00e4\"");
  }

  @Test
  void json_text_is_the_answer_as_it_is() {
    HttpAnswer answer = HttpAnswer.json("{\"a\":1}");
    byte[] made = AnswerBytes.of(answer.body(), underWay, "ann").orElseThrow();
    assertThat(new String(made, UTF_8)).isEqualTo("{\"a\":1}");
  }
}
