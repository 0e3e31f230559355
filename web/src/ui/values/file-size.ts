import type { Format } from '#base/format.ts';

/** A file's size in KB, MB or GB. */
export const sizeText = (bytes: number, format: Format): string =>
  bytes < 1024 ** 2
    ? `${format.number(Math.max(1, Math.round(bytes / 1024)))} KB`
    : bytes < 1024 ** 3
      ? `${format.oneDecimal(bytes / 1024 ** 2)} MB`
      : `${format.oneDecimal(bytes / 1024 ** 3)} GB`;
