// What needs a person, and what was missed: all of it, page by page.

import { h, Fragment, Table, Panel, Time, Sentence, Badge, Problem, Choice, Pages, idLink, reasonOf, words, address, changeAddress, useAnswer } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';

// The gravest first, as the server sorts them.
const KINDS = ['FAULTED', 'REJECTED', 'EDIT_REJECTED', 'FAILING', 'OVERDUE', 'WAITING', 'NEVER_FIRES', 'UNKNOWN_LIMIT', 'PAUSED', 'ODD_ZONE'];
const REASONS = ['GRACE', 'COLLAPSED_INTO', 'OUT_OF_WINDOW', 'SKIPPED', 'OVERLAP', 'PAUSED', 'DELETED', 'EXPIRED'];
const PERIODS = [['', 'the last hour'], ['24', 'the last day'], ['168', 'the last week']];

function which(row) {
  if (row.count === 1) return idLink(row.id);
  const text = `${times.count(row.count)} schedules`;
  const filter = { state: row.kind === 'PAUSED' ? 'PAUSED' : '', due: row.kind === 'NEVER_FIRES' ? 'never' : '', where: row.where };
  return row.where ? h('a', { href: address('/schedules', filter) }, text) : h(Fragment, null, text, ', such as ', idLink(row.id));
}

const isOneMoment = (row) => Date.parse(row.since) - Date.parse(row.first) < 60e3;

// One row for a schedule, or for those with one cause.
export function ProblemTable({ rows, empty }) {
  return h(Table, {
    caption: 'Schedules that need a person', rows, empty, keyOf: (row) => row.kind + row.id,
    columns: [
      ['Schedule', which],
      ['Problem', (row) => h(Badge, { of: row.kind })],
      ['Why', (row) => h('span', { class: 'reason' }, row.kind === 'PAUSED' ? row.text || 'no note' : h(Sentence, { text: row.text }), row.author ? h('span', { class: 'author' }, ` by ${row.author}`) : null)],
      ['Owner', (row) => (row.count === 1 && row.owner ? h('span', { class: 'owner', title: row.owner }, row.owner) : '')],
      ['Since', (row) => h('span', null, h(Time, { at: row.first, words: true }), isOneMoment(row) ? null : h(Fragment, null, ' to ', h(Time, { at: row.since })))],
    ],
  });
}

// How many schedules have each kind, as links to them.
export function KindLinks({ counts, current, owner }) {
  const link = (kind, text) => h('a', { class: 'chip', href: address('/problems', { kind, owner }), 'aria-current': current === kind ? 'true' : undefined }, text);
  return h('nav', { class: 'chips', 'aria-label': 'Kinds of problems' },
    current === undefined ? null : link('', 'all'),
    KINDS.filter((kind) => counts[kind] || current === kind).map((kind) => link(kind, `${times.count(counts[kind] || 0)} ${words(kind)}`)));
}

export function Problems({ parameters }) {
  const filter = { kind: parameters.get('kind') || '', owner: parameters.get('owner') || '', after: parameters.get('after') || '' };
  const { answer, problem } = useAnswer(() => api.get('/api/v1/problems', filter), JSON.stringify(filter), { every: 5000, keeps: true });
  const owners = answer?.owners.filter((one) => one.owner).map((one) => [one.owner, `${one.owner} (${times.count(one.count)})`]) || [];
  const isOther = filter.owner && !owners.some(([owner]) => owner === filter.owner);
  return h(Fragment, null,
    h('h1', null, 'Problems'),
    h(Problem, { text: problem }),
    answer ? h(Fragment, null,
      h('div', { class: 'filter' }, h(Choice, {
        label: 'Owner', value: filter.owner, onValue: (owner) => changeAddress('owner', owner),
        options: [['', 'any'], ...owners, ...(isOther ? [[filter.owner, filter.owner]] : [])],
      })),
      h(KindLinks, { counts: answer.counts, current: filter.kind, owner: filter.owner }),
      answer.total ? h('p', { class: 'note', role: 'status' }, `${times.count(answer.total)} ${answer.total === 1 ? 'row' : 'rows'}: the gravest first, then the newest.`) : null,
      h('section', { class: 'panel' }, h(ProblemTable, { rows: answer.problems, empty: filter.kind || filter.owner ? 'No problem fits the filter.' : 'None: no schedule is paused, rejected, faulted or failing, none never fires, and none has another time zone than its owner\'s others.' })),
      h(Pages, { path: '/problems', filter, after: answer.after })) : h('p', { class: 'empty', role: 'status' }, 'Loading …'));
}

export function Missed({ parameters }) {
  const filter = { reason: parameters.get('reason') || '', hours: parameters.get('hours') || '' };
  const since = () => new Date(Date.now() - (Number(filter.hours) || 1) * 3600e3).toISOString();
  const ask = () => api.get('/api/v1/missed', { reason: filter.reason, limit: 200, since: since() });
  const { answer, problem } = useAnswer(ask, JSON.stringify(filter), { every: 10000, keeps: true });
  return h(Fragment, null,
    h('h1', null, 'Missed occurrences'),
    h('div', { class: 'filter' },
      h(Choice, { label: 'Decided in', value: filter.hours, options: PERIODS, onValue: (hours) => changeAddress('hours', hours) }),
      h(Choice, { label: 'Reason', value: filter.reason, options: [['', 'any'], ...REASONS.map((reason) => [reason, reasonOf(reason)])], onValue: (reason) => changeAddress('reason', reason) })),
    h(Problem, { text: problem }),
    answer ? h(Panel, {
      title: `${times.count(answer.occurrences)} occurrences`,
      note: answer.total > answer.missed.length ? `the newest ${answer.missed.length} of ${times.count(answer.total)} ranges` : `${times.count(answer.total)} ${answer.total === 1 ? 'range' : 'ranges'}`,
    }, h(Table, {
      caption: 'Missed occurrences', rows: answer.missed, empty: 'Nothing was missed, as far as this console remembers.',
      columns: [
        ['Schedule', (row) => idLink(row.id)],
        ['Missed', (row) => `${row.at_least ? 'at least ' : ''}${times.count(row.count)}`],
        ['Reason', (row) => reasonOf(row.reason)],
        ['From', (row) => h(Time, { at: row.first })],
        ['To', (row) => h(Time, { at: row.last })],
        ['Decided', (row) => h(Time, { at: row.decided_at, words: true })],
        ['Owner', (row) => row.owner || ''],
      ],
    })) : h('p', { class: 'empty', role: 'status' }, 'Loading …'));
}
