import { describe, expect, it } from 'vitest';
import type { InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { translator } from '#base/translate.ts';
import type { Say } from '#base/texts.ts';
import { enUS } from '#locales/en-US/en-US.ts';
import { zhCN } from '#locales/zh-CN/zh-CN.ts';
import { entryWords, placeOf } from './entry-words.ts';

const zh = translator(zhCN, 'zh-CN') as Say;
const en = translator(enUS, 'en-US') as Say;
const entry = (changes: Partial<InboxEntry>): InboxEntry => ({
  id: 1,
  kind: 'on_hold',
  station_id: 7,
  station_name: '示例南山站',
  subject_id: 5,
  count: 1,
  at: '2026-11-23T10:00:00.000Z',
  is_read: 0,
  parcel: null,
  webhook: null,
  channel: null,
  request: null,
  waiting: null,
  job: null,
  import: null,
  setup: null,
  month: null,
  balance: null,
  ...changes,
});
const parcel = { number: 'JDVE0001', receive_name: '张三' };
const both = (one: InboxEntry): string[] =>
  [entryWords(one, false, zh, 'zh'), entryWords(one, false, en, 'en')].flatMap(
    ({ title, detail }) => [title, detail],
  );

describe('an entry of the inbox', () => {
  it('an inbox entry about one parcel opens the parcel’s drawer, and an entry about several parcels opens their tab of the parcel list', () => {
    const one = entry({ parcel });
    expect(both(one)).toEqual([
      'JDVE0001 余额不足，已暂挂',
      '收件人 张三',
      'JDVE0001 awaits funds',
      'To 张三',
    ]);
    expect(placeOf(one)).toEqual({ screen: 'ExpressTable', search: { id: 5 } });
    const many = entry({ kind: 'refused', count: 12, parcel });
    expect(both(many)).toEqual([
      '12 单下单失败',
      '最近一单 JDVE0001，收件人 张三',
      '12 parcels could not be ordered',
      'Latest JDVE0001, to 张三',
    ]);
    expect(placeOf(many)).toEqual({
      screen: 'ExpressTable',
      search: { tab: 'failed', station_id: 7 },
    });
  });

  it('an inbox entry shows the name of its station to a person with several stations', () => {
    expect(entryWords(entry({ parcel }), true, zh, 'zh').title).toBe(
      'JDVE0001 余额不足，已暂挂（示例南山站）',
    );
  });

  it('an inbox entry about money requests shows how many of them wait for a decision, and counts as done if none waits', () => {
    expect(both(entry({ kind: 'request', count: 5, waiting: 2 }))[0]).toBe('2 条申请待处理');
    expect(both(entry({ kind: 'request', count: 5, waiting: 0 }))[2]).toBe('All requests decided');
  });

  it('an inbox entry about a decided request shows the amount and reason, or says that the request cannot be read any more', () => {
    const request = {
      type: 'top_up',
      status: 'declined',
      amount: 50_000,
      reason: '未到账',
    } as const;
    expect(both(entry({ kind: 'decided', request })).slice(0, 2)).toEqual([
      '充值 ¥500.00 的申请未通过',
      '未到账',
    ]);
    expect(both(entry({ kind: 'decided' }))[0]).toBe('记录已不可查看');
  });

  it('an inbox entry about a notification channel shows the channel’s name and state, and opens the profile', () => {
    const failing = entry({ kind: 'channel', channel: { name: '值班群', reason: 'failing' } });
    expect(both(failing)[0]).toBe('通知渠道“值班群”发送失败');
    expect(placeOf(failing)).toEqual({ screen: 'Profile', search: {} });
    const ended = entry({ kind: 'channel', channel: { name: '值班群', reason: 'disabled' } });
    expect(both(ended)[2]).toBe('The notification channel “值班群” is disabled');
  });

  it('an inbox entry about an import shows the result or the problem, and opens the import', () => {
    const done = {
      file_name: '六月.xlsx',
      status: 'done',
      ordered: 297,
      left: 3,
      reason: null,
    } as const;
    expect(both(entry({ kind: 'import', import: done }))).toEqual([
      '六月.xlsx 下单已完成',
      '已下单 297，未下单 3',
      '六月.xlsx is ordered',
      '297 ordered, 3 not ordered',
    ]);
    const failed = { ...done, status: 'failed', reason: { code: 'file_empty' } } as const;
    expect(both(entry({ kind: 'import', import: failed })).slice(0, 2)).toEqual([
      '六月.xlsx 未能读取',
      '文件无数据行',
    ]);
    expect(placeOf(entry({ kind: 'import', import: done }))).toEqual({
      screen: 'ExpressImport',
      search: { id: 5 },
    });
  });

  it('an inbox entry about a bulk job shows the action and the result, and opens no screen', () => {
    const job = {
      list: 'expresses',
      action: 'cancel',
      status: 'done',
      ok: 47,
      skipped: 0,
      failed: 3,
      reason: null,
    } as const;
    expect(both(entry({ kind: 'job', job }))).toEqual([
      '运单管理 · 取消已完成',
      '成功 47，跳过 0，失败 3',
      'Parcels · Cancelled',
      '47 done, 0 skipped, 3 failed',
    ]);
    expect(placeOf(entry({ kind: 'job', job }))).toBeNull();
  });

  it('an inbox entry about a closed month asks for its confirmation, shows that it was confirmed, and opens the statement', () => {
    const closed = (confirmed: 0 | 1) =>
      entry({ kind: 'month_closed', subject_id: null, month: { period: '2026-10', confirmed } });
    expect(both(closed(0))).toEqual([
      '2026-10 已结账，请核对并确认对账单',
      '',
      '2026-10 is closed; check and confirm its statement',
      '',
    ]);
    expect(both(closed(1))[0]).toBe('2026-10 对账单已确认');
    expect(placeOf(closed(0))).toEqual({
      screen: 'StatementTable',
      search: { period: '2026-10', station_id: 7 },
    });
  });

  it('an inbox entry about a low balance shows for how many days the balance will last', () => {
    expect(
      both(
        entry({
          kind: 'low_balance',
          balance: { available: 3_300, days_left: 1, low_limit: null },
        }),
      ),
    ).toEqual([
      '余额预计还可用 1 天',
      '可用余额 ¥33.00',
      'Balance lasts about 1 more day',
      'Available ¥33.00',
    ]);
    expect(
      both(
        entry({ kind: 'low_balance', balance: { available: 300, days_left: 0, low_limit: null } }),
      ),
    ).toMatchObject({
      0: '余额预计不足 1 天',
      2: 'Balance lasts less than a day',
    });
    for (const days_left of [null, 5])
      expect(
        both(
          entry({
            kind: 'low_balance',
            balance: { available: 30_000, days_left, low_limit: 50_000 },
          }),
        ),
      ).toEqual([
        '余额低于提醒金额 ¥500.00',
        '可用余额 ¥300.00',
        'Balance is below ¥500.00',
        'Available ¥300.00',
      ]);
    expect(
      both(
        entry({
          kind: 'low_balance',
          balance: { available: 30_000, days_left: 2, low_limit: 50_000 },
        }),
      ),
    ).toMatchObject({ 0: '余额预计还可用 2 天' });
    expect(
      both(
        entry({ kind: 'low_balance', balance: { available: 0, days_left: 0, low_limit: null } }),
      ),
    ).toMatchObject({
      0: '余额已用完',
      2: 'Balance used up',
    });
  });
});

describe('the guide of a new station', () => {
  const guide = (setup: InboxEntry['setup']) => entry({ kind: 'setup', subject_id: 7, setup });

  it('the inbox entry about a station’s setup guide shows progress and next step, and opens the guide', () => {
    const open = guide({ done: 4, steps: 6, next: 'top_up', is_open: 1 });
    expect(both(open)).toEqual([
      '网点开通已完成 4/6',
      '下一步：首次充值',
      'Station setup: 4 of 6 done',
      'Next: First top-up',
    ]);
    expect(placeOf(open)).toEqual({ screen: 'StationTable', search: { setup: 7 } });
  });

  it('the inbox entry about a station’s setup guide shows no next step if all steps are done or the guide was ended', () => {
    expect(both(guide({ done: 6, steps: 6, next: null, is_open: 0 }))).toEqual([
      '网点已开通',
      '',
      'The station is set up',
      '',
    ]);
    expect(both(guide({ done: 2, steps: 6, next: 'price', is_open: 0 }))).toEqual([
      '网点开通已结束，完成 2/6',
      '',
      'Station setup ended, 2 of 6 done',
      '',
    ]);
    expect(both(guide(null))).toEqual(['网点开通', '', 'Station setup', '']);
  });
});
