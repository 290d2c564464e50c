/** The login of people at an OpenID provider. */
@NullMarked
package io.waterclock.console.login;

import org.jspecify.annotations.NullMarked;
