package io.waterclock.connect.rules;

/** A header of a request. */
public record HttpHeader(String name, String value) {}
