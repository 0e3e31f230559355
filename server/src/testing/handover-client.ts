import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type {
  Handover,
  HandoverSummary,
  MissingParcel,
  ScanAnswer,
} from '@waystation/contract/parcels/handover.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from './parcel-client.ts';
import type { ParcelClient } from './parcel-client.ts';
import { openTestSystem, rowsOf } from './test-system.ts';
import type { Answer, TestSystem } from './test-system.ts';

export interface Scanned {
  answers: ScanAnswer[];
  parcels: number;
  packages: number;
}

/** The URL path of the hand-over endpoints. */
export const handoverBase = '/api/arco/handovers';

/** A whole test system, with functions for hand-overs. */
export interface HandoverClient {
  system: TestSystem;
  clerk: ParcelClient;
  tokens: Record<'super' | 'partner' | 'station' | 'clerk', string>;
  /** Ends every open hand-over, so that no hand-over waits for a parcel any longer. */
  clear(): Promise<void>;
  ordered(changes?: object, by?: ParcelClient): Promise<Express>;
  asState(parcel: Express, state_code: number): Promise<void>;
  open(token: string, body?: object): Promise<Handover>;
  send(token: string, visit: Handover, scans: readonly object[]): Promise<Answer<Scanned>>;
  scan(token: string, visit: Handover, number: string, more?: object): Promise<ScanAnswer>;
  summaryOf(token: string, visit: Handover): Promise<HandoverSummary>;
  missingOf(token: string, visit: Handover): Promise<MissingParcel[]>;
  act(token: string, visit: Handover, action: string, body?: object): Promise<Answer<Handover>>;
}

export const openHandoverClient = async (): Promise<HandoverClient> => {
  const system = await openTestSystem();
  for (const key of ['nanshan', 'keji', 'pudong']) await system.topUp(key, 10_000_000);
  const clerk = await parcelClient(system);
  const [office, partner, station] = await Promise.all(
    ['super', 'partner', 'station'].map((name) => system.login(name)),
  );
  const send: HandoverClient['send'] = (token, { id }, scans) =>
    system.call<Scanned>(token, 'POST', `${handoverBase}/${id}/scans`, { scans });
  return {
    system,
    clerk,
    tokens: { super: office!, partner: partner!, station: station!, clerk: clerk.token },
    clear: async () => {
      await rowsOf(
        system,
        sql`update handovers set status = 'discarded', ended_at = now(), ended_by = user_id
        where status = 'open'`,
      );
      await rowsOf(
        system,
        sql`update expresses set cancel_requested_at = now() where state_code = 100`,
      );
    },
    ordered: async (changes = {}, by = clerk) =>
      by.until((await by.order({ ...changes })).data.id, 100),
    asState: async ({ id }, state_code) =>
      void (await rowsOf(
        system,
        sql`update expresses set state_code = ${state_code} where id = ${id}`,
      )),
    open: async (token, body = {}) =>
      (await system.call<Handover>(token, 'POST', handoverBase, { provider: 'jdl', ...body })).data,
    send,
    scan: async (token, visit, number, more = {}) => {
      const answer = await send(token, visit, [{ scan_id: randomUUID(), number, ...more }]);
      expect(answer.status, JSON.stringify(answer.data)).toBe(200);
      return answer.data.answers[0]!;
    },
    summaryOf: async (token, { id }) =>
      (await system.call<HandoverSummary>(token, 'GET', `${handoverBase}/${id}`)).data,
    missingOf: async (token, { id }) =>
      (await system.call<{ items: MissingParcel[] }>(token, 'GET', `${handoverBase}/${id}/missing`))
        .data.items,
    act: (token, { id }, action, body = {}) =>
      system.call<Handover>(token, 'POST', `${handoverBase}/${id}/${action}`, body),
  };
};
