import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import { queryClient } from '#base/query.ts';
import { MerchantFacts } from './merchants/merchant-facts.tsx';
import { StationFacts } from './stations/station-facts.tsx';
import { AccountFacts } from './users/account-facts.tsx';

// The store of the present time cannot be rendered on a server, so it is replaced.
vi.mock('#base/now.ts', () => ({ useNow: () => 0 }));

const at = '2026-05-06T01:02:03.000Z';
const base = {
  id: 4711,
  province: '广东省',
  city: '深圳市',
  county: '南山区',
  address: '科技园 1 号',
  sender_name: '陈立',
  sender_phone: '13812345678',
  parcels_30d: 12,
  status: 1,
  version: 1,
  created_at: at,
  updated_at: at,
} as const;

const station: Station = {
  ...base,
  name: '南山站',
  discount: null,
  northeast_discount: null,
  money: 100_00,
  freeze: 0,
  available: 100_00,
  fixed_freeze: 0,
  low_balance: null,
  credit_limit: null,
  claim_amount: 0,
  low_limit: 50_00,
  allow_print: 0,
  has_amount: 1,
  allow_select: 1,
  offer_rule: 'cheapest',
  offer_carriers: {},
  offer_fallback: 0,
  profit: 0,
  fixed_profit: 0,
  enable_profit: 0,
  profit_limit: 0,
  fixed_profit_limit: 0,
  parent_id: 8899,
  parent_name: '深圳总站',
  project_id: 7766,
  project_name: '标准方案',
  level: 2,
  children: 0,
  users: 3,
  last_active_at: at,
  blocked: 0,
};

const merchant: Merchant = {
  ...base,
  name: '京东深圳',
  provider: 'jdl',
  customer_code: '010K1',
  base_url: 'https://api.jdl.com',
  simulated: 0,
  is_default: 1,
  prefetch_numbers: 0,
  guarantee: 0,
  warehouse_code: '',
  secret_tails: { app_key: '1234', app_secret: null, access_token: null },
  token_expires_at: null,
  paused_at: null,
  paused_reason: '',
  down_since: null,
  proof: null,
  calls_24h: 0,
  answered_24h: 0,
  last_call_at: null,
  customer_code_fixed: 0,
} as Merchant;

const account: Account = {
  id: 4711,
  username: 'clerk',
  nickname: '陈立',
  phone: '13812345678',
  identity: '',
  program_id: null,
  station_id: 8899,
  station_name: '南山站',
  registered_at: at,
  avatar: '',
  location: '',
  role: 'user',
  status: 1,
  must_change: 0,
  may_export: 0,
  second_factor: 0,
  last_seen_at: null,
  sessions: 0,
  password_changed_at: at,
  invitation: 'open',
  invitation_until: at,
  version: 1,
  created_at: at,
  updated_at: at,
} as Account;

/** The text that a user sees, without tooltips. */
const seen = (html: string): string => html.replace(/<[^>]*>/g, ' ');
const headings = (html: string): string[] =>
  Array.from(html.matchAll(/<h3[^>]*>([^<]*)<\/h3>/g), ([, text]) => text!);

test('the facts about a station are listed in groups and contain no row id and no time zone', () => {
  const html = renderToStaticMarkup(createElement(StationFacts, { station }));
  expect(headings(html)).toEqual(['基本资料', '价格', '资金', '分润', '权限', '使用情况']);
  expect(seen(html)).not.toMatch(/4711|8899|7766|GMT/);
  expect(seen(html)).toContain('深圳总站');
  expect(seen(html)).toContain('不能打印面单和预览。');
});

test('the facts about a carrier account are listed in groups and contain no row id and no time zone', () => {
  const html = renderToStaticMarkup(createElement(MerchantFacts, { merchant }));
  expect(headings(html)).toEqual(['账号与寄件', '使用与保价', '连接', '使用情况']);
  expect(seen(html)).not.toMatch(/4711|GMT/);
  expect(seen(html)).toContain('未指定商家账号的网点由此账号下单。');
});

test('the facts about a user account are listed in groups and contain no row id and no time zone', () => {
  const html = renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: queryClient },
      createElement(AccountFacts, { account }),
    ),
  );
  expect(headings(html)).toEqual(['个人信息', '登录与权限', '使用情况']);
  expect(seen(html)).not.toMatch(/4711|8899|GMT/);
  expect(seen(html)).toContain('待接受邀请，有效期至');
});

test('the keys of a carrier account are shown with the names that its carrier uses, and no other carrier’s fields are shown', () => {
  const sf: Merchant = { ...merchant, provider: 'sf' };
  const text = seen(renderToStaticMarkup(createElement(MerchantFacts, { merchant: sf })));
  for (const name of ['月结卡号 monthlyCard', '顾客编码 partnerID', '校验码 checkWord'])
    expect(text).toContain(name);
  expect(text).not.toMatch(/AppKey|AppSecret|AccessToken|令牌|仓库|预取/);
});
