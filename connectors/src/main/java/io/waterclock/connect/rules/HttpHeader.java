package io.waterclock.connect.rules;

public record HttpHeader(String name, String value) {}
