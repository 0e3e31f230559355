import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setStorageKey } from '#base/sealed.ts';
import { takeLogoutReason } from '#base/logout-reason.ts';
import { draftOf } from './drafts.ts';
import { readToken, writeToken } from '#base/token.ts';

const user = { id: 7, role: 'user', storage_key: '7'.repeat(64) } as const;
setStorageKey(user.id, user.storage_key);

/**
 * Loads the module again for each test, because the module keeps state until the page is closed.
 */
const freshPage = async () => {
  vi.resetModules();
  const reload = vi.fn();
  const replaceState = vi.fn();
  vi.stubGlobal('window', { location: { reload }, history: { replaceState } });
  return { session: await import('./session.ts'), reload, replaceState };
};

beforeEach(() => {
  writeToken('t');
  takeLogoutReason();
});

describe('the end of a session', () => {
  it('the end of a session deletes the token and the user info, runs every registered cleanup, and reloads the page', async () => {
    const { session, reload } = await freshPage();
    const cleared = [vi.fn(), vi.fn()];
    for (const clear of cleared) session.onSessionEnd(clear);
    session.useSession.setState({ user: user as never });
    session.endSession('expired');
    const { readToken: readNow } = await import('#base/token.ts');
    expect(readNow()).toBeNull();
    expect(session.useSession.getState().user).toBeNull();
    for (const clear of cleared) expect(clear).toHaveBeenCalledTimes(1);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('if the session is ended ten times in a row, the page is reloaded only once', async () => {
    const { session, reload } = await freshPage();
    for (let count = 0; count < 10; count++) session.endSession('expired');
    expect(reload).toHaveBeenCalledTimes(1);
    expect((await import('#base/logout-reason.ts')).isLoggingOut()).toBe(true);
  });

  it('after a session expired, the URL is kept for the next login; after a logout, the URL is the login page', async () => {
    const died = await freshPage();
    died.session.endSession('expired');
    expect(died.replaceState).not.toHaveBeenCalled();
    const left = await freshPage();
    left.session.endSession('logout');
    expect(left.replaceState).toHaveBeenCalledWith(null, '', '#/login');
  });

  it('drafts are kept in the browser when a session ends', async () => {
    const { session } = await freshPage();
    draftOf(7, 'store').write({ text: 'typed' });
    session.endSession('expired');
    expect(draftOf(7, 'store').read()).toEqual({ text: 'typed' });
  });
});

describe('a permission', () => {
  it('the check of a screen’s roles throws if the roles are not an array', async () => {
    const { session } = await freshPage();
    for (const wrong of [undefined, null, 'admin', {}, 7])
      expect(() => session.permitted(wrong, 'super')).toThrow('need roles');
  });

  it('if a screen has a list of roles, only those roles see it; if the list is empty, every role sees it', async () => {
    const { session } = await freshPage();
    expect(session.permitted(['super', 'admin'], 'user')).toBe(false);
    expect(session.permitted(['super', 'user'], 'user')).toBe(true);
    expect(session.permitted([], 'user')).toBe(true);
  });
});

describe('the token', () => {
  it('the session token is stored in the browser and read back', () => {
    writeToken('abc');
    expect(readToken()).toBe('abc');
  });
});
