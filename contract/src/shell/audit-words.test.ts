import { describe, expect, it } from 'vitest';
import { auditField, auditLine, auditValue } from './audit-words.ts';

describe('a change in the audit log', () => {
  it('the change log shows money in yuan, weight in kg, rates in per cent, and flags as yes or no', () => {
    expect(auditValue('stations', 'fixed_freeze', 123_456, 'zh')).toBe('¥1,234.56');
    expect(auditValue('stations', 'money', -500, 'zh')).toBe('¥-5.00');
    expect(auditValue('expresses', 're_weight', 4_300, 'en')).toBe('4.3 kg');
    expect(auditValue('stations', 'discount', 8_500, 'en')).toBe('85% of list');
    expect(auditValue('stations', 'allow_print', 0, 'zh')).toBe('否');
    expect(auditValue('cargos', 'status', 1, 'en')).toBe('Enabled');
    expect(auditValue('stations', 'discount', null, 'en')).toBe('—');
  });

  it('the change log shows times in the zone Asia/Shanghai, even if they are stored with another offset', () => {
    expect(auditValue('expresses', 'pickup_from', '2026-11-29T23:30:00.000Z', 'en')).toBe(
      '2026-11-30 07:30',
    );
    expect(auditValue('merchants', 'paused_at', '2026-11-29T09:00:00+08:00', 'zh')).toBe(
      '2026-11-29 09:00',
    );
    expect(auditValue('expresses', 'remark', '2026-11-29T09:00:00Z', 'en')).toBe(
      '2026-11-29T09:00:00Z',
    );
    expect(auditValue('merchants', 'paused_at', '2026-99-99T09:00:00Z', 'en')).toBe(
      '2026-99-99T09:00:00Z',
    );
  });

  it('the change log shows stored codes by their names, and stored ids as numbers with #', () => {
    expect(auditLine('projects', { percent_type: [2, 1], voucher_ids: [null, [1, 2]] }, 'zh')).toBe(
      '分润方式 固定金额 → 按比例；运费模板 #1、#2',
    );
    expect(auditValue('merchants', 'provider', 'jdl', 'en')).toBe('JD Logistics');
    expect(auditValue('users', 'role', 'station', 'zh')).toBe('站长');
    expect(auditValue('merchants', 'provider', 'other', 'zh')).toBe('other');
  });

  it('two tables may have a field of the same name with different labels; the change log shows an unknown field by its stored name', () => {
    expect(auditField('vouchers', 'weight', 'zh')).toBe('价格');
    expect(auditField('expresses', 'weight', 'zh')).toBe('重量');
    expect(auditValue('vouchers', 'weight', { origins: [] }, 'zh')).toBe('{"origins":[]}');
    expect(auditField('cargos', 'something_new', 'en')).toBe('something_new');
  });

  it('a change log shows a price cell of a template by the name of its region, and a weight bracket by its number', () => {
    expect(
      auditLine(
        'vouchers',
        { '440000 first.price': [1_200, 1_300], '440300 brackets.1.step_g': [null, 500] },
        'zh',
      ),
    ).toBe('广东 首重价格 ¥12.00 → ¥13.00；广东 第 2 段续重单位 0.5 kg');
    expect(auditField('vouchers', '110000 brackets.0.price', 'en')).toBe(
      'Beijing bracket 1 price per step',
    );
  });

  it('a changed field is shown as “old → new”, a field without an old value as the new value, and a secret only by its name', () => {
    expect(
      auditLine(
        'cargos',
        { name: ['文件', '文件资料'], priority: [null, 3], app_secret: [null, null] },
        'zh',
      ),
    ).toBe('名称 文件 → 文件资料；优先级 3；AppSecret');
  });
});
