import { describe, expect, it } from 'vitest';
import { avatar } from './account.schema.ts';

const as = (type: string, base64: string): string => `data:image/${type};base64,${base64}`;
const png = 'iVBORw0KGgoAAAANSUhEUg==';
const jpeg = '/9j/4AAQSkZJRg==';
const webp = 'UklGRhAAAABXRUJQVlA4IA==';
/**
 * Base64 of `<script>alert(1)</script>`. The next constant is Base64 of the beginning of an SVG.
 */
const html = 'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==';
const svg = 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=';

describe('the avatar of a user', () => {
  it.each([
    ['none', ''],
    ['PNG', as('png', png)],
    ['JPEG', as('jpeg', jpeg)],
    ['WebP', as('webp', webp)],
  ])('a picture whose bytes begin like its type is accepted: %s', (_, value) => {
    expect(avatar.safeParse(value).success).toBe(true);
  });

  it.each([
    ['HTML as PNG', as('png', html)],
    ['JPEG as PNG', as('png', jpeg)],
    ['SVG', as('svg+xml', svg)],
    ['SVG as WebP', as('webp', svg)],
    ['an address', 'https://example.com/a.png'],
    ['text behind it', `${as('png', png)}" onload="alert(1)`],
  ])(
    'an avatar is refused unless it is a PNG, JPEG or WebP picture of the type that it declares: %s',
    (_, value) => {
      expect(avatar.safeParse(value).success).toBe(false);
    },
  );
});
