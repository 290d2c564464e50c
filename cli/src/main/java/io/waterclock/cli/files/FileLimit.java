package io.waterclock.cli.files;

import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.avro.Limit;

/** A limit of a file. */
public record FileLimit(LimitName name, Limit limit, Source source) {}
