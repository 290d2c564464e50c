"""What travels between a service and Waterclock, without any dependency: see waterclock.kafka for sending and reading it."""

import base64
import json
import re
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

Headers = List[Tuple[str, Optional[bytes]]]

TRIGGERS = ("cron", "every", "rrule", "at", "in", "time")
FIRE_IDS = uuid.UUID("4f1db9f2-79be-52c1-8cbc-64b62aa5ff23")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:/@-]{0,254}")
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def definition(**fields: Any) -> bytes:
    """The value of a record that defines a schedule, as JSON.

    The fields are those of docs/record.md; `in_` is `in`. None leaves a field out. A timedelta is a duration or an exact interval,
    a datetime an instant; bytes as the payload become payload_base64. Raises ValueError unless there is exactly one trigger, and
    for a timedelta below zero. The scheduler checks everything else, and says so in its answer.
    """
    if "in_" in fields:
        fields["in"] = fields.pop("in_")
    if isinstance(fields.get("payload"), bytes):
        fields["payload_base64"] = base64.b64encode(fields.pop("payload")).decode()
    given = {name: value if name == "payload" else _plain(value) for name, value in fields.items() if value is not None}
    triggers = [name for name in TRIGGERS if name in given]
    if len(triggers) != 1:
        raise ValueError(f"a schedule has exactly one of {', '.join(TRIGGERS)}, not {triggers}; for example every='5m'")
    return json.dumps(given, separators=(",", ":"), ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, timedelta):
        return duration(value)
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def duration(time: timedelta) -> str:
    """ISO 8601, cut to milliseconds: PT1H30M, PT0.2S, PT0S. Raises ValueError below zero."""
    ms = time // _MILLISECOND
    if ms < 0:
        raise ValueError(f"{time} is below zero; for example timedelta(seconds=90)")
    hours, ms = divmod(ms, 3_600_000)
    minutes, ms = divmod(ms, 60_000)
    seconds = f"{ms // 1000}.{ms % 1000:03d}".rstrip("0").rstrip(".")
    text = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "") + (f"{seconds}S" if ms else "")
    return "PT" + (text or "0S")


def instant(time: datetime) -> str:
    """ISO 8601, cut to milliseconds: in UTC, or without an offset for a datetime that has no time zone."""
    utc = time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time
    text = utc.isoformat(timespec="milliseconds")
    return (text[:-4] if text.endswith(".000") else text) + ("Z" if time.tzinfo else "")


def check_id(schedule_id: str) -> str:
    """The id. Raises ValueError if it is none."""
    if not _ID.fullmatch(schedule_id):
        raise ValueError(
            f"{schedule_id!r} is no schedule id: 1 to 255 characters, a letter or digit first, then letters, digits"
            " and . _ ~ : / @ - , for example 'billing/invoice-42'"
        )
    return schedule_id


def partition(key: Union[str, bytes], partitions: int) -> int:
    """The partition of a key, as Kafka's clients for Java choose it: murmur2, made positive, modulo the number of partitions."""
    data = key.encode() if isinstance(key, str) else key
    m, mask = 0x5BD1E995, 0xFFFFFFFF
    h = 0x9747B28C ^ len(data)
    whole = len(data) & ~3
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i : i + 4], "little") * m & mask
        h = (h * m ^ (k ^ k >> 24) * m) & mask
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return ((h ^ h >> 15) & 0x7FFFFFFF) % partitions


def fire_id(fire_key: str, prefix: str = "waterclock") -> str:
    """The id of the fire with this key: the same whenever the fire comes."""
    return str(uuid.uuid5(FIRE_IDS, f"/waterclock/{prefix}|{fire_key}"))


def later(
    target: str,
    *,
    at: Optional[datetime] = None,
    in_: Optional[timedelta] = None,
    id: Optional[str] = None,
    partition: Optional[int] = None,
    headers: Iterable[Tuple[str, Optional[bytes]]] = (),
) -> Headers:
    """The headers of a record of the topic later, which arrives in the target then. See docs/later.md.

    Raises ValueError unless exactly one of at, which needs a time zone, and in_ is given.
    """
    if (at is None) == (in_ is None):
        raise ValueError("exactly one of at and in_ says when, for example in_=timedelta(minutes=15)")
    if at is not None and at.tzinfo is None:
        raise ValueError(f"{at} has no time zone, for example datetime.now(timezone.utc)")
    if in_ is not None and in_ < timedelta(0):
        raise ValueError(f"a delay is 0 or more, this one is {in_}")
    own = {
        "waterclock-at": None if at is None else str((at - _EPOCH) // _MILLISECOND),
        "waterclock-in": None if in_ is None else f"{in_ // _MILLISECOND}ms",
        "waterclock-target": target,
        "waterclock-partition": None if partition is None else str(partition),
    }
    if id is not None:
        own["waterclock-id"] = check_id(id)
    kept = [(name, value) for name, value in headers if name not in own]
    return kept + [(name, value.encode()) for name, value in own.items() if value is not None]


def cancel(id: str) -> Headers:
    """The headers of a record of the topic later that cancels what waits under this name."""
    return [("waterclock-id", check_id(id).encode()), ("waterclock-cancel", b"true")]


def from_json(value: bytes) -> Any:
    """Reads a value that the scheduler has written as JSON. Raises ValueError for Avro."""
    if not value.startswith(b"{"):
        raise ValueError(f"the value begins with {value[:10].hex()} and is no JSON; set format=json, or give decode")
    return json.loads(value)


def _time(text: Optional[str]) -> Optional[datetime]:
    if text is None:
        return None
    whole, _, fraction = text[:-1].partition(".")
    return datetime.fromisoformat(f"{whole}.{fraction[:6]:0<6}+00:00")


class Refused(Exception):
    """The scheduler has refused a change; the message has all its reasons, and `answer` the answer."""

    def __init__(self, answer: "Answer"):
        reasons = " | ".join(
            (f"{one['field']}: " if one.get("field") else "")
            + one["message"]
            + (f"; for example {one['example']}" if one.get("example") else "")
            for one in answer.problems
        )
        super().__init__(
            {
                "NOT_FOUND": f"there is no schedule {answer.schedule_id}",
                "CONFLICT": f"{answer.schedule_id} is not as expected: {reasons}",
            }.get(answer.verdict, f"{answer.schedule_id} was rejected: {reasons}")
        )
        self.answer = answer


@dataclass(frozen=True)
class Answer:
    """The scheduler's answer to a change."""

    schedule_id: str
    verdict: str
    revision: Optional[str] = None
    next: Optional[datetime] = None
    state: Optional[str] = None
    problems: List[Dict[str, str]] = field(default_factory=list)
    warnings: List[Dict[str, str]] = field(default_factory=list)
    occurrences: List[datetime] = field(default_factory=list)

    @staticmethod
    def of(record: Dict[str, Any]) -> "Answer":
        """From the record's value."""
        return Answer(
            record["schedule_id"],
            record["verdict"].upper(),
            record.get("revision"),
            _time(record.get("next")),
            record["state"].upper() if record.get("state") else None,
            record.get("problems", []),
            record.get("warnings", []),
            [_time(one) for one in record.get("occurrences", [])],
        )

    @property
    def is_accepted(self) -> bool:
        return self.verdict not in ("REJECTED", "CONFLICT", "NOT_FOUND")

    def or_raise(self) -> "Answer":
        """This answer. Raises Refused if it is a refusal."""
        if not self.is_accepted:
            raise Refused(self)
        return self


class Fire:
    """A record of the topic fires. Its value is decoded when it is first asked for; most of it is in the key and the headers."""

    def __init__(
        self, key: bytes, value: bytes, headers: Iterable[Tuple[str, bytes]], decode: Callable[[bytes], Any] = from_json
    ):
        self.key = key.decode()
        self.headers = {name: text.decode() for name, text in headers if text is not None}
        self.schedule_id, occurrence, *command = self.key.split("|", 2)
        self.occurrence = _time(occurrence)
        self.command_id = command[0] if command else None
        self._bytes, self._decode, self._value = value, decode, None

    @property
    def id(self) -> str:
        """The same whenever this fire comes: what to write beside the effect to have it once."""
        return self.headers["ce_id"]

    @property
    def cause(self) -> str:
        return self.headers["waterclock-cause"]

    @property
    def type(self) -> Optional[str]:
        return self.headers.get("waterclock-type")

    @property
    def value(self) -> Any:
        """The whole fire, with the definition of its schedule."""
        if self._value is None:
            self._value = self._decode(self._bytes)
        return self._value

    @property
    def payload(self) -> Any:
        """The payload: JSON or text, bytes otherwise, None if there is none."""
        schedule = self.value["schedule"]
        base64_text = schedule.get("payload_base64")
        return schedule.get("payload") if base64_text is None else base64.b64decode(base64_text)


class Seen:
    """The ids of the latest fires, in memory: a set and no high-water mark, because a backfill fills holes. Not thread-safe."""

    def __init__(self, capacity: int = 100_000):
        if capacity < 1:
            raise ValueError(f"capacity {capacity} must be at least 1")
        self._capacity, self._ids = capacity, OrderedDict()

    def claim(self, fire_id: str) -> bool:
        """False while it remembers the id. O(1); a new id replaces the oldest one."""
        if fire_id in self._ids:
            return False
        self._ids[fire_id] = None
        if len(self._ids) > self._capacity:
            self._ids.popitem(last=False)
        return True
