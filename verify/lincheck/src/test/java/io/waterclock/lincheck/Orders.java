package io.waterclock.lincheck;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Runs random scenarios of a few calls from two threads. In each, the results of the calls must be
 * those of the same calls one after another, in an order that keeps the order of each thread and
 * begins no call before one that had ended earlier. A class of operations says what may be called;
 * a specification has the same methods, for one thread.
 *
 * <p>{@code -Dwaterclock.lincheck=N} runs N scenarios. A failure prints its scenario and the
 * switches between threads.
 */
public final class Orders {
  private static final int SCENARIOS = Integer.getInteger("waterclock.lincheck", 10);

  private Orders() {}

  /** Switches between the threads at chosen places: up to 100 orders of each scenario. */
  public static void ofSwitches(Class<?> operations, Class<?> specification) {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(1)
        .sequentialSpecification(specification)
        // a schema is immutable, and writes itself as text in thousands of steps
        .addGuarantee(forClasses(Orders::isAvro).allMethods().ignore())
        .check(operations);
  }

  private static boolean isAvro(String className) {
    return className.startsWith("org.apache.avro.");
  }
}
