// One schedule: why it fires or does not, what it did, what it will do, and commands.

import { h, Fragment, Table, Panel, Time, Sentence, Badge, Dialog, Field, Problem, editRejected, reasonOf, address, useAnswer, useEffect, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

const ROLES = ['VIEWER', 'OPERATOR', 'EDITOR'];

export function may(session, role, id) {
  return session.grants.some((grant) => ROLES.indexOf(grant.role) >= ROLES.indexOf(role) && id.startsWith(grant.prefix));
}

const LEVELS = { GOOD: 'good', WARNING: 'warning', BAD: 'bad' };

// Green would contradict a graver line above it: that it fires next is then no more than a fact.
const levelOf = (one, why) => (one.level === 'GOOD' && why.some((other) => other.level !== 'GOOD') ? 'quiet' : LEVELS[one.level]);

// What a person is asked before a command goes out.
const ACTIONS = {
  pause: { title: 'Pause', confirm: 'Pause', text: 'Nothing fires until it is resumed. What occurs meanwhile is missed; a new definition does not end the pause.' },
  resume: { title: 'Resume', confirm: 'Resume', text: 'It fires again from its next occurrence on. What occurred in the pause stays missed.' },
  trigger: { title: 'Fire now', confirm: 'Fire once', text: 'One more fire, now, beside the trigger.' },
  skip: { title: 'Skip an occurrence', confirm: 'Skip it', text: 'This occurrence does not fire and is listed as missed.' },
  unskip: { title: 'Take the skip back', confirm: 'Let it fire', text: 'This occurrence fires again.' },
  cancel_backfill: { title: 'Stop the backfill', confirm: 'Stop it', text: 'It fires no more; what it has fired remains.' },
};

function Note({ note, setNote }) {
  return h('label', null, 'Note', h('input', { type: 'text', maxLength: 1000, value: note, onInput: (event) => setNote(event.target.value), placeholder: 'the reason, for others' }));
}

function Action({ name, schedule, occurrence, backfill, onDone, onClose }) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const action = ACTIONS[name];
  const confirm = async () => {
    setBusy(true);
    setProblem('');
    try {
      const answer = await api.command({ id: schedule.id, action: name, note, occurrence, backfill });
      onDone(answer.verdict === 'UNCHANGED' ? 'Nothing changed: it was so already.' : `${action.title}: the scheduler has done it.`);
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  return h(Dialog, { title: `${action.title}: ${schedule.id}`, confirm: action.confirm, onConfirm: confirm, onClose, busy, problem },
    h('p', null, action.text),
    occurrence ? h('p', null, h(Time, { at: occurrence, zone: schedule.zone, words: true })) : null,
    h(Note, { note, setNote }));
}

const DAY = 86400e3;

// The range, and what it would fire, before the command goes out.
function Backfill({ schedule, onDone, onClose }) {
  const now = Date.now();
  // the field has no seconds: the end of this minute, or what has just fired is left out
  const [range, setRange] = useState({ from: times.toInput(now - DAY), to: times.toInput(now + 60e3) });
  const [newest, setNewest] = useState(false);
  const [most, setMost] = useState('');
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const instants = { from: times.fromInput(range.from), to: times.fromInput(range.to) };
  const { answer: found, problem, setProblem } = useAnswer(() => api.get('/api/v1/backfill', { id: schedule.id, ...instants }), `${range.from} ${range.to}`);
  const confirm = () => {
    setBusy(true);
    api.command({ id: schedule.id, action: 'backfill', note, newest_first: newest, max_running: most ? Number(most) : undefined, ...instants })
      .then(() => onDone('Backfill: the scheduler has begun it.'))
      .catch((error) => { setProblem(error.message); setBusy(false); });
  };
  const rows = found?.occurrences || [];
  const number = `${found?.more ? 'more than ' : ''}${times.count(rows.length)}`;
  return h(Dialog, { title: `Backfill: ${schedule.id}`, confirm: rows.length ? `Fire ${number}` : 'Backfill', onConfirm: confirm, onClose, busy: busy || !rows.length, waits: busy, problem },
    h('p', null, 'Fires the decided occurrences of a range again, with the ids that they had. Consumers that deduplicate run only what they have not run.'),
    h('div', { class: 'fields' },
      h(Field, { label: `From (${times.inputZone()})`, type: 'datetime-local', value: range.from, onValue: (from) => setRange({ ...range, from }) }),
      h(Field, { label: `To (${times.inputZone()})`, type: 'datetime-local', value: range.to, onValue: (to) => setRange({ ...range, to }) }),
      h(Field, { label: 'At most so many run at a time', type: 'number', min: 1, max: 100, value: most, onValue: setMost, placeholder: 'any number' })),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: newest, onChange: (event) => setNewest(event.target.checked) }), ' The newest first'),
    h(Note, { note, setNote }),
    found ? h('div', { class: 'short', tabindex: 0 },
      h('p', { class: 'note', role: 'status' }, rows.length ? `${number} occurrences, ${times.count(rows.filter((row) => row.fired).length)} of them fired before` : 'No decided occurrence of the trigger in force lies in this range.'),
      h('ol', null, rows.slice(0, 200).map((row) => h('li', { key: row.at }, h(Time, { at: row.at, zone: schedule.zone }), row.fired ? h('span', { class: 'note' }, ' fired before') : null)))) : null);
}

const PROGRESS = [['running', 'Running or waiting'], ['succeeded', 'Succeeded'], ['failed', 'Failed'], ['dropped', 'Dropped'], ['not_reported', 'Not reported']];

// Those that run, and those whose fires are among the newest: a range, and what became of its fires.
export function backfills(schedule) {
  const ordered = new Map(schedule.commands.filter((one) => one.what === 'backfill').map((one) => [one.command_id, one.about]));
  const running = new Map((schedule.backfills || []).map((one) => [one.command_id, one]));
  const counted = new Map(schedule.backfill_progress.map((one) => [one.command_id, one]));
  return [...new Set([...running.keys(), ...counted.keys()])].map((id) => {
    const now = running.get(id);
    return { id, range: now ? `${now.from} to ${now.to}` : ordered.get(id) || '', running: now, fired: Math.max(now?.fired ?? 0, counted.get(id)?.fired ?? 0), of: counted.get(id) };
  });
}

function Backfills({ schedule, operates, ask }) {
  const rows = backfills(schedule);
  if (!rows.length) return null;
  const columns = [
    ['Range', (row) => h(Fragment, null, row.range ? h(Sentence, { text: row.range, zone: schedule.zone }) : h('span', { class: 'quiet' }, 'not known any more'), row.running?.newest_first ? h('span', { class: 'note' }, ' newest first') : null, row.running?.max_running ? h('span', { class: 'note' }, ` ${row.running.max_running} at a time`) : null)],
    ['Fired', (row) => times.count(row.fired)],
    ...PROGRESS.map(([name, heading]) => [heading, (row) => (row.of ? times.count(row.of[name]) : h('span', { class: 'quiet' }, '–'))]),
    ['Command id', (row) => h('code', { class: 'place' }, row.id)],
    ['', (row) => (!row.running ? 'ended' : operates ? h('button', { class: 'small', onClick: () => ask('cancel_backfill', undefined, row.id) }, 'Stop') : 'under way')],
  ];
  return h(Panel, { title: 'Backfills', note: 'what workers report of their newest fires' }, h(Table, { caption: 'Backfills of this schedule', rows, empty: '', keyOf: (row) => row.id, columns }));
}

const value = (json) => (json === undefined ? h('span', { class: 'quiet' }, 'default') : h('code', null, JSON.stringify(json)));
const changed = (row, json) => (row.hidden ? 'hidden' : value(json));

// Each revision with the fields that it changed.
// When it last succeeded and failed, and how long a run usually takes, as far as runs are known.
function RunSums({ runs, zone }) {
  const last = (state) => runs.find((row) => row.state === state && !row.retry_at);
  const at = (words, row) => (row ? [h('span', null, `${words} `, h(Time, { at: row.ended_at || row.occurrence, zone, words: true }))] : []);
  const took = runs.filter((row) => row.state === 'SUCCEEDED' && row.duration_ms !== undefined).map((row) => row.duration_ms).sort((a, b) => a - b);
  const parts = [...at('last success', last('SUCCEEDED')), ...at('last failure', last('FAILED')),
    ...(took.length ? [`usually takes ${times.milliseconds(took[Math.floor(took.length / 2)])}`] : [])];
  return parts.length ? h('p', { class: 'note' }, parts.flatMap((part, i) => (i ? [' · ', part] : [part]))) : null;
}

function Revisions({ id, revision, zone, edits }) {
  const [all, setAll] = useState(null);
  useEffect(() => { api.get('/api/v1/revisions', { id }).then((answer) => setAll(answer.revisions)).catch(() => setAll([])); }, [id, revision]);
  if (!all?.length) return null;
  return h(Panel, { title: 'Revisions', note: `${all.length} known` }, all.map((one) => h('div', { class: 'revision', key: one.revision },
    h('h3', null, h('code', null, one.revision), ' ', h('span', { class: 'note' }, one.author ? `by ${one.author}, ` : '', 'in effect from ', h(Time, { at: one.effective_at, zone, words: true }), one.note ? `: ${one.note}` : ''),
      edits && one.revision !== revision ? h(Fragment, null, ' ', h('a', { href: `#/edit?${new URLSearchParams({ id, revision: one.revision })}` }, 'Define it again')) : null),
    one.changes ? h(Table, {
      caption: `What ${one.revision} changed`, rows: one.changes, empty: 'No field of the definition changed.', keyOf: (row) => row.field,
      columns: [
        ['Field', (row) => h(Fragment, null, h('code', null, row.field), row.cut ? h('span', { class: 'note' }, ' its beginning') : null)],
        ['Before', (row) => changed(row, row.before)],
        ['After', (row) => changed(row, row.after)],
      ],
    }) : h('p', { class: 'note' }, 'The oldest one that is known.'))));
}

// The first rows, and the others when a person asks for them.
function Few({ rows, first, ...table }) {
  return h(Fragment, null, h(Table, { ...table, rows: rows.slice(0, first) }),
    rows.length > first ? h('details', null, h('summary', null, `${rows.length - first} more`), h(Table, { ...table, caption: `${table.caption}, continued`, rows: rows.slice(first) })) : null);
}

// Fires and missed ranges in one list, newest first.
function past(schedule) {
  return [
    ...schedule.fires.map((fire) => ({ at: fire.fired_at, occurrence: fire.occurrence, fire })),
    ...schedule.missed.map((missed) => ({ at: missed.decided_at, occurrence: missed.last, missed })),
  ].sort((a, b) => (a.occurrence < b.occurrence ? 1 : -1)).slice(0, 100);
}

function what({ fire, missed }) {
  if (fire) return fire.cause === 'SCHEDULED' ? 'fired' : `fired (${fire.cause.toLowerCase().replaceAll('_', ' ')})`;
  const number = missed.count === 1 ? '' : ` ${missed.at_least ? 'at least ' : ''}${times.count(missed.count)}`;
  return `missed${number}: ${reasonOf(missed.reason)}`;
}

const SCALES = [[40, '40 intervals'], [400, '400 intervals']];
const AHEAD = 5;
const MOST_MARKS = 400;

// The part of time that the timeline shows: so many usual intervals back, and the next occurrences.
function span(schedule, intervals, now) {
  const next = schedule.next.map((one) => Date.parse(one.at));
  const known = [...schedule.fires.map((fire) => Date.parse(fire.occurrence)), ...schedule.missed.map((one) => Date.parse(one.first)), now];
  const gaps = next.slice(1).map((at, index) => at - next[index]).sort((a, b) => a - b);
  const oldest = Math.min(...known);
  const from = gaps.length ? Math.max(oldest, now - intervals * gaps[gaps.length >> 1]) : oldest;
  const to = next.slice(0, AHEAD).pop() ?? now;
  const margin = Math.max(1, (to - from) / 100);
  return { from: from - margin, to: to + margin };
}

// Marks of the timeline in order of time: each fire, each missed occurrence, each next one. Occurrences of a missed range lie evenly in it.
export function marks(schedule, { from, to }) {
  const fires = schedule.fires.map((fire) => ({
    at: Date.parse(fire.occurrence), kind: { FAILED: 'failed', STARTED: 'running' }[fire.outcome] || 'fired',
    text: what({ fire }) + (fire.outcome ? `, ${fire.outcome.toLowerCase()}` : ''),
  }));
  const missed = schedule.missed.flatMap((range) => {
    const first = Date.parse(range.first);
    const last = Date.parse(range.last);
    const number = Math.min(range.count, MOST_MARKS);
    return Array.from({ length: number }, (unused, index) => ({
      at: number === 1 ? last : first + ((last - first) * index) / (number - 1), kind: 'missed', text: `missed: ${reasonOf(range.reason)}`,
    }));
  });
  const next = schedule.next.slice(0, AHEAD).map((one) => ({ at: Date.parse(one.at), kind: 'next', text: 'to come' }));
  return [...fires, ...missed, ...next].filter((mark) => mark.at >= from && mark.at <= to).sort((a, b) => a.at - b.at).slice(-MOST_MARKS);
}

// The newest occurrences and the next ones, to scale: the distances are those of time.
function Timeline({ schedule }) {
  const [intervals, setIntervals] = useState(SCALES[0][0]);
  const now = Date.now();
  const shown = span(schedule, intervals, now);
  const all = marks(schedule, shown);
  const used = [...new Set(all.map((mark) => mark.kind))];
  const place = (at) => ({ left: `${((at - shown.from) / (shown.to - shown.from)) * 100}%` });
  if (!used.length) return h('p', { class: 'empty' }, 'Nothing fired or was missed of late, and nothing is to come.');
  return h('div', { class: 'strip' },
    h('ol', { 'aria-label': 'The newest occurrences and the next ones', class: intervals > 100 ? 'dense' : '', style: { '--places': intervals + AHEAD } },
      all.map((mark) => h('li', { class: mark.kind, style: place(mark.at), title: `${times.full(mark.at, schedule.zone)}: ${mark.text}` },
        h('span', { class: 'sr' }, `${times.full(mark.at, schedule.zone)}: ${mark.text}`)))),
    h('div', { class: 'now', style: place(now), 'aria-hidden': 'true' }, h('span', null, 'now')),
    h('div', { class: 'ends', 'aria-hidden': 'true' }, h('span', null, times.short(shown.from, schedule.zone)), h('span', null, times.short(shown.to, schedule.zone))),
    h('p', { class: 'legend' }, used.map((kind) => h('span', { 'aria-hidden': 'true' }, h('i', { class: kind }), { next: 'to come' }[kind] || kind)),
      h('label', { class: 'scales' }, h('span', { class: 'sr' }, 'Scale of the timeline'), h('select', { value: intervals, onChange: (event) => setIntervals(Number(event.target.value)) },
        SCALES.map(([number, name]) => h('option', { value: number }, name))))));
}

// What a person asks first: one more fact is one more row of the server's list. Facts of one name share a row.
function Facts({ schedule }) {
  const byName = new Map();
  for (const fact of schedule.facts) byName.set(fact.name, [...(byName.get(fact.name) || []), fact]);
  return h(Panel, { title: 'Facts' }, h('dl', { class: 'facts' }, [...byName].map(([name, facts]) => h('div', { key: name },
    h('dt', null, name),
    facts.map((fact) => h('dd', null, Object.keys(fact.list).length
      ? h('a', { href: address('/schedules', fact.list) }, fact.text)
      : h(Sentence, { text: fact.text, zone: schedule.zone })))))));
}

// The console keeps no payloads: the one of this definition is read from its topic when a person asks for it.
function Definition({ schedule }) {
  const [whole, setWhole] = useState(null);
  const [problem, setProblem] = useState('');
  const show = () => api.get('/api/v1/definition', { id: schedule.id })
    .then((found) => { setWhole(found.definition); setProblem(''); })
    .catch((error) => setProblem(error.message));
  return h(Panel, { title: 'Definition', note: schedule.revision ? `revision ${schedule.revision}` : '' },
    schedule.payload_hidden ? h('p', { class: 'note' }, 'Payload and headers are hidden from viewers.') : null,
    schedule.payload_bytes && !whole ? h('p', { class: 'note' }, 'Without its payload. ', h('button', { class: 'small', onClick: show }, `Show the payload (${times.count(schedule.payload_bytes)} bytes)`)) : null,
    h(Problem, { text: problem }),
    h('pre', { tabIndex: 0, 'aria-label': 'Definition as JSON' }, JSON.stringify(whole ?? schedule.definition ?? null, null, 2)));
}

export function Schedule({ id, session }) {
  const { answer: schedule, problem, load } = useAnswer(() => api.get('/api/v1/schedule', { id, language: navigator.language }), id, { every: 3000 });
  const [asking, setAsking] = useState(null);
  const [said, setSaid] = useState('');
  if (problem && !schedule) return h(Fragment, null, h('h1', null, id), h('p', { class: 'problem', role: 'alert' }, problem));
  if (!schedule) return h('p', { class: 'empty', role: 'status' }, 'Loading …');
  const operates = may(session, 'OPERATOR', id);
  const skips = schedule.skips || [];
  const ask = (name, occurrence, backfill) => setAsking({ name, occurrence, backfill });
  const done = (text) => { setAsking(null); setSaid(text); setTimeout(load, 500); };
  const zone = schedule.zone;
  return h(Fragment, null,
    h('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, h('a', { href: '#/schedules' }, 'Schedules')),
    h('h1', { class: 'id' }, id, ' ', h(Badge, { of: schedule.state }), ' ', schedule.edit_rejected ? editRejected() : null, ' ', schedule.failing ? h(Badge, { of: 'FAILING' }) : null),
    h('p', { class: 'words', lang: schedule.words_language }, schedule.words ? `${schedule.words}.` : h('code', null, schedule.trigger || 'no definition')),
    h('ul', { class: 'why', 'aria-label': 'Why it fires or does not' }, schedule.why.map((one) => h('li', { class: levelOf(one, schedule.why) },
      h(Sentence, { text: one.text, zone, words: true })))),
    operates ? h('div', { class: 'buttons actions' },
      schedule.state === 'PAUSED'
        ? h('button', { class: 'primary', onClick: () => ask('resume') }, 'Resume')
        : h('button', { onClick: () => ask('pause') }, 'Pause'),
      h('button', { onClick: () => ask('trigger') }, 'Fire now'),
      h('button', { onClick: () => ask('backfill') }, 'Backfill'),
      may(session, 'EDITOR', id) ? h(Fragment, null,
        h('a', { class: 'button', href: `#/edit?id=${encodeURIComponent(id)}` }, 'Edit'),
        h('a', { class: 'button danger', href: `#/edit?delete=1&id=${encodeURIComponent(id)}` }, 'Delete')) : null) : null,
    h('p', { role: 'status', class: 'said' }, said),
    h(Panel, { title: 'Timeline', note: schedule.partition ? `partition ${schedule.partition.number}` : '' }, h(Timeline, { schedule }),
      schedule.clock_changes.length ? h('ul', { class: 'clocks' }, schedule.clock_changes.map((change) => h('li', null,
        'Clock change ', h(Time, { at: change.at, zone, words: true }), ': ', change.text,
        ` (${change.first.replace('T', ' ')}${change.times > 1 ? ` to ${change.last.replace('T', ' ')}` : ''}).`))) : null),
    h('div', { class: 'two' },
      h(Facts, { schedule }),
      schedule.next.length || skips.length ? h(Panel, { title: 'Next' }, h(Few, {
        first: AHEAD,
        caption: 'The next occurrences', rows: schedule.next, empty: 'No other occurrence is known.',
        keyOf: (row) => row.at,
        columns: [
          ['Occurrence', (row) => h(Time, { at: row.at, zone, words: true })],
          ...(schedule.next.some((row) => row.due !== row.at) ? [['Due', (row) => h(Time, { at: row.due, zone })]] : []),
          ...(operates ? [['', (row) => h('button', { class: 'small', onClick: () => ask('skip', row.at), 'aria-label': `Skip ${times.full(row.at, zone)}` }, 'Skip')]] : []),
        ],
      }),
      skips.length ? h(Fragment, null, h('h3', null, 'Skipped by commands'), h(Table, {
        caption: 'Occurrences that commands skip', rows: skips.map((at) => ({ at })), empty: '', keyOf: (row) => row.at,
        columns: [['Occurrence', (row) => h(Time, { at: row.at, zone, words: true })],
          ...(operates ? [['', (row) => h('button', { class: 'small', onClick: () => ask('unskip', row.at), 'aria-label': `Take back the skip of ${times.full(row.at, zone)}` }, 'Take back')]] : [])],
      })) : null) : null),
    h(Panel, { title: 'Past', note: schedule.fires.length >= 100 ? 'the newest 100' : '' }, h(Few, {
        first: 20,
        caption: 'Past occurrences', rows: past(schedule), empty: 'Nothing has fired or was missed while the topics retain it.',
        keyOf: (row) => row.at + row.occurrence + Boolean(row.missed),
        columns: [
          ['Occurrence', (row) => h('a', { href: `#/audit?${new URLSearchParams({ id, occurrence: row.occurrence })}` }, h(Time, { at: row.occurrence, zone }))],
          ['What', (row) => h('span', { class: row.missed ? 'missed-text' : '' }, what(row), row.missed && row.missed.count !== 1 ? h(Fragment, null, ', the first at ', h(Time, { at: row.missed.first, zone })) : null)],
          ['Late', (row) => (row.fire ? h('span', { class: 'line' }, times.milliseconds(row.fire.late_ms)) : '')],
          ['Outcome', (row) => (row.fire?.outcome ? h(Badge, { of: row.fire.outcome }) : h('span', { class: 'quiet' }, '–'))],
          ['Record', (row) => (row.fire ? h('code', { class: 'place' }, row.fire.place) : '')],
        ],
    })),
    h(Backfills, { schedule, operates, ask }),
    schedule.runs ? h(Panel, { title: 'Runs', note: 'newest first, as workers report them' }, h(RunSums, { runs: schedule.runs, zone }), h(Few, {
      first: 20,
      caption: 'Runs of its fires', rows: schedule.runs, empty: '', keyOf: (row) => row.occurrence + (row.command_id || '') + (row.backfill || ''),
      columns: [
        ['Occurrence', (row) => h(Fragment, null, h('a', { href: `#/audit?${new URLSearchParams({ id, occurrence: row.occurrence })}` }, h(Time, { at: row.occurrence, zone })), row.backfill ? h('span', { class: 'note' }, ' backfill') : null)],
        ['Result', (row) => (row.retry_at ? h(Fragment, null, 'waits until ', h(Time, { at: row.retry_at, zone })) : h(Badge, { of: row.state }))],
        ['Started', (row) => (row.started_at ? h(Time, { at: row.started_at, zone }) : '')],
        ['Took', (row) => (row.duration_ms === undefined ? '' : h('span', { class: 'line' }, times.milliseconds(row.duration_ms)))],
        ['Tries', (row) => row.attempts],
        ['Worker', (row) => h('code', { class: 'place key' }, row.worker || '')],
        ['Says', (row) => h('span', { class: 'reason' }, row.error || row.reason || row.output || '')],
      ],
    })) : null,
    schedule.commands.length ? h(Panel, { title: 'Commands', note: 'newest first, whatever became of them' }, h(Table, {
      caption: 'Commands to this schedule', rows: schedule.commands, empty: '', keyOf: (row) => row.at + row.command_id,
      columns: [
        ['When', (row) => h(Time, { at: row.at, zone, words: true })],
        ['Who', (row) => row.author || h('span', { class: 'quiet' }, 'not said')],
        ['What', (row) => h(Fragment, null, row.what, ' ', h(Sentence, { text: row.about, zone }))],
        ['Note', (row) => h('span', { class: 'reason' }, row.note)],
        ['Command id', (row) => h('code', { class: 'place' }, row.command_id)],
      ],
    })) : null,
    h(Definition, { key: schedule.edits, schedule }),
    h(Revisions, { id, revision: schedule.revision, zone, edits: may(session, 'EDITOR', id) }),
    asking?.name === 'backfill' ? h(Backfill, { schedule, onDone: done, onClose: () => setAsking(null) }) : asking ? h(Action, { ...asking, schedule, onDone: done, onClose: () => setAsking(null) }) : null);
}
