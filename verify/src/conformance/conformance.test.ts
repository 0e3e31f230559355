import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stopLabels } from '@waystation/server/testing/carrier-kit.ts';
import { openKit } from './kit.ts';
import type { Subject } from './kit.ts';
import { promises, sumOf, tableOf, tryPromise } from './promises.ts';
import type { Row } from './promises.ts';
import { simulatedSubject } from './subjects.ts';
import { defects } from './toy/defects.ts';
import type { Defect } from './toy/defects.ts';
import { openToyCarrier } from './toy/toy-carrier.ts';
import { toyAdapter } from './toy/toy.ts';

const token = 'toy-token-0123456789';
afterAll(stopLabels);

const tried = async (subject: Subject, chosen = promises): Promise<Row[]> => {
  const kit = await openKit(subject);
  const rows: Row[] = [];
  try {
    for (const promise of chosen) rows.push(await tryPromise(kit, promise));
  } finally {
    await kit.close();
  }
  return rows;
};

/**
 * Returns the results of the checks for the toy adapter. The adapter has one planted defect or
 * none.
 */
const toyRows = async (
  recovers: 'repeat' | 'seek',
  defect: Defect | null,
  options: { part?: string; hasSwitches?: boolean } = {},
): Promise<Row[]> => {
  const { part = '', hasSwitches = true } = options;
  const carrier = await openToyCarrier(token);
  try {
    return await tried(
      {
        name: 'jdl',
        at: carrier.url,
        open: toyAdapter(recovers, defect),
        account: {
          app_key: '',
          app_secret: '',
          access_token: token,
          customer_code: 'C1',
          warehouse_code: '',
        },
        secrets: [token],
        product: 'std',
        otherProduct: { ordered: '"std"', confirmed: '"slow"', code: 'slow' },
        pushes: [],
        ...(hasSwitches && { switches: carrier.switches }),
      },
      promises.filter(({ name, slow }) => !slow && name.includes(part)),
    );
  } finally {
    await carrier.close();
  }
};

const broken = (rows: readonly Row[]): Row[] => rows.filter(({ verdict }) => verdict === 'broken');

describe('a carrier’s adapter', () => {
  it.each(['jdl', 'sf'] as const)(
    'the adapter of %s keeps every promise of the port at the simulator',
    async (name) => {
      const { subject, stop } = await simulatedSubject(name);
      try {
        const rows = await tried(
          subject,
          promises.filter(({ slow }) => !slow),
        );
        expect(broken(rows)).toEqual([]);
        expect(rows.filter(({ verdict }) => verdict === 'held').length).toBeGreaterThan(18);
      } finally {
        await stop();
      }
    },
  );

  it.each(['repeat', 'seek'] as const)(
    'if an adapter has no defect and recovers orders by %s, it keeps every promise',
    async (recovers) => {
      // The two kinds of recovery differ only for orders, so for the second kind only the promises
      // about orders are checked.
      const part = recovers === 'repeat' ? 'order' : '';
      const rows = await toyRows(recovers, null, { part });
      expect(broken(rows)).toEqual([]);
      expect(rows.filter(({ verdict }) => verdict === 'not tried')).toEqual([]);
    },
  );
});

describe('a planted defect', () => {
  it.each(Object.entries(defects) as [Defect, string][])(
    'an adapter with the defect “%s” breaks the promise “%s”',
    async (defect, part) => {
      const rows = await toyRows('seek', defect, { part });
      expect(broken(rows)).toHaveLength(1);
    },
  );
});

describe('the table of promises', () => {
  it('if the test carrier has no fault switches, the promises of its adapter that need them are reported as not tried', async () => {
    const rows = await toyRows('seek', null, { hasSwitches: false });
    expect(broken(rows)).toEqual([]);
    const untried = rows.filter(({ verdict }) => verdict === 'not tried');
    expect(untried.length).toBeGreaterThan(4);
    expect(untried.map(({ evidence }) => evidence[0]).join()).toContain('no fault switch');
    expect(sumOf(rows)).toContain('0 broken');
  });

  it('if a check throws or tries nothing, its promise of the carrier’s adapter is listed as broken, together with the evidence', async () => {
    const carrier = await openToyCarrier(token);
    const kit = await openKit({
      name: 'jdl',
      at: carrier.url,
      open: toyAdapter('repeat'),
      account: {
        app_key: '',
        app_secret: '',
        access_token: token,
        customer_code: '',
        warehouse_code: '',
      },
      secrets: [],
      product: 'std',
      pushes: [],
    });
    const rows = [
      await tryPromise(kit, { name: 'one', run: async () => ({ seen: '' }) }),
      await tryPromise(kit, { name: 'two', run: () => Promise.reject(new Error('no answer')) }),
      await tryPromise(kit, {
        name: 'three',
        run: async (_kit, judge) => {
          judge(false, 'it is lost');
          return { not_tried: 'no fault switch' };
        },
      }),
    ];
    await kit.close();
    await carrier.close();
    expect(tableOf(rows).split('\n')).toEqual([
      'one    broken        nothing was tried',
      'two    broken        no answer',
      'three  broken        it is lost',
    ]);
  });

  it('the adapter check refuses a carrier without an adapter, and lists the carriers that have an adapter', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'run.ts'), 'dhl', '--at', 'nowhere'],
      { encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Say: npm run verify -- carrier jdl|sf');
  });
});
