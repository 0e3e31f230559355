import { describe, expect, it } from 'vitest';
import {
  close,
  closingKeys,
  freshTabs,
  leave,
  markUnsaved,
  maxTabs,
  move,
  moveHref,
  packed,
  pin,
  reload,
  reopened,
  setDetail,
  unpacked,
  visit,
} from './tabs.ts';
import type { Tabs } from './tabs.ts';

const home = 'Workplace';
const start = freshTabs('/home');
/**
 * The state of tabs with the landing tab and one tab for each of these keys. The last tab is
 * active.
 */
const opened = (...keys: string[]): Tabs =>
  keys.reduce((state, key) => visit(state, key, `/${key}`), visit(start, home, '/home'));
const keys = (state: Tabs): string[] => state.tabs.map((tab) => tab.key);
const tab = (state: Tabs, key: string) => state.tabs.find((one) => one.key === key)!;

describe('opening tabs', () => {
  it('the console starts with only the landing tab, which has not loaded its page yet', () => {
    expect(keys(start)).toEqual([home]);
    expect(start.tabs[0]!.shown).toBe(false);
  });

  it('a screen has only one tab in the console, which keeps the URL it showed last', () => {
    const state = visit(opened('a', 'b'), 'a', '/a?page=2');
    expect(keys(state)).toEqual([home, 'a', 'b']);
    expect(state.active).toBe('a');
    expect(tab(state, 'a').href).toBe('/a?page=2');
    expect(tab(state, 'b').href).toBe('/b');
  });

  it('opening one tab more than the limit closes the least recently used tab, but never an unsaved, pinned or landing tab', () => {
    const many = Array.from({ length: maxTabs - 1 }, (_, index) => `t${index}`);
    let state = opened(...many);
    expect(state.tabs).toHaveLength(maxTabs);
    state = markUnsaved(state, 't0', true);
    state = pin(state, 't1', true);
    state = visit(state, 't2', '/t2');
    state = visit(state, 'next', '/next');
    expect(state.tabs).toHaveLength(maxTabs);
    expect(keys(state)).not.toContain('t3');
    expect(keys(state)).toEqual(expect.arrayContaining([home, 't0', 't1', 't2', 'next']));
    expect(reopened(state).href).toBe('/t3');
  });

  it('if every tab has unsaved work, a new tab is opened even above the limit, and no tab is closed', () => {
    const many = Array.from({ length: maxTabs - 1 }, (_, index) => `t${index}`);
    const unsaved = many.reduce((state, key) => markUnsaved(state, key, true), opened(...many));
    expect(visit(unsaved, 'next', '/next').tabs).toHaveLength(maxTabs + 1);
  });

  it('after an unknown URL no tab is active, and a known URL then activates its tab again', () => {
    const lost = leave(opened('a'));
    expect(lost).toMatchObject({ active: null, missing: true });
    expect(visit(lost, 'a', '/a')).toMatchObject({ active: 'a', missing: false });
  });
});

describe('closing tabs', () => {
  const state = opened('a', 'b', 'c', 'd');
  it.each([
    ['this', ['b']],
    ['left', ['a']],
    ['right', ['c', 'd']],
    ['others', ['a', 'c', 'd']],
    ['all', ['a', 'b', 'c', 'd']],
  ] as const)('the tab command “%s” at the third of five tabs closes %j', (which, gone) => {
    expect(closingKeys(state, 'b', which)).toEqual(gone);
    expect(keys(close(state, closingKeys(state, 'b', which)))).toEqual(
      keys(state).filter((key) => !(gone as readonly string[]).includes(key)),
    );
  });

  it('the landing tab cannot be closed, and a pinned tab is not closed when all tabs are closed', () => {
    const pinned = pin(state, 'c', true);
    expect(keys(close(pinned, [home, 'a']))).toContain(home);
    expect(closingKeys(pinned, 'b', 'all')).toEqual(['a', 'b', 'd']);
    expect(closingKeys(pinned, 'c', 'this')).toEqual(['c']);
    expect(closingKeys(pinned, home, 'this')).toEqual([]);
  });

  it('closing the active tab activates the tab used before it', () => {
    expect(close(visit(state, 'b', '/b'), ['b']).active).toBe('d');
    expect(close(visit(visit(state, 'a', '/a'), 'c', '/c'), ['c']).active).toBe('a');
    expect(close(visit(state, 'd', '/d'), ['d']).active).toBe('c');
    expect(close(visit(state, 'b', '/b'), ['a', 'b', 'c', 'd']).active).toBe(home);
    expect(close(state, ['a']).active).toBe('d');
  });

  it('closing the active tab activates a neighbouring tab if no other tab was used before', () => {
    const restored = { ...state, tabs: state.tabs.map((one) => ({ ...one, used: 0 })) };
    expect(close({ ...restored, active: 'b' }, ['b']).active).toBe('c');
    expect(close({ ...restored, active: 'd' }, ['d']).active).toBe('c');
  });

  it('closing a tab does not change the URL queries of the tabs beside it', () => {
    const queried = visit(visit(state, 'c', '/c?page=7'), 'b', '/b');
    expect(tab(close(queried, ['b']), 'c').href).toBe('/c?page=7');
  });

  it('closed tabs of the console are reopened with their URL queries, and the last closed tab is reopened first', () => {
    const closed = close(close(visit(state, 'a', '/a?q=1'), ['b']), ['a']);
    const first = reopened(closed);
    expect(first.href).toBe('/a?q=1');
    expect(reopened(first.state).href).toBe('/b');
    expect(reopened(start).href).toBeNull();
  });
});

describe('arranging tabs', () => {
  const state = opened('a', 'b', 'c');
  it('a tab of the console can be moved, but not before the landing tab', () => {
    expect(keys(move(state, 'c', 1))).toEqual([home, 'c', 'a', 'b']);
    expect(keys(move(state, 'a', 0))).toEqual([home, 'a', 'b', 'c']);
    expect(keys(move(state, 'a', 99))).toEqual([home, 'b', 'c', 'a']);
    expect(move(state, home, 2)).toBe(state);
  });

  it('pinned tabs of the console come before the others', () => {
    const pinned = pin(state, 'c', true);
    expect(keys(pinned)).toEqual([home, 'c', 'a', 'b']);
    expect(keys(move(pinned, 'b', 0))).toEqual([home, 'c', 'b', 'a']);
    expect(keys(move(pinned, 'c', 3))).toEqual([home, 'c', 'a', 'b']);
    expect(keys(pin(pinned, 'c', false))).toEqual([home, 'c', 'a', 'b']);
  });
});

describe('a page', () => {
  const state = opened('a', 'b');
  it('reloading a tab of the console loads its page again and keeps its URL, even if the page has unsaved changes', () => {
    const fresh = reload(markUnsaved(moveHref(state, 'a', '/a?x=1'), 'a', true), 'a');
    expect(tab(fresh, 'a')).toMatchObject({ rev: 1, unsaved: false, href: '/a?x=1' });
    expect(tab(fresh, 'b').rev).toBe(0);
  });

  it('if a tab’s page is already marked as unsaved, marking it again changes nothing', () => {
    const marked = markUnsaved(state, 'a', true);
    expect(markUnsaved(marked, 'a', true)).toBe(marked);
    expect(markUnsaved(state, 'nowhere', true)).toBe(state);
  });
});

describe('what of its screen a tab shows', () => {
  const state = setDetail(opened('a', 'b'), 'a', '华南价目');
  it('the detail text of a tab is kept while another tab is active and after a reload of the browser', () => {
    expect(tab(visit(state, 'b', '/b'), 'a').detail).toBe('华南价目');
    expect(
      tab(
        unpacked(JSON.parse(packed(state)), () => true, '/home'),
        'a',
      ).detail,
    ).toBe('华南价目');
    expect(tab(state, 'b').detail).toBeNull();
  });

  it('setting a tab’s detail text to the same text changes nothing', () => {
    expect(setDetail(state, 'a', '华南价目')).toBe(state);
    expect(setDetail(state, 'nowhere', 'x')).toBe(state);
    expect(tab(setDetail(state, 'a', null), 'a').detail).toBeNull();
  });
});

describe('tabs over a reload of the browser', () => {
  const allowed = (key: string): boolean => key !== 'forbidden';
  it('reloading the browser restores the tabs in order, with pins and URL queries; no tab loads its page before the tab is shown', () => {
    const state = pin(visit(opened('a', 'b'), 'a', '/a?q=1'), 'b', true);
    const back = unpacked(JSON.parse(packed(state)), allowed, '/home');
    expect(keys(back)).toEqual([home, 'b', 'a']);
    expect(tab(back, 'a')).toMatchObject({ href: '/a?q=1', shown: false, unsaved: false });
    expect(tab(back, 'b').pinned).toBe(true);
    expect(back.active).toBeNull();
  });

  it('reloading the browser drops tabs that are forbidden, duplicate or damaged', () => {
    const stored = [
      { key: 'forbidden', href: '/f' },
      { key: 'a', href: '/a' },
      { key: 'a', href: '/a?again' },
      null,
      7,
      { key: 1, href: 2 },
    ];
    expect(keys(unpacked(stored, allowed, '/home'))).toEqual([home, 'a']);
    for (const rubbish of [null, 'x', {}, 3])
      expect(keys(unpacked(rubbish, allowed, '/home'))).toEqual([home]);
  });
});
