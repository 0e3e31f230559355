import type { Box } from './page.ts';

export const inset = (box: Box, dx: number, dy = dx): Box => ({
  x: box.x + dx,
  y: box.y + dy,
  w: box.w - 2 * dx,
  h: box.h - 2 * dy,
});
export const left = (box: Box, w: number): Box => ({ ...box, w });
export const right = (box: Box, w: number): Box => ({ ...box, x: box.x + box.w - w, w });
export const after = (box: Box, w: number): Box => ({ ...box, x: box.x + w, w: box.w - w });
export const top = (box: Box, h: number): Box => ({ ...box, h });
export const below = (box: Box, h: number): Box => ({ ...box, y: box.y + h, h: box.h - h });
