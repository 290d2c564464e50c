// Dead letters: what failed, and what to do about it.

import { h, Fragment, Table, Panel, Dialog, Problem, Field, Choice, Time, idLink, useState } from './ui.js';
import * as times from './times.js';
import { useJob, Progress } from './jobs.js';

const ACTIONS = { redrive: 'Send again', discard: 'Discard' };
const PATH = '/api/v1/dead-letters';

const letters = (count) => `${times.count(count)} ${count === 1 ? 'dead letter' : 'dead letters'}`;

export function LetterTable({ rows, empty }) {
  return h(Table, {
    caption: 'Records that failed', rows, empty, keyOf: (row) => row.letter,
    columns: [
      ['Record', (row) => h('code', { title: row.letter }, row.record.place || row.letter)],
      ['Key', (row) => (row.schedule && row.schedule === row.record.key ? idLink(row.schedule) : h('code', { class: 'key' }, row.record.key || 'none'))],
      ['Why', (row) => h('span', { class: 'reason' }, row.reason)],
      ['Sent again', (row) => (row.record.redriven ? times.count(row.record.redriven) : '')],
      ['When', (row) => h(Time, { at: row.at, words: true })],
    ],
  });
}

function matches(row, filter) {
  return row.reason.toLowerCase().includes(filter.reason.toLowerCase())
    && row.record.key.startsWith(filter.starts_with)
    && (!filter.topic || row.record.place.startsWith(`${filter.topic}-`));
}

function Result({ action, result, isDryRun }) {
  const would = isDryRun ? 'would be ' : '';
  const done = action === 'redrive' ? 'sent again' : 'discarded';
  return h(Fragment, null,
    h(Problem, { text: result.stopped && `It stopped: ${result.stopped}` }),
    result.done || result.stay ? null : h('p', { role: 'status' }, 'No dead letter that you may change matches.'),
    result.done_by.map((row) => h('p', { class: 'words', role: 'status' }, `${letters(row.count)} ${would}${done}${row.to ? ` to ${row.to}` : ''}.`)),
    result.stay_by.map((row) => h('p', { class: 'note' }, `${letters(row.count)} ${row.count === 1 ? 'stays' : 'stay'}: ${row.why}.`)));
}

function useActions() {
  const [filter, setFilter] = useState({ reason: '', topic: '', owner: '', starts_with: '' });
  const [action, setAction] = useState('redrive');
  const [force, setForce] = useState('');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(null);
  const [asking, setAsking] = useState(false);
  const job = useJob();
  const changed = (set) => (value) => { set(value); setAsked(null); };
  const field = (name) => (value) => changed(setFilter)({ ...filter, [name]: value });
  const start = (isDryRun) => {
    const request = { action, filter, force: force === 'yes', note };
    setAsking(false);
    setAsked({ action, isDryRun });
    job.start(PATH, { ...request, dry_run: isDryRun });
  };
  const isCounted = asked?.isDryRun && job.result?.done > 0;
  return {
    filter,
    view: h(Fragment, null,
      h('form', { class: 'sheet', onSubmit: (event) => { event.preventDefault(); start(true); } },
        h(Panel, { title: 'Which' }, h('div', { class: 'fields' },
          h(Field, { label: 'Reason contains', value: filter.reason, onValue: field('reason') }),
          h(Field, { label: 'Topic', value: filter.topic, onValue: field('topic'), placeholder: 'waterclock.commands' }),
          h(Field, { label: 'Owner', value: filter.owner, onValue: field('owner') }),
          h(Field, { label: 'Key begins with', value: filter.starts_with, onValue: field('starts_with') }))),
        h(Panel, { title: 'What' }, h('div', { class: 'fields' },
          h(Choice, { label: 'Action', value: action, onValue: changed(setAction), options: Object.entries(ACTIONS) }),
          action === 'redrive' ? h(Choice, { label: 'Sent again three times', value: force, onValue: changed(setForce), options: [['', 'leave'], ['yes', 'send once more']] }) : null,
          h(Field, { label: 'Note', value: note, onValue: setNote, maxLength: 1000, placeholder: 'the reason' })),
        h('div', { class: 'buttons' }, h('button', { type: 'submit', disabled: job.isOpen }, 'Count what matches')))),
      job.job || job.problem ? h(Panel, { title: asked?.isDryRun === false ? 'Progress' : 'Dry run' },
        h(Progress, { of: job, unit: 'records read' }),
        job.result && asked ? h(Result, { action: asked.action, result: job.result, isDryRun: asked.isDryRun }) : null,
        isCounted ? h('div', { class: 'buttons' }, h('button', { type: 'button', class: action === 'discard' ? 'primary danger' : 'primary', onClick: () => setAsking(true) }, `${ACTIONS[action]}: ${letters(job.result.done)}`)) : null) : null,
      asking ? h(Dialog, { title: `${ACTIONS[action]}: ${letters(job.result.done)}`, confirm: ACTIONS[action], danger: action === 'discard', onConfirm: () => start(false), onClose: () => setAsking(false) },
        h('p', null, action === 'redrive' ? 'Each record goes to the topic where it failed, as it was then. What was written after it stays as it is.' : 'A discarded dead letter is not sent again.')) : null),
  };
}

export function Letters({ overview, session }) {
  const mayAct = session.grants.some((grant) => grant.role !== 'VIEWER');
  const actions = useActions();
  const all = [...(overview?.dead_letters || [])].reverse();
  const rows = mayAct ? all.filter((row) => matches(row, actions.filter)) : all;
  return h(Fragment, null,
    h('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, h('a', { href: '#/' }, 'Are we firing?')),
    h('h1', null, 'Dead letters'),
    mayAct ? actions.view : null,
    h(Panel, { title: 'The newest' }, overview
      ? h(LetterTable, { rows, empty: all.length ? 'None of the newest fits the filter.' : 'None: no record waits for a person.' })
      : h('p', { class: 'empty', role: 'status' }, 'Loading …')));
}
