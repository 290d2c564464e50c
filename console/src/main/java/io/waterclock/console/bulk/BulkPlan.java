package io.waterclock.console.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.access.Access;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.text.InvalidValueException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What an action would change. Immutable.
 *
 * @param ids of the schedules, ascending; at most {@value #MOST}
 * @param notAllowed how many others match for which the person has not the role
 * @param unaffected how many others match that are in that state already
 * @param unknown some of the ids that are left unchanged because the definition in force is unknown
 * @param isCut whether more than {@value #MOST} match
 */
public record BulkPlan(
    List<String> ids,
    long notAllowed,
    long unaffected,
    List<String> unknown,
    long unknownCount,
    boolean isCut) {
  public static final int MOST = 100_000;

  /** The most steps of a condition: one or two seconds of a processor. */
  private static final long MOST_STEPS = 500_000_000;

  private static final int SHOWN = 20;

  public BulkPlan {
    ids = List.copyOf(ids);
    unknown = List.copyOf(unknown);
  }

  /**
   * Looks at what the console knows. Takes some microseconds a schedule.
   *
   * @param access schedules that it does not see are not counted at all
   * @throws InvalidValueException if the condition takes more than {@value #MOST_STEPS} steps
   */
  public static BulkPlan of(ReadModel model, Chosen chosen, BulkAction action, Access access) {
    List<String> ids = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    long notAllowed = 0;
    long unaffected = 0;
    long unknownCount = 0;
    long steps = 0;
    boolean isCut = false;
    for (String id :
        chosen.candidates(id -> model.read(all -> all.ids(id))).stream()
            .sorted()
            .distinct()
            .toList()) {
      Optional<KnownSchedule> known =
          access.sees(id)
              ? model.read(all -> all.schedule(id)).flatMap(access::shown)
              : Optional.empty();
      if (known.isEmpty()) {
        continue;
      }
      steps += chosen.steps(known.get());
      if (steps > MOST_STEPS) {
        throw new InvalidValueException(
            "where takes too long for so many schedules; choose fewer by a prefix or a state, or"
                + " compare fewer or shorter fields",
            "owner = acme");
      }
      if (chosen.needsDefinition() && !known.get().isDefinitionKnown()) {
        unknownCount++;
        if (unknown.size() < SHOWN) {
          unknown.add(id);
        }
      } else if (chosen.matches(known.get())) {
        if (!access.may(action.kind().role(), id)) {
          notAllowed++;
        } else if (!action.applies(known.get())) {
          unaffected++;
        } else if (ids.size() == MOST) {
          isCut = true;
        } else {
          ids.add(id);
        }
      }
    }
    return new BulkPlan(ids, notAllowed, unaffected, unknown, unknownCount, isCut);
  }

  /** Equal for equal schedules: who confirms a count names what was counted. */
  public String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String id : ids) {
        digest.update(id.getBytes(UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
