import type { Format } from '#base/format.ts';

/** A file's size as people say it. */
export const sizeText = (bytes: number, format: Format): string =>
  bytes < 1024 * 1024
    ? `${format.number(Math.max(1, Math.round(bytes / 1024)))} KB`
    : `${format.oneDecimal(bytes / 1024 / 1024)} MB`;
