import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './views.schema.ts';
export type { SavedView } from './views.schema.ts';

const base = '/api/arco/views';

export const listViews = endpoint<typeof schemas.listViews>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'Views of a list: the caller’s own and those shared with the caller’s role, by title.',
});

export const createView = endpoint<typeof schemas.createView>({
  method: 'POST',
  path: base,
  roles: everyone,
  summary:
    'Save a view of a list; at most 50 a person and list, and 200 a person. Only super and admin share.',
});

/** The request contains only the changed fields; only the owner may change a view. */
export const editView = endpoint<typeof schemas.editView>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Rename, replace or share a view of the user.',
});

export const removeView = endpoint<typeof schemas.removeView>({
  method: 'POST',
  path: `${base}/{id}/remove`,
  roles: everyone,
  summary: 'Remove a view of the user.',
});
