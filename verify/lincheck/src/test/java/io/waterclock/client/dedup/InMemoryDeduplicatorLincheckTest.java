package io.waterclock.client.dedup;

import io.waterclock.lincheck.Orders;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Threads that run handlers claim fires, and give some of them back. */
class InMemoryDeduplicatorLincheckTest {
  private static final int CAPACITY = 2;

  /** What is checked. */
  @Param(name = "fire", gen = IntGen.class, conf = "1:3")
  public static class Claims {
    private final InMemoryDeduplicator ids = new InMemoryDeduplicator(CAPACITY);

    @Operation
    public boolean claim(@Param(name = "fire") int fire) {
      return ids.claim(String.valueOf(fire));
    }

    @Operation
    public void release(@Param(name = "fire") int fire) {
      ids.release(String.valueOf(fire));
    }
  }

  /** The latest ids, oldest first. */
  public static class Specification {
    private final List<Integer> latest = new ArrayList<>();

    public boolean claim(int fire) {
      if (latest.contains(fire)) {
        return false;
      }
      latest.add(fire);
      if (latest.size() > CAPACITY) {
        latest.remove(0);
      }
      return true;
    }

    public void release(int fire) {
      latest.remove(Integer.valueOf(fire));
    }
  }

  @Test
  void orders_of_switches() {
    Orders.ofSwitches(Claims.class, Specification.class);
  }
}
