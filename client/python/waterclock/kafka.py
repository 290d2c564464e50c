"""Defines schedules and reads fires with confluent-kafka."""

import json
import random
import time
import uuid
from typing import Any, Callable, Iterator, Optional

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from . import Answer, Fire, Headers, Seen, check_id, definition, from_json


class Waterclock:
    """A scheduler's topics. Close it, or use it in a with statement. Not thread-safe.

    timeout: seconds, how long a change waits for brokers and for its answer.
    config: settings of confluent-kafka for all clients, such as those for security.
    """

    def __init__(self, servers: str, *, prefix: str = "waterclock", timeout: float = 10.0, **config: Any):
        self._prefix, self._timeout = prefix, timeout
        self._config = {"bootstrap.servers": servers, **{name.replace("_", "."): value for name, value in config.items()}}
        self._producer = Producer({**self._config, "partitioner": "murmur2_random"})
        self._answers: Optional[Consumer] = None
        self._answer_partition = 0

    def put(self, schedule_id: str, **fields: Any) -> Answer:
        """Defines or redefines a schedule; see waterclock.definition. Raises Refused, and TimeoutError without an answer."""
        return self._ask("schedules", check_id(schedule_id), definition(**fields))

    def command(self, schedule_id: str, **action: Any) -> Answer:
        """Sends a command of docs/commands.md, such as pause={}, trigger={"payload": 1}. Raises as put does."""
        value = json.dumps({"command_id": str(uuid.uuid4()), **action}).encode()
        return self._ask("commands", check_id(schedule_id), value)

    def delete(self, schedule_id: str) -> None:
        """Deletes a schedule. Returns when the brokers have the tombstone: from then on nothing of it fires."""
        self._send("schedules", check_id(schedule_id), None, [])

    def later(self, key: Optional[bytes], value: Optional[bytes], headers: Headers) -> None:
        """Sends a record with the headers of waterclock.later or waterclock.cancel. Returns when the brokers have it."""
        self._send("later", key, value, headers)

    def fires(
        self,
        group: str,
        *,
        only: str = "",
        decode: Callable[[bytes], Any] = from_json,
        remember: int = 100_000,
        **config: Any,
    ) -> Iterator[Fire]:
        """The fires of schedules whose ids begin with `only`, each once in this process, committed records alone, without an end.

        A fire is done when the next one is asked for: then its offset is committed within seconds, and when the iterator is closed.
        If the loop ends by an exception, the fire comes again. A new group begins with the oldest fire of the topic, unless
        auto_offset_reset="latest" is given.
        """
        consumer = Consumer(
            {
                "auto.offset.reset": "earliest",
                **self._config,
                **{name.replace("_", "."): value for name, value in config.items()},
                "group.id": group,
                "isolation.level": "read_committed",
                "enable.auto.offset.store": False,
            }
        )
        seen = Seen(remember)
        try:
            consumer.subscribe([f"{self._prefix}.fires"])
            while True:
                record = consumer.poll(1.0)
                if record is None:
                    continue
                if record.error():
                    raise KafkaException(record.error())
                if record.key().startswith(only.encode()):
                    fire = Fire(record.key(), record.value(), record.headers() or [], decode)
                    if seen.claim(fire.id):
                        yield fire
                consumer.store_offsets(record)
        finally:
            consumer.close()

    def close(self) -> None:
        self._producer.flush(self._timeout)
        if self._answers is not None:
            self._answers.close()

    def __enter__(self) -> "Waterclock":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _send(self, topic: str, key: Any, value: Optional[bytes], headers: Headers) -> None:
        failures = []
        self._producer.produce(
            f"{self._prefix}.{topic}", key=key, value=value, headers=headers, on_delivery=lambda error, _: failures.append(error)
        )
        self._producer.flush(self._timeout)
        if not failures:
            raise TimeoutError(f"no broker at {self._config['bootstrap.servers']} took the record in {self._timeout} s")
        if failures[0]:
            raise KafkaException(failures[0])

    def _ask(self, topic: str, schedule_id: str, value: bytes) -> Answer:
        answers = self._mailbox()
        correlation_id = str(uuid.uuid4())
        self._send(
            topic,
            schedule_id,
            value,
            [
                ("waterclock-correlation-id", correlation_id.encode()),
                ("waterclock-answer-partition", str(self._answer_partition).encode()),
            ],
        )
        until = time.monotonic() + self._timeout
        while time.monotonic() < until:
            record = answers.poll(0.5)
            if record is not None and not record.error() and record.key() == correlation_id.encode():
                return Answer.of(from_json(record.value())).or_raise()
        raise TimeoutError(f"{schedule_id} is written, and no scheduler has answered in {self._timeout} s")

    def _mailbox(self) -> Consumer:
        """A consumer at the end of one partition of the answers, so that it reads every later answer."""
        if self._answers is None:
            topic = f"{self._prefix}.answers"
            consumer = Consumer(
                {**self._config, "group.id": "waterclock-answers", "enable.auto.commit": False, "isolation.level": "read_committed"}
            )
            partitions = consumer.list_topics(topic, self._timeout).topics[topic].partitions
            if not partitions:
                raise LookupError(f"there is no topic {topic}; the scheduler creates it at its first start")
            self._answer_partition = random.choice(list(partitions))
            own = TopicPartition(topic, self._answer_partition)
            own.offset = consumer.get_watermark_offsets(own, timeout=self._timeout)[1]
            consumer.assign([own])
            self._answers = consumer
        return self._answers
