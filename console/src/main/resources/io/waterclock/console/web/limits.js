// What limits hold back: how many fires run and wait, and pauses.

import { h, Fragment, Table, Panel, Dialog, Badge, Problem, Field, Time, idLink, address, changeAddress, useAnswer, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

const ACTIONS = {
  pause: { title: 'Pause', confirm: 'Pause', text: 'Nothing of this limit starts until it is resumed. What runs goes on, what is due waits.' },
  resume: { title: 'Resume', confirm: 'Resume', text: 'What waits starts as fast as the limit allows.' },
};

function Action({ name, row, onDone, onClose }) {
  const [note, setNote] = useState('');
  const [until, setUntil] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const action = ACTIONS[name];
  const confirm = () => {
    setBusy(true);
    setProblem('');
    api.post('/api/v1/limit', { name: row.name, action: name, note, ...(until ? { until: times.fromInput(until) } : {}) })
      .then(() => onDone(`${action.title}: written. The limiter reads it within a second.`))
      .catch((error) => { setProblem(error.message); setBusy(false); });
  };
  return h(Dialog, { title: `${action.title}: ${row.name}`, confirm: action.confirm, onConfirm: confirm, onClose, busy, problem },
    h('p', null, action.text),
    name === 'pause' ? h('div', { class: 'fields' },
      h(Field, { label: 'Note', value: note, onValue: setNote, maxLength: 1000, placeholder: 'the reason, for others' }),
      h(Field, { label: `Until (${times.inputZone()}), if it ends by itself`, type: 'datetime-local', value: until, onValue: setUntil })) : null);
}

// Whether something may start, and if not, who or what holds it back.
function Now({ row }) {
  if (!row.defined) return h(Badge, { of: 'UNKNOWN_LIMIT', text: 'no such limit' });
  if (row.pause) {
    return h('span', null, h(Badge, { of: 'PAUSED' }), h('span', { class: 'reason' },
      row.pause.author ? ` by ${row.pause.author}` : '', row.pause.until ? h(Fragment, null, ' until ', h(Time, { at: row.pause.until })) : null,
      row.pause.note ? `: ${row.pause.note}` : ''));
  }
  if (row.closed) return h('span', null, h(Badge, { of: 'CLOSED' }), row.window ? h(Fragment, null, ' until ', h(Time, { at: row.window.to })) : null);
  return h('span', null, h(Badge, { of: 'OPEN' }), row.window ? h('span', { class: 'quiet' }, ' closes ', h(Time, { at: row.window.from })) : null);
}

const number = (row, count) => (row.cut ? `at least ${times.count(count)}` : times.count(count));

function columns(mayPause, setAsked) {
  return [
    ['Limit', (row) => h('span', { class: 'id' }, row.name)],
    ['Allows', (row) => h('span', { title: row.description || '' }, row.defined ? row.text : 'all')],
    ['Now', (row) => h(Now, { row })],
    ['Running', (row) => number(row, row.running)],
    ['Waiting', (row) => (row.waiting ? h('strong', null, number(row, row.waiting)) : number(row, 0))],
    ['Oldest', (row) => (row.oldest ? h('span', null, h(Time, { at: row.oldest.due, words: true }), row.oldest.schedule ? h(Fragment, null, ' ', idLink(row.oldest.schedule)) : null) : '')],
    ['Starts', (row) => `${times.count(row.starts_in_minute)} a minute, ${times.count(row.starts_in_hour)} an hour`],
    ['Schedules', (row) => (row.schedules ? h('a', { href: address('/schedules', { where: `limit = '${row.name}'` }) }, times.count(row.schedules)) : '0')],
    ...(mayPause ? [['Change', (row) => (row.defined ? h('button', { type: 'button', class: 'small', 'aria-label': `${row.pause ? 'Resume' : 'Pause'} ${row.name}`, onClick: () => setAsked({ action: row.pause ? 'resume' : 'pause', row }) }, row.pause ? 'Resume' : 'Pause') : null)]] : []),
  ];
}

export function Limits({ parameters }) {
  const filter = parameters.get('text') || '';
  const [asked, setAsked] = useState(null);
  const [said, setSaid] = useState('');
  const { answer, problem, load } = useAnswer(() => api.get('/api/v1/limits'), '', { every: 5000, keeps: true });
  const done = (text) => { setAsked(null); setSaid(text); setTimeout(load, 1000); };
  const rows = (answer?.limits || []).filter((row) => row.name.toLowerCase().includes(filter.toLowerCase()));
  const waiting = rows.reduce((sum, row) => sum + row.waiting, 0);
  return h(Fragment, null,
    h('h1', null, 'Limits'),
    h('div', { class: 'filter' }, h(Field, { label: 'Name contains', type: 'search', value: filter, onValue: (text) => changeAddress('text', text) })),
    h(Problem, { text: problem }),
    h('p', { class: 'said', role: 'status' }, said),
    answer ? h(Panel, {
      title: `${times.count(rows.length)} ${rows.length === 1 ? 'limit' : 'limits'}`,
      note: `${times.count(waiting)} ${waiting === 1 ? 'fire waits' : 'fires wait'}`,
    }, h(Table, {
      caption: 'Limits and what waits for them', rows, keyOf: (row) => row.name, columns: columns(answer.may_pause, setAsked),
      empty: filter ? 'No limit fits the filter.' : 'There are no limits: every fire starts at once. The command waterclock limits put defines one, and a schedule names it.',
    })) : h('p', { class: 'empty', role: 'status' }, 'Loading …'),
    h('p', null, h('a', { href: address('/load', { by: 'limit' }) }, 'What limits make of the coming week')),
    asked ? h(Action, { name: asked.action, row: asked.row, onDone: done, onClose: () => setAsked(null) }) : null);
}
