/**
 * The named changes of ledger data. A check finds the change, or the section "Proof" of
 * docs/ledger.md lists it among the changes that no check finds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofBlindSpot } from '@waystation/contract/money/statement.ts';
import {
  blindSpotsOf,
  findHead,
  lineHash,
  prove,
  proveAgainst,
  proveHead,
  sql,
  systemScope,
} from '@waystation/server/testing/product.ts';
import type { Db, HeadLine, Work } from '@waystation/server/testing/product.ts';
import { rehash } from '@waystation/server/testing/rewrite.ts';
import type { TestApp } from '@waystation/server/testing/test-app.ts';
import { proofAfter } from './change.ts';
import { stories } from './stories.ts';

export interface NamedGround {
  app: TestApp;
  owner: Db;
  /** The newest heads of the hash chains, as JSON. */
  heads: string;
  /** The file with the chain heads. It has at least two lines. */
  file: string;
  /** A folder for changed copies of the file with the chain heads. */
  folder: string;
}

/**
 * The command that finds a change and the text that it prints. The list is empty if no command
 * finds the change.
 */
interface Sight {
  by: string;
  says: string[];
}

interface NamedTampering {
  name: string;
  /**
   * The known blind spot of the checks that keeps the change from being found. Absent if a check
   * must find the change.
   */
  spot?: ProofBlindSpot;
  look(ground: NamedGround): Promise<Sight>;
}

export interface NamedOutcome extends Sight {
  name: string;
  /**
   * The known blind spot of the checks for this change; null if no check lists a blind spot for it.
   */
  listed: ProofBlindSpot | null;
}

/** Changes the database as a superuser and leaves all hashes as they are. */
const changing =
  (statement: string): NamedTampering['look'] =>
  async ({ owner, heads }) => {
    const says = await proofAfter(owner, heads, async (work) => {
      const { numAffectedRows } = await sql.raw(statement).execute(work.tx);
      return numAffectedRows !== undefined && numAffectedRows > 0n;
    });
    if (says === null) throw new Error(`nothing to change: ${statement}`);
    return { by: 'prove --full', says };
  };

const first = (table: string, where = 'true'): string =>
  `ctid = (select min(ctid) from ${table} where ${where})`;
const update = (table: string, set: string, where?: string) =>
  changing(`update ${table} set ${set} where ${first(table, where)}`);
const remove = (table: string, where?: string) =>
  changing(`delete from ${table} where ${first(table, where)}`);

const linesOf = ({ file }: NamedGround): string[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n');

/**
 * Writes a copy of the heads file that contains the given lines instead. Returns the path of the
 * copy.
 */
const otherFile = (ground: NamedGround, lines: string[]): string => {
  const file = join(ground.folder, 'other.jsonl');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
};

const sayings = ({ code, text }: { code: number; text: string }): string[] =>
  code === 0 ? [] : text.split('\n').slice(-3, -1);

const against =
  (change: (lines: string[]) => string[]): NamedTampering['look'] =>
  async (ground) => ({
    by: 'prove --against',
    says: sayings(await proveAgainst(ground.app, otherFile(ground, change(linesOf(ground))))),
  });

const withFile = async ({ app }: NamedGround, headsFile: string): Promise<Sight> => {
  const { breaks } = await prove(
    { ...app, config: { ...app.config, headsFile } },
    { full: true, at: app.clock.now() },
  );
  return {
    by: 'prove --full',
    says: breaks.map(({ invariant, subject, detail }) => `${invariant} ${subject} ${detail}`),
  };
};

/** Returns the remaining lines with new numbers and hashes, so that no line seems to be missing. */
const renumbered = (lines: string[]): string[] => {
  let before = '';
  return lines.map((text, at) => {
    const line: HeadLine = { ...(JSON.parse(text) as HeadLine), no: at + 1, before };
    before = lineHash(line);
    return JSON.stringify({ ...line, hash: before });
  });
};

const newestHead = async (work: Work): Promise<string> => {
  const { rows } = await sql<{
    hash: string;
  }>`select encode(hash, 'hex') as hash from ledger_chain where station_id > 0
    order by station_id, seq desc limit 1`.execute(work.tx);
  return rows[0]!.hash;
};

/**
 * Writes another top-up into the hash chain, with correct hashes, checkpoints and marks. Then looks
 * up a chain head that was printed before.
 */
const headAfterRewrite: NamedTampering['look'] = async ({ owner, heads }) => {
  const says: string[] = [];
  const [, tell] = stories.find(([name]) => name === 'top-up')!;
  const found = await proofAfter(owner, heads, async (work) => {
    const { rows } = await sql<{
      hash: string;
    }>`select distinct on (station_id) encode(hash, 'hex') as hash from ledger_chain
      where station_id > 0 order by station_id, seq desc`.execute(work.tx);
    if (!(await tell(work, 0))) return false;
    await rehash(work, { checkpoints: true });
    for (const { hash } of rows)
      if ((await findHead(work, null, { seq: null, hash })) === null)
        says.push(`no chain has the head ${hash.slice(0, 16)}`);
    return true;
  });
  if (found === null) throw new Error('nothing to rewrite');
  return { by: 'prove --head', says };
};

const wrongHead: NamedTampering['look'] = async ({ app, owner }) => {
  const head = await owner.tx(systemScope('tampering'), newestHead);
  const right = await proveHead(app, head);
  if (right.code !== 0) throw new Error(`the right head is refused: ${right.text}`);
  const { code, text } = await proveHead(
    app,
    `${head.slice(0, -1)}${head.endsWith('0') ? '1' : '0'}`,
  );
  return { by: 'prove --head', says: code === 0 ? [] : [text] };
};

const namedTamperings: readonly NamedTampering[] = [
  {
    name: 'a published price table is altered',
    look: update('voucher_versions', `weight = weight || '{"forged": 1}'`),
  },
  {
    name: 'a published price table takes effect a month earlier',
    look: update('voucher_versions', `valid_from = valid_from - interval '1 month'`),
  },
  { name: 'a published price table is removed', look: remove('voucher_versions') },
  {
    name: 'a price table is added that nobody published',
    look: changing(
      'insert into voucher_versions select voucher_id, no + 7, valid_from, discount, northeast_discount, weight, null, published_at from voucher_versions limit 1',
    ),
  },
  {
    name: 'the figures of a confirmed month are altered',
    look: update('statement_confirmations', `"in" = "in" + 100, closing = closing + 100`),
  },
  {
    name: 'the note of a confirmed month is altered',
    look: update('statement_confirmations', `note = 'not agreed'`),
  },
  { name: 'a confirmation of a month is removed', look: remove('statement_confirmations') },
  {
    name: 'a confirmation is added that nobody gave',
    look: changing(`insert into statement_confirmations (station_id, period, opening, "in", "out", closing, frozen, lines, confirmed_by, confirmed_by_name, at)
      select station_id, '2029-12', 0, 0, 0, 0, 0, 0, confirmed_by, confirmed_by_name, at from statement_confirmations limit 1`),
  },
  {
    name: 'the number of missing packages of a closed hand-over is altered',
    look: update('handovers', 'missing = missing + 1'),
  },
  {
    name: 'the courier of a closed hand-over is altered',
    look: update('handovers', `courier_name = 'another'`),
  },
  {
    name: 'a package of a closed hand-over is another parcel’s',
    look: update('handover_scans', `delivery_id = 'another'`),
  },
  {
    name: 'a package of a closed hand-over was given an hour earlier',
    look: update('handover_scans', `at = at - interval '1 hour'`),
  },
  { name: 'a package of a closed hand-over is removed', look: remove('handover_scans') },
  {
    name: 'a package is added to a closed hand-over',
    look: changing(`insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at, number, result, express_id, delivery_id, package_no, package_count)
      select handover_id, station_id, user_id, gen_random_uuid(), scanned_by, at, number, result, express_id, delivery_id, package_no + 1, package_count from handover_scans limit 1`),
  },
  {
    name: 'a closed hand-over counts as discarded',
    look: update('handovers', `status = 'discarded'`),
  },
  { name: 'a closed hand-over is removed', look: remove('handovers') },
  {
    name: 'a closed hand-over is added that nobody closed',
    look: changing(`insert into handovers (station_id, provider, user_id, status, opened_at, ended_at, ended_by)
      select station_id, provider, user_id, 'closed', opened_at, ended_at, ended_by from handovers limit 1`),
  },
  {
    name: 'an approval is given to another account',
    look: update('request_approvals', 'account_id = account_id + 1'),
  },
  { name: 'an approval counts as given alone', look: update('request_approvals', 'alone = 1') },
  { name: 'an approval is removed', look: remove('request_approvals') },
  {
    name: 'a limit is raised',
    look: update('settings', `value = '900000000'`, `name = 'top_up_limit'`),
  },
  { name: 'a limit is removed', look: remove('settings', `name = 'top_up_limit'`) },
  {
    name: 'a limit is set that nobody set',
    look: changing(
      `insert into settings (id, name, value) overriding system value values (900, 'given_alone_limit', '900000000')`,
    ),
  },
  {
    name: 'a raise of a limit that waits is altered',
    spot: 'undecided',
    look: update('setting_raises', 'amount_after = 900000000'),
  },
  {
    name: 'an open line of a carrier bill is altered',
    spot: 'undecided',
    look: update('reconciliation_rows', 'their_amount = 1', `decision = 'open'`),
  },
  {
    name: 'a waybill number of a parcel is altered',
    spot: 'waybills',
    look: update('expresses', `delivery_id = delivery_id || '9'`, 'delivery_id is not null'),
  },
  {
    name: 'a pickup time is altered',
    spot: 'pickup_times',
    look: update(
      'expresses',
      `picked_up_at = picked_up_at - interval '40 days'`,
      'picked_up_at is not null',
    ),
  },
  {
    name: 'a legal move is invented',
    spot: 'invented_moves',
    look: changing(`with moved as (select e.id, e.station_id, e.state_code, min(l.to_code) as to_code from expresses e join legal_moves() l on l.from_code = e.state_code
        where e.state_code >= 200 and l.to_code >= 200 group by e.id limit 1),
      invented as (insert into express_moves (express_id, station_id, from_code, to_code, cause, at) select id, station_id, state_code, to_code, 'carrier', now() from moved)
      update expresses e set state_code = m.to_code from moved m where e.id = m.id`),
  },
  {
    name: 'a move is invented that is not legal',
    look: changing(`insert into express_moves (express_id, station_id, from_code, to_code, cause, at)
    select id, station_id, state_code, 0, 'clerk', now() from expresses where state_code >= 100 limit 1`),
  },
  {
    name: 'the credit limit of a station is altered',
    spot: 'setup',
    look: update('stations', 'credit_limit = 100000000'),
  },
  {
    name: 'the role of an account is altered',
    spot: 'setup',
    look: update('accounts', `role = 'super'`, `role <> 'super'`),
  },
  {
    name: 'a claim on a station is invented',
    spot: 'claims',
    look: changing(`insert into station_claims (statement_id, station_id, amount, at)
    select id, station_id, 500, now() from statements where type = 'top_up' limit 1`),
  },
  { name: 'a heads file is cut in front', look: against((lines) => lines.slice(1)) },
  {
    name: 'a heads file is cut in front and numbered again with all its hashes',
    look: against((lines) => renumbered(lines.slice(1))),
  },
  { name: 'a heads file is cut at its end', look: against((lines) => lines.slice(0, -1)) },
  {
    name: 'a line of a heads file is changed',
    look: against((lines) => [lines[0]!.replace(/"at":"20/, '"at":"19'), ...lines.slice(1)]),
  },
  {
    name: 'a heads file that is cut in front is left in its place',
    look: (ground) => withFile(ground, otherFile(ground, linesOf(ground).slice(1))),
  },
  {
    name: 'a heads file is removed',
    look: (ground) => withFile(ground, join(ground.folder, 'removed.jsonl')),
  },
  {
    name: 'a history is rewritten with all its hashes after a statement printed its head',
    look: headAfterRewrite,
  },
  { name: 'a head is typed with a wrong digit', look: wrongHead },
];

/** Makes each named change on its own, and undoes it before the next change. */
export const playNamed = async (ground: NamedGround): Promise<NamedOutcome[]> => {
  const { app } = ground;
  const proof = await prove(app, { full: true, at: app.clock.now() });
  if (!proof.ok) throw new Error('the books do not hold before anything was changed');
  const unseen = blindSpotsOf(proof);
  const outcomes: NamedOutcome[] = [];
  for (const { name, spot, look } of namedTamperings)
    outcomes.push({
      name,
      ...(await look(ground)),
      listed: spot !== undefined && unseen.includes(spot) ? spot : null,
    });
  return outcomes;
};

export const isAccounted = ({ says, listed }: NamedOutcome): boolean =>
  says.length > 0 || listed !== null;

export const namedLine = ({ name, by, says, listed }: NamedOutcome): string => {
  if (says.length > 0) return `seen by ${by} · ${name}: ${says[0]}`;
  return listed === null
    ? `NEITHER SEEN NOR LISTED · ${name}`
    : `listed as not covered (${listed}) · ${name}`;
};
