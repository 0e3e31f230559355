import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, text, time, version } from './fields.ts';
import { everyone, roles } from './roles.ts';

const base = '/api/arco/views';

/** Name of a list, as in `/api/arco/<list>`. */
export const listName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'invalid'));

/** The list's address: filters, sort, size. At most 8 KiB as JSON. */
const search = z.record(z.string().check(z.maxLength(60)), z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]));
/** Column settings as the list keeps them under `columns.<list>` of the preferences; null where the view leaves them alone. */
const columns = z.nullable(z.unknown());
const sharedWith = z.nullable(z.enum(roles, 'invalid'));

/** A saved view of a list: one's own, or one shared with one's role. */
export const savedView = z.object({
  id: z.int(),
  list: z.string(),
  title: z.string(),
  search: z.record(z.string(), z.unknown()),
  columns,
  shared_with: sharedWith,
  /** 1: the reader's own, to rename, change or remove. */
  mine: flag,
  owner_name: z.string(),
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type SavedView = z.infer<typeof savedView>;

export const listViews = endpoint({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'Views of a list: the caller’s own and those shared with the caller’s role, by title.',
  input: z.object({ list: z.optional(listName) }),
  output: z.object({ items: z.array(savedView) }),
});

export const createView = endpoint({
  method: 'POST',
  path: base,
  roles: everyone,
  summary: 'Save a view; at most 50 a person and list. Only super and admin share.',
  input: z.object({ list: listName, title: text(1, 30), search, columns: z.optional(columns), shared_with: z.optional(sharedWith) }),
  output: savedView,
});

/** Only what changed; the owner alone. */
export const editView = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Rename, replace or share one’s own view.',
  input: z.object({
    id,
    version,
    title: z.optional(text(1, 30)),
    search: z.optional(search),
    columns: z.optional(columns),
    shared_with: z.optional(sharedWith),
  }),
  output: savedView,
});

export const removeView = endpoint({
  method: 'POST',
  path: `${base}/{id}/remove`,
  roles: everyone,
  summary: 'Remove one’s own view.',
  input: z.object({ id }),
  output: z.object({}),
});
