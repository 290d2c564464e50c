/** Who asks, and who may see and do what. Pure, but for the login at an OpenID provider. */
@NullMarked
package io.waterclock.console.access;

import org.jspecify.annotations.NullMarked;
