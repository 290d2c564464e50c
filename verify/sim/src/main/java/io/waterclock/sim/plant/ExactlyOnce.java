package io.waterclock.sim.plant;

import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Fault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Fires, missed ranges and progress commit in one transaction, of the one owner. */
final class ExactlyOnce {
  private ExactlyOnce() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put(
        "a commit stores no offsets",
        () ->
            new Tampering() {
              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                return Map.of();
              }
            });
    all.put(
        "a commit stores offsets too far",
        () ->
            new Tampering() {
              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                Map<Place, Long> all = new HashMap<>();
                offsets.forEach((place, offset) -> all.put(place, offset + 1));
                return all;
              }
            });
    all.put(
        "offsets are committed outside the transaction",
        () ->
            new Tampering() {
              @Override
              public boolean isAtomic() {
                return false;
              }
            });
    all.put(
        "records are sent outside the transaction",
        () ->
            new Tampering() {
              @Override
              public boolean isTransactional() {
                return false;
              }
            });
    all.put(
        "a zombie is not fenced",
        () ->
            new Tampering() {
              @Override
              public boolean isFenced() {
                return false;
              }
            });
    all.put(
        "a zombie that has read nothing is not fenced",
        () ->
            new Tampering() {
              @Override
              public boolean repeatsBeginnings() {
                return false;
              }
            });
    all.put(
        "a zombie is fenced only at every second turn of its producers",
        () ->
            new Tampering() {
              @Override
              public boolean isFenced() {
                return ++count % 2 == 0;
              }
            });
    all.put(
        "a producer begins before the transaction of the other is decided",
        () ->
            new Tampering() {
              @Override
              public boolean decides() {
                return ++count % 4 != 0;
              }
            });
    all.put(
        "the offsets of the earlier transaction win",
        () ->
            new Tampering() {
              private Map<Place, Long> earlier = Map.of();

              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                Map<Place, Long> stored = new HashMap<>(offsets);
                if (++count % 2 == 0) {
                  stored.replaceAll((place, offset) -> earlier.getOrDefault(place, offset));
                }
                earlier = offsets;
                return stored;
              }
            });
    return all;
  }
}
