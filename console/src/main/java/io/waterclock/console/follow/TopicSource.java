package io.waterclock.console.follow;

import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;

/**
 * The topics of one prefix.
 *
 * @param reader of committed records
 * @param schemas the schemas of records in the Confluent wire format
 */
public record TopicSource(TopicReader reader, Topics topics, SchemaSource schemas) {}
