// The parts of which views are made.

import * as times from './times.js';

const { h, Fragment, options } = window.preact;
const { useEffect, useRef, useState } = window.preactHooks;
export { h, Fragment, useEffect, useRef, useState };

const MARKS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const escaped = (mark) => mark.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

// A text with its controls and marks of direction written as JSON writes them, so that they change nothing beside it.
export const shown = (text) => text.replace(MARKS, (mark) => (mark === '\n' || mark === '\t' ? mark : escaped(mark)));

// Every text passes here on its way to a page, and every attribute that is read out. What a person edits stays as it is.
options.vnode = (node) => {
  if (typeof node.props === 'string') {
    node.props = shown(node.props);
  } else if (typeof node.type === 'string') {
    for (const name of ['title', 'aria-label', 'data-label', 'placeholder']) {
      if (typeof node.props[name] === 'string') node.props[name] = shown(node.props[name]);
    }
  }
};

export function Time({ at, zone, words = false }) {
  return h('time', { dateTime: at, title: times.full(at, zone) },
    words ? `${times.short(at, zone)} (${times.relative(at)})` : times.short(at, zone));
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)/;

// A sentence of the server: its instants become times in the zone that the switch chooses.
export function Sentence({ text, zone, words }) {
  return text.split(INSTANT).map((part) => (INSTANT.test(part) && !Number.isNaN(Date.parse(part)) ? h(Time, { at: part, zone, words }) : part));
}

const STATES = {
  ACTIVE: 'good', PAUSED: 'warning', COMPLETED: 'quiet', FAULTED: 'bad', REJECTED: 'bad', PENDING: 'warning',
  EDIT_REJECTED: 'bad', FAILING: 'bad', OVERDUE: 'bad', WAITING: 'warning', NEVER_FIRES: 'bad', UNKNOWN_LIMIT: 'warning', ODD_ZONE: 'warning', OPEN: 'good', CLOSED: 'warning', SUCCEEDED: 'good', STARTED: 'quiet', FAILED: 'bad', DROPPED: 'warning',
};

export function Badge({ of, text = of }) {
  return h('span', { class: `badge ${STATES[of] || 'quiet'}` }, text.toLowerCase().replaceAll('_', ' '));
}

// Of a schedule whose newest definition was rejected while an older one is in force.
export const editRejected = () => h(Badge, { of: 'EDIT_REJECTED' });

export function idLink(id) {
  return h('a', { href: `#/schedule?id=${encodeURIComponent(id)}`, class: 'id' }, id);
}

// The heading of a column by which a list is sorted: ascending, then descending.
function SortLink({ name, column, sort, hrefOf }) {
  const isSorted = sort.replace('-', '') === column;
  const next = isSorted && !sort.startsWith('-') ? `-${column}` : column;
  return h('a', { href: hrefOf(next), class: 'sort' }, name, h('span', { 'aria-hidden': 'true' }, isSorted ? (sort.startsWith('-') ? ' ↓' : ' ↑') : ''));
}

// A table that becomes a list of cards on a narrow screen; columns are [heading, cell of row, column to sort by].
export function Table({ caption, columns, rows, empty, keyOf, sort = '', hrefOf }) {
  if (!rows.length) return h('p', { class: 'empty' }, empty);
  return h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': caption },
    h('table', null,
      h('caption', { class: 'sr' }, caption),
      h('thead', null, h('tr', null, columns.map(([name, , column]) => h('th', {
        scope: 'col', 'aria-sort': column && sort.replace('-', '') === column ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined,
      }, column ? h(SortLink, { name, column, sort, hrefOf }) : name)))),
      h('tbody', null, rows.map((row, index) => h('tr', { key: keyOf ? keyOf(row) : index },
        columns.map(([name, cell], column) => h(column ? 'td' : 'th',
          { 'data-label': name, ...(column ? {} : { scope: 'row' }) }, cell(row))))))));
}

export function Panel({ title, note, children, level }) {
  return h('section', { class: `panel ${level || ''}` },
    h('div', { class: 'panel-head' }, h('h2', null, title), note ? h('span', { class: 'note' }, note) : null),
    children);
}

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A plot with the same numbers as a table for those who cannot see it.
// series: [{label, color: css variable, values, format, kind}]; steps: the distances between ticks that may be
export function Plot({ label, seconds, series, format, steps, height = 170 }) {
  const place = useRef(null);
  const plot = useRef(null);
  const theme = document.documentElement.dataset.theme + matchMedia('(prefers-color-scheme: dark)').matches;
  const data = [seconds, ...series.map((one) => one.values)];
  useEffect(() => {
    const axis = {
      stroke: color('--quiet-ink'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false },
      font: '12px system-ui, sans-serif',
    };
    const element = place.current;
    plot.current = new window.uPlot({
      width: element.clientWidth, height,
      legend: { show: true, live: true },
      cursor: { points: { size: 6 } },
      scales: { x: { time: true }, y: { range: (u, min, max) => [0, Math.max(max || 0, 1) * 1.1] } },
      axes: [
        { ...axis, values: (u, splits) => splits.map((split) => times.minute(split)), space: 70, size: 30 },
        { ...axis, incrs: steps, values: (u, splits) => splits.map((split) => (split === 0 ? '0' : format(split))), size: 72 },
      ],
      series: [
        { label: 'Minute', value: (u, value) => (value == null ? '–' : times.minute(value)) },
        ...series.map((one) => ({
          label: one.label, stroke: color(one.color), width: 2, points: { show: false },
          fill: one.fill ? `${color(one.color)}33` : undefined,
          paths: one.bars ? window.uPlot.paths.bars({ size: [0.7, 12] }) : undefined,
          value: (u, value) => (value == null ? '–' : format(value)),
        })),
      ],
    }, data, element);
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => { resized.disconnect(); plot.current.destroy(); };
  }, [theme, times.mode()]);
  useEffect(() => plot.current?.setData(data), [seconds, series]);
  const shown = seconds.map((second, index) => ({ second, index }))
    .filter(({ index }) => series.some((one) => one.values[index])).reverse();
  return h(Fragment, null,
    h('div', { class: 'plot', ref: place, role: 'img', 'aria-label': label }),
    h('details', null, h('summary', null, 'The same as a table'),
      h(Table, {
        caption: label, rows: shown, empty: 'Nothing in the last hour.', keyOf: (row) => row.second,
        columns: [['Minute', (row) => times.minute(row.second)],
          ...series.map((one) => [one.label, (row) => (one.values[row.index] == null ? '–' : format(one.values[row.index]))])],
      })));
}

export const words = (name) => name.toLowerCase().replaceAll('_', ' ');

// Why an occurrence was missed.
export const reasonOf = (reason) => ({ GRACE: 'too late', COLLAPSED_INTO: 'collapsed into a later fire' }[reason] || words(reason));

export function Problem({ text }) {
  return text ? h('p', { class: 'problem', role: 'alert' }, text) : null;
}

// A field with its label; the rest are attributes of the input.
export function Field({ label, value, onValue, ...rest }) {
  return h('label', null, label, h('input', { type: 'text', autocomplete: 'off', spellcheck: false, value, onInput: (event) => onValue(event.target.value), ...rest }));
}

// options: [[value, text]]
export function Choice({ label, value, options, onValue }) {
  return h('label', null, label, h('select', { value, onChange: (event) => onValue(event.target.value) },
    options.map(([key, text]) => h('option', { value: key }, text))));
}

// The newest answer to a question, which is asked anew when its key changes and every so many milliseconds.
export function useAnswer(ask, key, { every, keeps } = {}) {
  const [answer, setAnswer] = useState(null);
  const [problem, setProblem] = useState('');
  const asked = useRef(0);
  const newest = useRef(0);
  const load = () => {
    const number = ++asked.current;
    const take = (found, why) => {
      if (number <= newest.current) return;
      newest.current = number;
      if (!why) setAnswer(found);
      setProblem(why);
    };
    ask().then((found) => take(found, '')).catch((error) => take(null, error.message));
  };
  useEffect(() => {
    newest.current = asked.current;
    if (!keeps) setAnswer(null);
    load();
    const timer = every ? setInterval(load, every) : 0;
    return () => clearInterval(timer);
  }, [key]);
  return { answer, problem, setProblem, load };
}

// The address of a view with what is not empty of its parameters.
export function address(path, parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')).toString();
  return query ? `#${path}?${query}` : `#${path}`;
}

// Changes one parameter of the address as it is then: another field may have changed while this one was typed in.
export function changeAddress(name, value) {
  const [path, query] = location.hash.slice(1).split('?');
  location.replace(address(path, { ...Object.fromEntries(new URLSearchParams(query || '')), after: '', [name]: value }));
}

// Links to the first and the next page of a list.
export function Pages({ path, filter, after }) {
  return h('nav', { class: 'pages', 'aria-label': 'Pages' },
    filter.after ? h('a', { href: address(path, { ...filter, after: '' }) }, 'First page') : null,
    after ? h('a', { href: address(path, { ...filter, after }) }, 'Next page') : null);
}

// A modal question; the browser's own dialog keeps the focus inside and closes on Escape.
export function Dialog({ title, children, confirm, danger, onConfirm, onClose, busy, waits = busy, problem }) {
  const dialog = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before?.focus?.();
  }, []);
  return h('dialog', { ref: dialog, 'aria-labelledby': 'dialog-title', onClose },
    h('form', { method: 'dialog', onSubmit: (event) => { event.preventDefault(); onConfirm(); } },
      h('h2', { id: 'dialog-title' }, title),
      children,
      problem ? h('p', { class: 'problem', role: 'alert' }, problem) : null,
      h('div', { class: 'buttons' },
        h('button', { type: 'button', onClick: onClose }, 'Cancel'),
        h('button', { type: 'submit', class: danger ? 'primary danger' : 'primary', disabled: busy },
          waits ? 'Waiting for the scheduler …' : confirm))));
}
