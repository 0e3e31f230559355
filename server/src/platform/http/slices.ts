import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod/mini';

/** Rows cut to the contract before others get their turn: some five milliseconds. */
const slice = 25;

type Parsed = { success: true; data: unknown } | { success: false; error: unknown };

/** As `output.safeParse(answer)`; the `items` of a long list are parsed in slices, between which the process serves others. */
export const parseInSlices = async (output: z.ZodMiniType, answer: unknown): Promise<Parsed> => {
  const items = (answer as { items?: unknown } | null)?.items;
  const shape: unknown = output instanceof z.ZodMiniObject ? output.shape['items'] : undefined;
  if (!Array.isArray(items) || items.length <= slice || !(shape instanceof z.ZodMiniArray)) return output.safeParse(answer);
  const whole = output.safeParse({ ...(answer as object), items: [] });
  if (!whole.success) return whole;
  const cut: unknown[] = [];
  for (let at = 0; at < items.length; at += slice) {
    const part = shape.safeParse(items.slice(at, at + slice));
    if (!part.success) return part;
    cut.push(...(part.data as unknown[]));
    await turn();
  }
  return { success: true, data: { ...(whole.data as object), items: cut } };
};
