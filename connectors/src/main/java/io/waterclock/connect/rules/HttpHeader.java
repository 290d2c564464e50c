package io.waterclock.connect.rules;

/** An HTTP header of a request. */
public record HttpHeader(String name, String value) {}
