// The list of schedules, a page at a time. Its address says everything: a bookmark keeps a view.

import { h, Fragment, Table, Time, Badge, Problem, Pages, editRejected, idLink, address, changeAddress, useAnswer, useRef, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';
import { chosen } from './bulk.js';

const PATH = '/schedules';
const STATES = [['ACTIVE', 'active'], ['PAUSED', 'paused'], ['COMPLETED', 'completed'], ['FAULTED', 'faulted'], ['REJECTED', 'rejected, edits too'], ['FAILING', 'failing']];
const FILTER = ['text', 'prefix', 'owner', 'state', 'due', 'from', 'to', 'where'];
const VIEWS = [['All', {}], ['Rejected', { state: 'REJECTED' }], ['Failing', { state: 'FAILING' }], ['Paused', { state: 'PAUSED' }], ['Never fire', { due: 'never' }], ['Next first', { sort: 'next' }], ['Last fired first', { sort: '-last_fired' }]];
const KEPT = 'waterclock.views';

const quiet = (text) => h('span', { class: 'quiet' }, text);

// Views that a person has kept in this browser, by their addresses.
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)).filter((one) => typeof one === 'string' && one.startsWith(`#${PATH}?`));
  } catch {
    return [];
  }
}

const nameOf = (view) => [...new URLSearchParams(view.split('?')[1])].map(([name, value]) => (name === 'sort' ? `by ${value.replace('-', '')}` : `${name} ${value}`.toLowerCase())).join(', ');

function Views({ current }) {
  const [own, setOwn] = useState(kept());
  const keep = (views) => { localStorage.setItem(KEPT, JSON.stringify(views)); setOwn(views); };
  const isKnown = own.includes(current) || VIEWS.some(([, filter]) => address(PATH, filter) === current);
  const link = (name, to) => h('a', { key: to, class: 'chip', href: to, 'aria-current': to === current ? 'true' : undefined }, name);
  return h('nav', { class: 'chips', 'aria-label': 'Saved views' },
    VIEWS.map(([name, filter]) => link(name, address(PATH, filter))),
    own.map((view) => link(nameOf(view), view)),
    isKnown ? null : h('button', { type: 'button', class: 'small', onClick: () => keep([...own, current].slice(-12)) }, 'Save this view'),
    own.includes(current) ? h('button', { type: 'button', class: 'small', onClick: () => keep(own.filter((view) => view !== current)) }, 'Forget this view') : null);
}

function next(row) {
  if (row.next) return h(Time, { at: row.next, zone: row.zone, words: true });
  return row.never ? h('span', { class: 'missed-text' }, 'never') : quiet('–');
}

export function Schedules({ parameters, session }) {
  const filter = Object.fromEntries([...FILTER, 'sort', 'after'].map((name) => [name, parameters.get(name) || '']));
  const [ticked, setTicked] = useState(chosen.size);
  const has = (role) => session.grants.some((grant) => grant.role === role);
  const operates = has('OPERATOR') || has('EDITOR');
  const choose = (ids, isChosen) => {
    ids.forEach((id) => (isChosen ? chosen.add(id) : chosen.delete(id)));
    setTicked(chosen.size);
  };
  const timers = useRef({});
  const ask = () => {
    const { due, from, to, ...plain } = filter;
    const hours = Number(due);
    const now = Date.now();
    const range = due === 'between' ? { from: times.fromInput(from), to: times.fromInput(to) }
      : due === 'never' ? { never: 1 }
        : hours ? { from: new Date(now).toISOString(), to: new Date(now + hours * 3600e3).toISOString() } : {};
    return api.get('/api/v1/schedules', { ...plain, ...range });
  };
  const here = address(PATH, filter);
  // a condition reads every definition
  const { answer, problem } = useAnswer(ask, here, { every: filter.where ? 60000 : 5000, keeps: true });
  const typed = (name) => (event) => {
    const { value } = event.target;
    clearTimeout(timers.current[name]);
    timers.current[name] = setTimeout(() => changeAddress(name, value), 250);
  };
  // what the address says, unless a person is typing there
  const fill = (name) => (input) => { if (input && input !== document.activeElement) input.value = filter[name]; };
  const field = (label, name, rest) => h('label', null, label, h('input', { type: 'text', ref: fill(name), onInput: typed(name), autocomplete: 'off', spellcheck: false, ...rest }));
  const choice = (label, name, options) => h('label', null, label, h('select', { value: filter[name], onChange: (event) => changeAddress(name, event.target.value) },
    options.map(([value, text]) => h('option', { value }, text))));
  const ids = answer?.schedules.map((row) => row.id) || [];
  const isAllChosen = ids.length > 0 && ids.every((id) => chosen.has(id));
  const hasFilter = FILTER.some((name) => filter[name]);
  return h(Fragment, null,
    h('div', { class: 'title' }, h('h1', null, 'Schedules'), operates ? h('div', { class: 'buttons' },
      h('a', { class: 'button', href: address('/bulk', { prefix: filter.prefix, state: filter.state, owner: filter.owner, where: filter.where }) }, ticked ? `Change ${times.count(ticked)} chosen` : 'Change many'),
      has('EDITOR') ? h('a', { class: 'button', href: '#/edit' }, 'New schedule') : null) : null),
    h('form', { class: 'filter', role: 'search', onSubmit: (event) => event.preventDefault() },
      field('Search', 'text', { type: 'search', placeholder: 'id, owner, label, trigger, zone, calendar, author' }),
      field('Id begins with', 'prefix', { placeholder: 'billing/' }),
      field('Owner', 'owner', { placeholder: 'billing' }),
      choice('State', 'state', [['', 'any'], ...STATES]),
      choice('Next due', 'due', [['', 'any time'], ['1', 'within an hour'], ['24', 'within a day'], ['168', 'within a week'], ['between', 'between …'], ['never', 'never']]),
      field('Condition', 'where', { placeholder: 'catch_up = replay and not labels.test' }),
      filter.due === 'between' ? h(Fragment, null,
        field(`From (${times.inputZone()})`, 'from', { type: 'datetime-local' }),
        field(`To (${times.inputZone()})`, 'to', { type: 'datetime-local' })) : null),
    h(Views, { current: address(PATH, { ...filter, after: '' }) }),
    h(Problem, { text: problem }),
    answer ? h(Fragment, null,
      h('p', { class: 'note list-note' }, h('span', { role: 'status' }, `${answer.cut ? 'At least ' : ''}${times.count(answer.total)} ${answer.total === 1 ? 'schedule' : 'schedules'}${answer.cut ? ': not all were compared with the condition' : ''}`),
        operates && ids.length ? h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: isAllChosen, onChange: () => choose(ids, !isAllChosen) }), 'Choose all of this page') : null),
      h('section', { class: 'panel' }, h(Table, {
        caption: 'Schedules', rows: answer.schedules, keyOf: (row) => row.id, sort: filter.sort || 'id',
        hrefOf: (sort) => address(PATH, { ...filter, after: '', sort: sort === 'id' ? '' : sort }),
        empty: hasFilter ? 'No schedule fits the filter.' : 'There is no schedule yet: the command waterclock put defines one.',
        columns: [
          ['Schedule', (row) => (operates ? h('span', { class: 'choose' }, h('input', { type: 'checkbox', checked: chosen.has(row.id), onChange: (event) => choose([row.id], event.target.checked), 'aria-label': `Choose ${row.id}` }), idLink(row.id)) : idLink(row.id)), 'id'],
          ['State', (row) => h('span', { class: 'badges' }, h(Badge, { of: row.state }), row.rejected && row.state !== 'REJECTED' ? editRejected() : null, row.failing ? h(Badge, { of: 'FAILING' }) : null), 'state'],
          ['Trigger', (row) => h('code', { class: 'trigger', title: row.trigger }, row.trigger), 'trigger'],
          ['Zone', (row) => h('span', { class: 'zone' }, row.zone), 'zone'],
          ['Next', next, 'next'],
          ['Last fired', (row) => (row.last_fired ? h('time', { dateTime: row.last_fired, title: times.full(row.last_fired, row.zone) }, times.relative(row.last_fired)) : quiet('–')), 'last_fired'],
          ['Last result', (row) => (row.last_outcome ? h(Badge, { of: row.last_outcome }) : quiet('–')), 'last_outcome'],
          ['Owner', (row) => (row.owner ? h('span', { class: 'owner', title: row.owner }, row.owner) : ''), 'owner'],
        ],
      })),
      h(Pages, { path: PATH, filter, after: answer.after })) : h('p', { class: 'empty', role: 'status' }, 'Loading …'));
}
