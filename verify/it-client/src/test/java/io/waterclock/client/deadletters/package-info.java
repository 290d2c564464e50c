@NullMarked
package io.waterclock.client.deadletters;

import org.jspecify.annotations.NullMarked;
