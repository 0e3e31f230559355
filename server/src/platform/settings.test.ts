import { settingNames, settings } from '@waystation/contract/shell/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { readSetting, readSettings } from './settings.ts';

const all = systemScope('test');
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const store = (name: string, value: unknown): Promise<unknown> =>
  app.db.tx(all, (work) =>
    sql`insert into settings (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(work.tx),
  );

test('a setting has its default value until a value is stored for it', async () => {
  const fresh = await app.db.tx(all, readSettings);
  expect(fresh).toEqual(
    Object.fromEntries(settingNames.map((name) => [name, settings[name].default])),
  );
  await store('max_weight', 30_000);
  expect(await app.db.tx(all, (work) => readSetting(work, 'max_weight'))).toBe(30_000);
  expect(await app.db.tx(all, readSettings)).toEqual({ ...fresh, max_weight: 30_000 });
});

test('reading a setting with an invalid stored value throws an error that contains the setting’s name', async () => {
  for (const [name, value] of [
    ['estimate_after_hours', 0],
    ['estimate_after_hours', '72'],
    ['northeast_provinces', ['999999']],
    ['northeast_provinces', ['210000', '210000']],
  ] as const) {
    await store(name, value);
    await expect(app.db.tx(all, (work) => readSetting(work, name))).rejects.toThrow(name);
  }
});
