package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;

/** Notes about records that ended threads, in the metadata of an offset, where tools write too. */
final class NotedDeathsFuzzTest {
  @FuzzTest
  @DictionaryEntries({
    "17 2 cause\\x0a",
    "17 by-hand x\\x0a",
    "-9223372036854775808 ",
    "2147483647 "
  })
  void metadata(@NotNull String metadata) {
    NotedDeaths read = NotedDeaths.parse(metadata);
    NotedDeaths again = NotedDeaths.parse(read.text());
    assertThat(again.text()).isEqualTo(read.text());
    for (NotedDeaths.Note note : read.notes()) {
      note.verdict().ifPresent(why -> assertThat(why).isNotBlank());
    }
    NotedDeaths later = read.died(17, "a new cause");
    assertThat(later.find(17)).isPresent();
    assertThat(NotedDeaths.parse(later.text()).find(17)).isPresent();
  }
}
