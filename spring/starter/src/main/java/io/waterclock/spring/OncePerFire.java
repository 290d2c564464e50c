package io.waterclock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Applies the effect of each fire in a database exactly once. For each run the starter begins a
 * transaction, claims the fire with a row in the table {@code waterclock_claims}, calls the method
 * and commits. A fire that was claimed before is dropped. The method uses the same {@code
 * DataSource} through Spring: {@code JdbcClient}, JPA, {@code @Transactional} beans.
 *
 * <p>On a method with {@link FireHandler} or {@link WaterclockSchedule}, or on its class for all of
 * them. The property {@code waterclock.claims.transaction-manager} names the transaction manager if
 * there are several.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OncePerFire {}
