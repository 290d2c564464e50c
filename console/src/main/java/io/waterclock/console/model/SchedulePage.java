package io.waterclock.console.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param total how many schedules fit the filter
 * @param after where the next page begins; empty on the last page
 * @param isCut true if not all schedules were searched, so that more may fit
 */
public record SchedulePage(
    @JsonProperty("schedules") List<ScheduleRow> rows,
    long total,
    Optional<String> after,
    @JsonProperty("cut") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean isCut) {

  /** What schedules have by which a list can be sorted. */
  public enum Column {
    ID,
    STATE,
    TRIGGER,
    ZONE,
    OWNER,
    NEXT,
    LAST_FIRED,
    LAST_OUTCOME
  }

  /**
   * The order of a list. What a schedule does not have comes last; equal schedules are in the order
   * of their ids.
   */
  public record Order(Column column, boolean isDescending) {
    public static final Order BY_ID = new Order(Column.ID, false);

    /**
     * Reads a column, with a minus before it for the reverse order, such as {@code -last_fired}.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public static Order parse(String text) {
      boolean isDescending = text.startsWith("-");
      return new Order(
          Column.valueOf(text.substring(isDescending ? 1 : 0).toUpperCase(Locale.ROOT)),
          isDescending);
    }

    /** Compares places of this order. */
    Comparator<Place> comparator() {
      Comparator<Place> byValue =
          Comparator.comparingLong(Place::number).thenComparing(Place::text);
      return Comparator.comparing(Place::isMissing)
          .thenComparing(isDescending ? byValue.reversed() : byValue)
          .thenComparing(Place::id);
    }

    /** A place as a text for the address of the next page. */
    String address(Place place) {
      return column == Column.ID
          ? place.id()
          : place.isMissing()
              + " "
              + place.number()
              + " "
              + place.text().length()
              + " "
              + place.text()
              + place.id();
    }

    /**
     * @throws IllegalArgumentException if it is no {@link #address} of this order
     */
    Place place(String address) {
      if (column == Column.ID) {
        return Place.of(address, address);
      }
      String[] parts = address.split(" ", 4);
      int length = parts.length < 4 ? -1 : Integer.parseInt(parts[2]);
      if (length < 0 || length > parts[3].length()) {
        throw new IllegalArgumentException("it is of no page in this order");
      }
      return new Place(
          parts[3].substring(length),
          Boolean.parseBoolean(parts[0]),
          Long.parseLong(parts[1]),
          parts[3].substring(0, length));
    }
  }

  /**
   * Where a schedule stands in an order.
   *
   * @param number what it is sorted by, if that is a number; otherwise 0
   * @param text the beginning of what it is sorted by, if that is a text; otherwise empty
   */
  record Place(String id, boolean isMissing, long number, String text) {
    /** In characters: the address of the next page has it. */
    private static final int LONGEST_TEXT = 255;

    static Place of(String id, long number) {
      return new Place(id, number == Long.MAX_VALUE, number, "");
    }

    static Place of(String id, @Nullable String text) {
      String known = text == null ? "" : text;
      return new Place(
          id, text == null, 0, known.substring(0, Math.min(known.length(), LONGEST_TEXT)));
    }
  }
}
