/** A client of schema registries that speak the REST API of Confluent's. */
@NullMarked
package io.waterclock.schemas.registry;

import org.jspecify.annotations.NullMarked;
