/** Tests of the account. */
@NullMarked
package io.waterclock.audit;

import org.jspecify.annotations.NullMarked;
