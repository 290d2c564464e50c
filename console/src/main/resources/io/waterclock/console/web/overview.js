// "Are we firing?"

import { h, Fragment, Table, Panel, Plot, Time, idLink, reasonOf, words } from './ui.js';
import * as times from './times.js';
import { KindLinks, ProblemTable } from './problems.js';
import { LetterTable } from './letters.js';

const LATE = 30e3;
const COLORS = {
  GRACE: '--plot-3', COLLAPSED_INTO: '--plot-2', OUT_OF_WINDOW: '--plot-7', SKIPPED: '--plot-6', OVERLAP: '--plot-5', PAUSED: '--plot-8', DELETED: '--plot-4',
  SUCCEEDED: '--plot-4', FAILED: '--plot-3', DROPPED: '--plot-2', STARTED: '--plot-1',
};

// The newest watermark says whether the scheduler decides; the answer is one sentence.
export function verdict(overview, now = new Date(overview.at)) {
  const rows = overview.partitions;
  if (overview.unreadable) return ['bad', 'The console cannot read the topics', overview.unreadable];
  if (!overview.complete) return ['warning', 'Reading the topics', 'The numbers below are not complete yet.'];
  if (!rows.length) return ['bad', 'Not firing', 'No scheduler has ever written a watermark with this prefix.'];
  const silent = rows.filter((row) => now - new Date(row.written_at) > LATE);
  const behind = rows.filter((row) => now - new Date(row.decided_through) > LATE);
  const oldest = rows.reduce((a, b) => (a.decided_through < b.decided_through ? a : b));
  const age = times.milliseconds(Math.max(0, now - new Date(oldest.decided_through)));
  const which = (some) => (some.length === rows.length
    ? (rows.length === 1 ? 'The only partition' : `All ${rows.length} partitions`)
    : `Partition${some.length > 1 ? 's' : ''} ${some.map((row) => row.partition).slice(0, 8).join(', ')}${some.length > 8 ? ' and more' : ''}`);
  if (silent.length) return ['bad', 'Not firing', `${which(silent)} ${silent.length > 1 ? 'have' : 'has'} no scheduler that writes: the oldest is decided up to ${age} ago.`];
  const reading = rows.filter((row) => row.read_through && now - new Date(row.read_through) > LATE);
  if (reading.length) {
    const read = times.milliseconds(Math.max(...reading.map((row) => now - new Date(row.read_through))));
    return ['warning', 'Behind', `${which(reading)} read${reading.length > 1 ? '' : 's'} what was written ${read} ago, and decide${reading.length > 1 ? '' : 's'} nothing that is due later.`];
  }
  if (behind.length) return ['warning', 'Behind', `${which(behind)} ${behind.length > 1 ? 'are' : 'is'} behind: the oldest is decided up to ${age} ago.`];
  if (overview.states.FAULTED) return ['warning', 'Firing, with faults', `${times.count(overview.states.FAULTED)} of the schedules ${overview.states.FAULTED > 1 ? 'are' : 'is'} faulted.`];
  if (overview.failing) return ['warning', 'Firing, with failures', `The fires of ${times.count(overview.failing)} schedule${overview.failing > 1 ? 's' : ''} fail, time after time.`];
  if (!overview.pending && !Object.values(overview.states).some(Boolean)) return ['good', 'Ready', 'There is no schedule yet: the command waterclock put defines one.'];
  return ['good', 'Firing', `Everything due up to ${age} ago is decided, on ${rows.length === 1 ? 'one partition' : `${rows.length} partitions`}.`];
}

function sum(minutes, key) {
  return minutes.reduce((all, minute) => all + Object.values(minute[key]).reduce((a, b) => a + b, 0), 0);
}

function Tile({ label, value, detail, href, level }) {
  return h('div', { class: `tile ${level || ''}` },
    h('div', { class: 'tile-label' }, label),
    h('div', { class: 'tile-value' }, href ? h('a', { href }, value) : value),
    detail ? h('div', { class: 'tile-detail' }, detail) : null);
}

export function Overview({ overview }) {
  if (!overview) return h('p', { class: 'empty', role: 'status' }, 'Loading …');
  const { minutes, states } = overview;
  const seconds = minutes.map((minute) => new Date(minute.at) / 1000);
  const fired = minutes.reduce((all, minute) => all + minute.fires, 0);
  const missed = sum(minutes, 'missed');
  const failed = minutes.reduce((all, minute) => all + (minute.outcomes.FAILED || 0), 0);
  const succeeded = minutes.reduce((all, minute) => all + (minute.outcomes.SUCCEEDED || 0), 0);
  const measured = minutes.filter((minute) => minute.p99_ms !== undefined);
  const latest = measured[measured.length - 1] || {};
  const reasons = [...new Set(minutes.flatMap((minute) => Object.keys(minute.missed)))].sort();
  const outcomes = [...new Set(minutes.flatMap((minute) => Object.keys(minute.outcomes)))].sort();
  const all = Object.values(states).reduce((a, b) => a + b, 0) + overview.pending;
  const editsRejected = overview.rejected - (states.REJECTED || 0);
  const [level, headline, sentence] = verdict(overview);
  return h(Fragment, null,
    h('section', { class: `verdict ${level}` },
      h('h1', { 'aria-live': 'polite' }, headline), h('p', null, sentence)),
    h('div', { class: 'tiles' },
      h(Tile, { label: 'Schedules', value: times.count(all), href: '#/schedules',
        detail: [...Object.entries(states), ['PENDING', overview.pending]].filter(([, number]) => number)
          .map(([state, number]) => `${times.count(number)} ${state.toLowerCase()}`)
          .concat(editsRejected ? `${times.count(editsRejected)} with a rejected edit` : []).join(', ') || 'none yet' }),
      h(Tile, { label: 'Fires in the last hour', value: times.count(fired),
        detail: succeeded + failed ? `${times.count(succeeded)} succeeded, ${times.count(failed)} failed` : 'no outcomes reported' }),
      h(Tile, { label: 'Missed in the last hour', value: times.count(missed), level: missed ? 'warning' : '', href: missed ? '#/missed' : undefined,
        detail: reasons.length ? reasons.map((reason, index) => h(Fragment, { key: reason }, index ? ', ' : '', h('a', { href: `#/missed?reason=${reason}` },
          `${times.count(minutes.reduce((all, minute) => all + (minute.missed[reason] || 0), 0))} ${reasonOf(reason)}`))) : 'none' }),
      h(Tile, { label: 'Lateness, newest minute', value: times.milliseconds(latest.p99_ms),
        detail: latest.p50_ms === undefined ? 'nothing fired yet' : `99th percentile; median ${times.milliseconds(latest.p50_ms)}` }),
      h(Tile, { label: 'Due in the next hour', value: times.count(overview.due_in_hour), detail: 'schedules with an occurrence' })),
    overview.problems.length || overview.dead_letters.length
      ? h(Panel, { title: 'Problems', level: 'attention', note: overview.problem_rows > overview.problems.length ? h('a', { href: '#/problems' }, `all ${times.count(overview.problem_rows)} rows`) : '' },
        h(KindLinks, { counts: overview.problem_counts }),
        h(ProblemTable, { rows: overview.problems, empty: 'No schedule needs a person.' }),
        overview.dead_letters.length ? h(Fragment, null, h('h3', null, h('a', { href: '#/dead-letters' }, 'Dead letters')),
          h(LetterTable, { rows: [...overview.dead_letters].reverse().slice(0, 10), empty: '' })) : null)
      : h(Panel, { title: 'Problems' }, h('p', { class: 'empty' }, 'None: no schedule is paused, rejected, faulted or failing, none never fires, and there are no dead letters.')),
    h('div', { class: 'two' },
      h(Panel, { title: 'Lateness', note: 'the last hour' },
        h(Plot, {
          label: 'Lateness of fires by minute', seconds, format: times.milliseconds, steps: times.TIME_STEPS,
          series: [
            { label: '99th percentile', color: '--plot-2', values: minutes.map((m) => m.p99_ms ?? null) },
            { label: 'Median', color: '--plot-1', values: minutes.map((m) => m.p50_ms ?? null), fill: true }],
        })),
      h(Panel, { title: 'Fires and missed occurrences', note: 'per minute' },
        h(Plot, {
          key: reasons.join(), label: 'Fires and missed occurrences by minute', seconds, format: times.count, steps: times.COUNT_STEPS,
          series: [
            { label: 'Fires', color: '--plot-1', values: minutes.map((m) => m.fires), bars: true, fill: true },
            ...reasons.map((reason) => ({
              label: `Missed: ${reasonOf(reason)}`, color: COLORS[reason] || '--plot-8', values: minutes.map((m) => m.missed[reason] || 0),
            }))],
        })),
      outcomes.length ? h(Panel, { title: 'Outcomes', note: 'reported per minute' },
        h(Plot, {
          key: outcomes.join(), label: 'Outcomes of fires by minute', seconds, format: times.count, steps: times.COUNT_STEPS,
          series: outcomes.map((outcome) => ({
            label: words(outcome), color: COLORS[outcome] || '--plot-8', values: minutes.map((m) => m.outcomes[outcome] || 0),
          })),
        })) : null),
    h(Panel, { title: 'Due next', note: overview.due_in_hour > overview.due_next.length ? `${overview.due_next.length} of ${times.count(overview.due_in_hour)} within the hour` : 'within the hour' },
      h(Table, {
        caption: 'What is due in the next hour', rows: overview.due_next, empty: 'Nothing is due in the next hour.',
        keyOf: (row) => row.id,
        columns: [
          ['Schedule', (row) => idLink(row.id)],
          ['Due', (row) => h(Time, { at: row.next, zone: row.zone, words: true })],
          ['Trigger', (row) => h('code', null, row.trigger)],
          ['Owner', (row) => row.owner || ''],
        ],
      })),
    h(Panel, { title: 'Partitions' },
      h(Table, {
        caption: 'Partitions and their owners', rows: overview.partitions, empty: 'No scheduler has written yet.',
        keyOf: (row) => row.partition,
        columns: [
          ['Partition', (row) => row.partition],
          ['Owner', (row) => h('code', null, row.instance)],
          ['Decided up to', (row) => h(Time, { at: row.decided_through, words: true })],
          ['Read up to', (row) => (row.read_through ? h(Time, { at: row.read_through, words: true }) : '')],
          ['In memory', (row) => times.count(row.live)],
          ['Catching up', (row) => times.count(row.catching_up)],
          ['Fired', (row) => times.count(row.fired)],
          ['Missed', (row) => times.count(row.missed)],
          ['Time zones', (row) => row.tzdb],
        ],
      })));
}
