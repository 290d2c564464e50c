"""The vectors that the clients of all languages pass, with the standard library alone."""

import json
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

import waterclock

VECTORS = Path(__file__).parents[2] / "vectors"


def read(name):
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def native(value):
    """What a user of this language writes."""
    if isinstance(value, list):
        return [native(one) for one in value]
    if isinstance(value, dict) and len(value) == 1:
        kind, given = next(iter(value.items()))
        if kind == "ms":
            return timedelta(milliseconds=given)
        if kind in ("instant", "local"):
            return time(given)
        if kind == "hex":
            return bytes.fromhex(given)
    return value


class VectorsTest(unittest.TestCase):
    def test_a_definition_is_the_json_that_java_reads(self):
        for case in read("schedules"):
            with self.subTest(case["name"]):
                fields = {name: native(value) for name, value in case["fields"].items()}
                written = json.loads(waterclock.definition(**fields))
                # the scheduler adds the media type of a JSON payload
                case["json"].pop("content_type", None)
                self.assertEqual(case["json"], written)

    def test_a_definition_has_one_trigger(self):
        for fields in ({}, {"cron": "@daily", "every": "5m"}, {"every": None}, {"every": timedelta(seconds=-1)}):
            with self.subTest(fields), self.assertRaises(ValueError):
                waterclock.definition(**fields)

    def test_durations_are_iso_8601(self):
        for case in read("durations"):
            self.assertEqual(case["text"], waterclock.duration(timedelta(milliseconds=case["ms"])))

    def test_instants_are_cut_to_milliseconds_and_local_times_have_no_offset(self):
        berlin = timezone(timedelta(hours=2))
        self.assertEqual("2026-07-01T10:00:00Z", waterclock.instant(datetime(2026, 7, 1, 12, tzinfo=berlin)))
        self.assertEqual("2026-07-01T12:00:00.001", waterclock.instant(datetime(2026, 7, 1, 12, 0, 0, 1999)))

    def test_a_key_has_the_partition_of_javas_clients(self):
        for case in read("partitions"):
            for partitions, expected in case["partitions"].items():
                self.assertEqual(expected, waterclock.partition(case["key"], int(partitions)), case["key"])

    def test_ids_and_fires(self):
        ids = read("ids")
        for valid in [*ids["valid"], "x" * ids["longest"]]:
            self.assertEqual(valid, waterclock.check_id(valid))
        for invalid in [*ids["invalid"], "x" * (ids["longest"] + 1)]:
            with self.subTest(invalid), self.assertRaises(ValueError):
                waterclock.check_id(invalid)
        for case in ids["fires"]:
            fire = waterclock.Fire(case["key"].encode(), b"", [("ce_id", case["id"].encode())])
            self.assertEqual(case["id"], waterclock.fire_id(case["key"], case["prefix"]))
            self.assertEqual(
                (case["schedule"], time(case["occurrence"]), case["command"], case["id"]),
                (fire.schedule_id, fire.occurrence, fire.command_id, fire.id),
            )

    def test_an_id_is_claimed_once_while_it_is_remembered(self):
        claims = read("ids")["claims"]
        seen = waterclock.Seen(claims["capacity"])
        self.assertEqual(claims["new"], [seen.claim(one) for one in claims["ids"]])

    def test_the_headers_of_a_record_to_be_delivered_later(self):
        for case in read("later"):
            with self.subTest(case["name"]):
                call = {name: native(value) for name, value in case["call"].items()}
                if "in" in call:
                    call["in_"] = call.pop("in")
                if "headers" in call:
                    call["headers"] = [(name, value.encode()) for name, value in call["headers"]]
                headers = waterclock.cancel(call["cancel"]) if "cancel" in call else waterclock.later(**call)
                self.assertEqual(case["headers"], [[name, value.decode()] for name, value in headers])
        for wrong in ({}, {"at": datetime(2026, 1, 1)}, {"in_": timedelta(seconds=-1)}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                waterclock.later("orders", **wrong)

    def test_an_answer_is_read_or_refuses(self):
        for case in read("answers"):
            answer = waterclock.Answer.of(case["value"])
            if "refused" in case:
                with self.assertRaises(waterclock.Refused) as refused:
                    answer.or_raise()
                self.assertEqual(case["refused"], str(refused.exception))
            else:
                self.assertEqual(case["value"]["revision"], answer.or_raise().revision)
                self.assertEqual(time(case["next"]) if "next" in case else None, answer.next)

    def test_a_payload_is_json_or_bytes_and_avro_is_refused_by_name(self):
        def fire(value):
            return waterclock.Fire(b"a|2026-11-21T10:00:00.000Z", value, [])

        self.assertEqual({"n": 1}, fire(b'{"schedule":{"payload":{"n":1}}}').payload)
        self.assertEqual(b"\x00\xff", fire(b'{"schedule":{"payload_base64":"AP8="}}').payload)
        self.assertIsNone(fire(b'{"schedule":{}}').payload)
        with self.assertRaisesRegex(ValueError, "c301"):
            _ = fire(bytes.fromhex("c30115397a61")).payload


if __name__ == "__main__":
    unittest.main()
