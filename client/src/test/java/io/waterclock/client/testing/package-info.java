@org.jspecify.annotations.NullMarked
package io.waterclock.client.testing;
