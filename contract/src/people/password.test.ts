import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { passwordProblem, passwordRules } from './password.ts';

const code = (password: string, username = 'nanshan-clerk'): string | null =>
  passwordProblem(password, username)?.code ?? null;

describe('a password', () => {
  it.each([
    'correct horse 17',
    '寄件人收件人面单打印机',
    'uR7-plank-otter',
    'tulip river seven',
    '    mountain lamp    ',
    '8402957713',
    '84029577!!13',
    'a'.repeat(20).replaceAll('aaaa', 'axqv7'),
  ])(
    'a password of ten characters or more needs no particular kinds of characters: %s',
    (password) => {
      expect(code(password)).toBeNull();
    },
  );

  it('a password must have 10 to 256 characters, and a Chinese character or an emoji counts as one', () => {
    expect(code('kRt-plumx')).toBe('password_too_short');
    expect(code('运单寄送深圳南山九')).toBe('password_too_short');
    expect(code('🚚🚛🚜🛵🚲🛴🚨🚔🚍')).toBe('password_too_short');
    expect(code(`kRt-${'plum '.repeat(50)}xy`)).toBeNull();
    expect(code(`kRt-${'plum '.repeat(50)}xyz`)).toBe('password_too_long');
  });

  it.each([
    'password123',
    'Password2024!',
    'P@ssw0rd2025',
    '1234567890',
    '0987654321',
    '1234567890123',
    'qwertyuiop',
    'poiuytrewq',
    'qwertyasdfgh',
    'abcdefghij',
    'abcdefghijkl1',
    'aaaaaaaaaa',
    'abababababab',
    '1231231231231',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'woaini1314520',
    '5201314520',
    'iloveyou2025',
    'Admin@123456',
    'letmein123please',
    'waystation-demo',
    'WAYSTATION123',
    'Ｐａｓｓｗｏｒｄ１２３',
  ])('a common password is refused: %s', (password) => {
    expect(code(password)).toBe('password_common');
  });

  it.each([
    'JDLogistics1',
    'sfexpress2026',
    '2026京东物流2026',
    'Kuaidiyuan!1',
    '2026jingdong!',
    'superadmin01',
  ])(
    'a password made of a word of the product, the parcel trade or a carrier is refused: %s',
    (password) => {
      expect(code(password)).toBe('password_common');
    },
  );

  it.each(['示例深圳南山网点一站', '示例 深圳南山网点一站 2026', '2026示例深圳南山网点一站!'])(
    'a password that is the station’s name, even with digits or signs around it, is refused: %s',
    (password) => {
      expect(passwordProblem(password, 'clerk', '示例深圳南山网点一站')?.code).toBe(
        'password_is_station',
      );
      expect(passwordProblem(password, 'clerk', '示例广州站')).toBeNull();
    },
  );

  it.each(['2024password', '!Password1', '147258369a', 'ab789456123', 'zaq12wsxcde3'])(
    'a password that surrounds a common one with a few characters is refused: %s',
    (password) => {
      expect(code(password)).toBe('password_common');
    },
  );

  it.each(['nanshan-clerk', 'Nanshan-Clerk', 'nanshan-clerk2026', 'NANSHAN-CLERK!!'])(
    'a password that is the username, in any case and even with digits or signs after it, is refused: %s',
    (password) => {
      expect(code(password)).toBe('password_is_username');
    },
  );

  it('while a user types a password, each password rule is checked separately', () => {
    const met = (password: string) =>
      passwordRules(password, 'nanshan-clerk')
        .filter((rule) => rule.met)
        .map(({ rule }) => rule);
    expect(met('')).toEqual([]);
    expect(met('password')).toEqual(['username']);
    expect(met('nanshan-clerk')).toEqual(['length', 'common']);
    expect(met('tulip river seven')).toEqual(['length', 'username', 'common']);
  });
});

describe('the list of common passwords', () => {
  it('the list of common passwords is long, in lower case and without spaces', () => {
    expect(commonPasswords.size).toBeGreaterThan(1_000);
    for (const word of commonPasswords) expect(word).toMatch(/^(?:\S{3,40}|\p{Script=Han}{2})$/u);
    for (const word of commonPasswords) expect(word).toBe(word.toLowerCase());
  });
});
