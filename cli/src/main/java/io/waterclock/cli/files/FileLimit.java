package io.waterclock.cli.files;

import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.avro.Limit;

public record FileLimit(LimitName name, Limit limit, Source source) {}
