import * as z from 'zod/mini';
import { roles } from '#base/roles.ts';
import { flag, id, stored, text, version } from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { filterNameLength, shortNameLength } from '#base/limits.ts';
import * as endpoints from './views.ts';

/** Name of a list, as in `/api/arco/<list>`. */
export const listName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'invalid'));

/** The query of the list's URL: filters, sort order and page size. At most 8 KiB as JSON. */
const search = z.record(
  z.string().check(z.maxLength(filterNameLength)),
  z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
);
/**
 * The column settings in the format of the preference `columns.<list>`; null if the view does not
 * change them.
 */
const columns = z.nullable(z.unknown());
const sharedWith = z.nullable(z.enum(roles, 'invalid'));

/** A saved view of a list: it belongs to the user, or is shared with the user's role. */
export const savedView = z.object({
  id: z.int(),
  list: z.string(),
  title: z.string(),
  search: z.record(z.string(), z.unknown()),
  columns,
  shared_with: sharedWith,
  /** 1: the view belongs to the reader, who can rename, change or remove it. */
  mine: flag,
  owner_name: z.string(),
  ...stored,
});
export type SavedView = z.infer<typeof savedView>;

export const schemas = {
  listViews: {
    input: z.object({ list: z.optional(listName) }),
    output: z.object({ items: z.array(savedView) }),
  },
  createView: {
    input: z.object({
      list: listName,
      title: text(1, shortNameLength),
      search,
      columns: z.optional(columns),
      shared_with: z.optional(sharedWith),
    }),
    output: savedView,
  },
  editView: {
    input: z.object({
      id,
      version,
      title: z.optional(text(1, shortNameLength)),
      search: z.optional(search),
      columns: z.optional(columns),
      shared_with: z.optional(sharedWith),
    }),
    output: savedView,
  },
  removeView: {
    input: z.object({ id }),
    output: z.object({}),
  },
};

export const calls = withSchemas(endpoints, schemas);
