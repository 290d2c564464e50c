package io.waterclock.schemas.registry;

import io.waterclock.lincheck.Orders;
import io.waterclock.schemas.SchemaSource.Lookup;
import io.waterclock.schemas.UndecodableException.Reason;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Stream threads look schemas up while one thread requests them: each wish has a round of requests,
 * and no two rounds run at a time.
 */
class RegistryStateLincheckTest {
  private static final Schema SCHEMA = Schema.create(Schema.Type.INT);

  /** What is checked. */
  @Param(name = "id", gen = IntGen.class, conf = "1:2")
  public static class State {
    private static final Lookup KNOWN = new Lookup.Known(SCHEMA);
    private static final Lookup REFUSED = new Lookup.Refused(Reason.UNKNOWN_SCHEMA, "unknown");
    private static final Lookup UNAVAILABLE = new Lookup.Unavailable("no answer");

    private final RegistryState state = new RegistryState(new KeptSchemas(() -> 0, 1, 10));
    private int requested;

    @Operation
    public String lookup(@Param(name = "id") int id) {
      int[] rounds = {0};
      Optional<Lookup> found = state.findOrWant(id, () -> rounds[0]++);
      return text(found.map(answer -> answer.getClass().getSimpleName()), rounds[0]);
    }

    /** The id; 0 for none. */
    @Operation(nonParallelGroup = "requesting thread")
    public int next() {
      requested = state.next(Set.of()).orElse(0);
      return requested;
    }

    @Operation(nonParallelGroup = "requesting thread")
    public void known() {
      keep(KNOWN);
    }

    @Operation(nonParallelGroup = "requesting thread")
    public void refused() {
      keep(REFUSED);
    }

    @Operation(nonParallelGroup = "requesting thread")
    public void unavailable() {
      keep(UNAVAILABLE);
    }

    private void keep(Lookup answer) {
      if (requested > 0) {
        state.keep(requested, answer);
      }
    }

    /** How many rounds have begun. */
    @Operation(nonParallelGroup = "requesting thread")
    public int roundEnded() {
      int[] rounds = {0};
      state.roundEnded(() -> rounds[0]++);
      return rounds[0];
    }
  }

  /** Answers by id, and the wanted ids, oldest first. */
  public static class Specification {
    private final Map<Integer, String> answers = new HashMap<>();
    private final Set<Integer> wanted = new LinkedHashSet<>();
    private boolean isByAge;
    private boolean isRound;
    private int requested;

    public String lookup(int id) {
      if (answers.containsKey(id)) {
        return text(Optional.of(answers.get(id)), 0);
      }
      wanted.add(id);
      return text(Optional.empty(), begin());
    }

    private int begin() {
      int begun = isRound ? 0 : 1;
      isRound = true;
      return begun;
    }

    public int next() {
      isByAge = !isByAge;
      if (wanted.isEmpty()) {
        requested = 0;
      } else {
        requested = isByAge ? wanted.iterator().next() : Collections.min(wanted);
      }
      return requested;
    }

    public void known() {
      keep("Known");
    }

    /** A schema that is known stays known. */
    public void refused() {
      if (!"Known".equals(answers.get(requested))) {
        keep("Refused");
      }
    }

    private void keep(String answer) {
      if (requested > 0) {
        wanted.remove(requested);
        answers.put(requested, answer);
      }
    }

    public void unavailable() {
      if (requested > 0) {
        wanted.remove(requested);
        wanted.add(requested);
      }
    }

    public int roundEnded() {
      isRound = false;
      return wanted.isEmpty() ? 0 : begin();
    }
  }

  private static String text(Optional<String> answer, int rounds) {
    return answer.orElse("wanted") + ", rounds begun: " + rounds;
  }

  @Test
  void orders_of_switches() {
    Orders.ofSwitches(State.class, Specification.class);
  }
}
