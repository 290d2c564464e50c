package io.waterclock.cli.source;

/**
 * Something of another scheduler that has no equal here.
 *
 * @param what it is and where it stands: {@code line 4: @reboot /opt/warm-up}
 * @param why it has no equal, and what would be right
 */
public record LeftBehind(String what, String why) {}
