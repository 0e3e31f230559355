import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { about } from '@waystation/contract/shell/about.ts';
import { readPreferences } from '@waystation/contract/people/preferences.ts';
import { screenAt, screens } from '@waystation/contract/shell/screens.ts';
import { personal } from '@waystation/contract/people/session.ts';
import { call } from '#base/call.ts';
import { pathOf, searchOf } from '#base/href.ts';
import { startPreload } from '#base/preload.ts';
import { queryClient } from '#base/query.ts';
import { keepLastFields } from '#pages/expresses/last-fields.ts';
import { firstReads } from './first-reads.ts';

/** Imitates the window, because the shell reads the URL when it is loaded. */
const stubWindow = (): void =>
  void vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { hash: '' } }));

const fetched: string[] = [];
beforeEach(() => {
  fetched.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return Response.json({ status: 200, data: { items: [], total: 0 }, message: '' });
  });
  stubWindow();
});
afterEach(() => {
  keepLastFields(undefined);
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Opens a page as the page host does, including its `preload`. */
const openPage = async (href: string): Promise<void> => {
  const { loadPage } = await import('./page-loaders.ts');
  const { preload } = await loadPage(screenAt(pathOf(href))!.name);
  await preload?.(searchOf(href));
};

const isPreloaded = ({ path }: { path: string }): boolean =>
  firstReads(path).length > firstReads('/').length;

// Loads the pages first. The result of an early request is valid for only a few seconds, and a busy
// machine may need longer to load a page.
beforeAll(async () => {
  stubWindow();
  const { loadPage } = await import('./page-loaders.ts');
  for (const name of screens.filter(isPreloaded).map((screen) => screen.name)) await loadPage(name);
});

describe('the reads sent by index.html', () => {
  it('index.html starts the first requests of Workplace and of the parcel list, and the three requests of the shell', () => {
    expect(screens.filter(isPreloaded).map(({ name }) => name)).toEqual([
      'Workplace',
      'ExpressTable',
    ]);
  });

  it.each([
    '/dashboard/workplace',
    '/model/expresses',
    '/model/expresses?tab=signed&size=50',
    '/model/expresses?id=7&view=price&page=3',
    '/model/expresses?saved=3&tab=exception&arrived=exception&arrived_from=2026-11-01',
    '/model/expresses?sort=-post_amount&q=JDVE1%20JDVE2+',
    '/model/expresses?post_amount_from=100&created_to=2026-11-22&created_from=2026-11-01&station_id=3&receive_province=%E6%B9%96%E5%8C%97%E7%9C%81',
    '/model/expresses?unmoved_hours=99999&size=21&tab=gone&sort=colour&page=0&goods=%20',
  ])('the early reads of %s are those of shell and page, each sent once', async (href) => {
    const reads = firstReads(href);
    startPreload(reads);
    expect(fetched).toHaveLength(reads.length);
    for (const endpoint of [about, personal, readPreferences]) await call(endpoint, {});
    await openPage(href);
    expect(fetched).toHaveLength(reads.length);
  });

  it('the early request for the parcel list asks for the fields that this browser showed last time', async () => {
    keepLastFields('remark,goods');
    startPreload(firstReads('/model/expresses'));
    expect(fetched.filter((url) => url.includes('fields=remark%2Cgoods'))).toHaveLength(1);
    const sent = fetched.length;
    await openPage('/model/expresses');
    expect(fetched).toHaveLength(sent);
  });
});
