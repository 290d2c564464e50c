// The frame around the views: navigation, the zone switch, the theme, the connection.

import { h, Fragment, shown, useEffect, useState } from './ui.js';
import * as api from './api.js';
import * as times from './times.js';
import { Overview } from './overview.js';
import { Problems, Missed } from './problems.js';
import { Letters } from './letters.js';
import { Schedules } from './schedules.js';
import { Schedule, may } from './schedule.js';
import { Load } from './load.js';
import { Limits } from './limits.js';
import { Bulk } from './bulk.js';
import { Edit } from './edit.js';
import { WhatIf } from './whatif.js';
import { Audit } from './audit.js';

const THEME = 'waterclock.theme';
const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };

function theme() {
  const known = localStorage.getItem(THEME);
  return known in THEMES ? known : 'system';
}

function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

function route() {
  const [path, query] = (location.hash.slice(1) || '/').split('?');
  return { path, parameters: new URLSearchParams(query || '') };
}

const LOGIN_FAILED = {
  expired: 'This login was begun in another browser, or too long ago. Log in again.',
  refused: 'The login was refused.',
  provider: 'The login cannot be checked now. The operator of this console finds the reason in its log.',
  nameless: 'Your login says no name that this console can use. The operator of this console finds the reason in its log.',
};

function Login({ path, place, failed }) {
  return h('main', { id: 'main', class: 'login' },
    h('h1', null, 'Waterclock'),
    failed ? h('p', { class: 'problem', role: 'alert' }, LOGIN_FAILED[failed] || LOGIN_FAILED.refused) : null,
    h('a', { class: 'primary', href: `${path}?${new URLSearchParams({ to: place })}` }, 'Log in'));
}

function TokenLogin({ problem, onToken }) {
  const [token, setToken] = useState('');
  return h('main', { id: 'main', class: 'login' },
    h('h1', null, 'Waterclock'),
    h('form', { onSubmit: (event) => { event.preventDefault(); onToken(token); } },
      h('label', null, 'Access token', h('input', { type: 'password', autocomplete: 'current-password', value: token, onInput: (event) => setToken(event.target.value) })),
      problem ? h('p', { class: 'problem', role: 'alert' }, problem) : null,
      h('button', { class: 'primary', type: 'submit' }, 'Open the console')));
}

// A page that its address leads to, but the person's role does not.
function Withheld({ title, who }) {
  return h(Fragment, null, h('h1', null, title), h('p', { class: 'empty' }, `This page is for ${who}. The operator of this console gives roles.`));
}

function View({ at, session, overview }) {
  const has = (...roles) => session.grants.some((grant) => roles.includes(grant.role));
  if (at.path === '/bulk' && !has('OPERATOR', 'EDITOR')) return h(Withheld, { title: 'Change many schedules', who: 'operators and editors' });
  if (at.path === '/edit' && !(at.parameters.get('id') ? may(session, 'EDITOR', at.parameters.get('id')) : has('EDITOR'))) return h(Withheld, { title: at.parameters.get('id') || 'New schedule', who: 'editors' });
  if (at.path === '/schedules') return h(Schedules, { parameters: at.parameters, session });
  if (at.path === '/bulk') return h(Bulk, { parameters: at.parameters, session });
  if (at.path === '/what-if') return h(WhatIf, { session });
  if (at.path === '/audit') return h(Audit, { parameters: at.parameters });
  if (at.path === '/edit') return h(Edit, { parameters: at.parameters });
  if (at.path === '/schedule') return h(Schedule, { id: at.parameters.get('id') || '', session });
  if (at.path === '/load') return h(Load, { parameters: at.parameters });
  if (at.path === '/limits') return h(Limits, { parameters: at.parameters });
  if (at.path === '/problems') return h(Problems, { parameters: at.parameters });
  if (at.path === '/missed') return h(Missed, { parameters: at.parameters });
  if (at.path === '/dead-letters') return h(Letters, { overview, session });
  if (at.path === '/') return h(Overview, { overview });
  return h(Fragment, null, h('h1', null, 'Not found'), h('p', { class: 'empty' }, `The console has no page ${at.path}. `, h('a', { href: '#/' }, 'To the first screen')));
}

const TITLES = { '/': 'Are we firing?', '/problems': 'Problems', '/missed': 'Missed occurrences', '/dead-letters': 'Dead letters', '/schedules': 'Schedules', '/load': 'Load ahead', '/limits': 'Limits', '/bulk': 'Change many schedules', '/edit': 'Define a schedule', '/what-if': 'What if', '/audit': 'Audit' };
const UNDER = { '/schedules': ['/schedule', '/bulk', '/edit'], '/': ['/problems', '/missed', '/dead-letters'] };

function roles(session) {
  const greatest = ['EDITOR', 'OPERATOR', 'VIEWER'].find((role) => session.grants.some((grant) => grant.role === role));
  return greatest ? greatest.toLowerCase() : 'no role';
}

function App() {
  const [at, setAt] = useState(route());
  const [session, setSession] = useState(null);
  const [problem, setProblem] = useState(null);
  const [overview, setOverview] = useState(null);
  const [isLive, setLive] = useState(true);
  const [zone, setZone] = useState(times.mode());
  const [shownTheme, setTheme] = useState(theme());
  const begin = () => api.session().then((found) => { setSession(found); setProblem(null); }).catch(setProblem);
  useEffect(() => {
    begin();
    const moved = () => {
      setAt(route());
    };
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  useEffect(() => (session ? api.events(setOverview, setLive) : undefined), [session]);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [at.path]);
  const name = at.path === '/schedule' ? at.parameters.get('id') : (TITLES[at.path] || 'Not found');
  useEffect(() => { document.title = shown(`${name} · Waterclock`); }, [name]);
  if (problem?.status === 401 && problem.login) {
    const failed = at.parameters.get('login');
    return h(Login, { path: problem.login, failed, place: failed ? '#/' : location.hash || '#/' });
  }
  if (problem?.status === 401) {
    return h(TokenLogin, {
      problem: api.hasToken() ? 'The console does not know this token.' : '',
      onToken: (token) => { api.setToken(token); begin(); },
    });
  }
  if (problem) return h('main', { id: 'main' }, h('h1', null, 'Waterclock'), h('p', { class: 'problem', role: 'alert' }, problem.message));
  if (!session) return h('main', { id: 'main' }, h('p', { role: 'status', class: 'empty' }, 'Loading …'));
  const link = (path, text) => h('a', { href: `#${path}`, 'aria-current': at.path === path || UNDER[path]?.includes(at.path) ? 'page' : undefined }, text);
  return h(Fragment, null,
    h('a', { href: '#main', class: 'skip', onClick: (event) => { event.preventDefault(); document.getElementById('main').focus(); } }, 'Skip to the content'),
    h('header', null,
      h('a', { href: '#/', class: 'brand' }, h('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), 'Waterclock', h('span', { class: 'prefix' }, session.prefix)),
      h('nav', { 'aria-label': 'Views' }, link('/', 'Are we firing?'), link('/schedules', 'Schedules'), link('/load', 'Load ahead'), link('/limits', 'Limits'), link('/what-if', 'What if'), link('/audit', 'Audit')),
      h('div', { class: 'settings' },
        h('span', { class: 'who', title: session.name }, `${session.name}, ${roles(session)}`),
        session.logout && !api.hasToken() ? h('a', { href: session.logout }, 'Log out') : null,
        h('label', null, h('span', { class: 'sr' }, 'Time zone of all times'), h('select', { value: zone, onChange: (event) => { times.setMode(event.target.value); setZone(event.target.value); } },
          Object.entries(times.MODES).map(([value, text]) => h('option', { value }, text)))),
        h('label', null, h('span', { class: 'sr' }, 'Theme'), h('select', { value: shownTheme, onChange: (event) => { localStorage.setItem(THEME, event.target.value); applyTheme(); setTheme(event.target.value); } },
          Object.entries(THEMES).map(([value, text]) => h('option', { value }, text)))))),
    isLive ? null : h('p', { class: 'banner', role: 'alert' }, 'The console does not answer. What is shown is old; trying again.'),
    overview?.unreadable && at.path !== '/' ? h('p', { class: 'banner', role: 'alert' }, `The console cannot read the topics, so what is shown may be old: ${overview.unreadable}`) : null,
    overview?.no_room_mb ? h('p', { class: 'banner', role: 'alert' }, `The console has no room for all schedules and calendars in ${overview.no_room_mb} MB: lists, counts and loads are incomplete. Its operator can give it more (console.memory).`) : null,
    h('main', { id: 'main', tabIndex: -1 }, h(View, { key: at.path + (at.path === '/schedule' || at.path === '/edit' ? at.parameters : ''), at, session, overview })));
}

applyTheme();
window.preact.render(h(App), document.getElementById('app'));
