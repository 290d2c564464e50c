package io.waterclock.spring;

import io.waterclock.client.schedules.CalendarBuilder;

/**
 * A calendar that a bean declares. The application writes it when it starts, before the declared
 * schedules; the same dates again change nothing.
 *
 * <pre>{@code
 * @Bean
 * WaterclockCalendar holidays(HolidayService holidays) {
 *   return new WaterclockCalendar("holidays-de", CalendarBuilder.of(holidays.dates()));
 * }
 * }</pre>
 *
 * <p>A calendar whose bean disappears stays as it is: {@link WaterclockTemplate#deleteCalendar}
 * deletes it.
 *
 * @param name as schedules name it under {@code except} and {@code only}
 */
public record WaterclockCalendar(String name, CalendarBuilder dates) {}
