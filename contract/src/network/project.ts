import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './project.schema.ts';
export type { Project, ProjectDetails, SplitLine } from './project.schema.ts';

const base = '/api/arco/projects';

/** The ways in which a scheme shares profit with the stations above (docs/pricing.md §7). */
export const percentTypes = {
  1: { zh: '按比例', en: 'Percentage' },
  2: { zh: '固定金额', en: 'Fixed amount' },
  3: { zh: '按差价', en: 'Price difference' },
} as const;

export const listProjects = endpoint<typeof schemas.listProjects>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Freight schemes with how many templates they bind and how many stations use them.',
});

export const getProject = endpoint<typeof schemas.getProject>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One freight scheme with its templates.',
});

export const createProject = endpoint<typeof schemas.createProject>({
  method: 'POST',
  path: base,
  roles: office,
  summary:
    'A new freight scheme; each template is enabled and published, one for each delivery time.',
});

/**
 * Only changed fields are sent, but `voucher_ids` must always contain all templates of the scheme.
 */
export const editProject = endpoint<typeof schemas.editProject>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a freight scheme for what is ordered from now on.',
});

export const setProjectStatus = endpoint<typeof schemas.setProjectStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary:
    'Enable or disable a freight scheme; one that stations use is disabled only with a successor, which they get.',
});

export const copyProject = endpoint<typeof schemas.copyProject>({
  method: 'POST',
  path: `${base}/{id}/copy`,
  roles: office,
  summary: 'A new freight scheme with the same templates and sharing.',
});

export const projectUsage = usageOf(base, office);

/** The delivery times and templates from which a scheme is made. */
export const projectChoices = endpoint<typeof schemas.projectChoices>({
  method: 'GET',
  path: `${base}/choices`,
  roles: office,
  summary:
    'Every delivery time with the templates that price it; those that may not be bound say so.',
});

/** Lists stations, each with the scheme that it uses. */
export const schemeStations = endpoint<typeof schemas.schemeStations>({
  method: 'GET',
  path: `${base}/stations`,
  roles: office,
  summary: 'Stations and the scheme each uses, by name; of one scheme with project_id.',
});

export const previewProject = endpoint<typeof schemas.previewProject>({
  method: 'POST',
  path: `${base}/{id}/preview`,
  roles: office,
  summary:
    'What a sample parcel costs stations with their present scheme and with this one; changes nothing.',
});

export const assignProject = endpoint<typeof schemas.assignProject>({
  method: 'POST',
  path: `${base}/{id}/stations`,
  roles: office,
  summary: 'Give stations this scheme, for what they order from now on.',
});

/**
 * With `percent_type` the call calculates with another way of sharing profit than the saved one.
 */
export const splitProject = endpoint<typeof schemas.splitProject>({
  method: 'POST',
  path: `${base}/{id}/split`,
  roles: office,
  summary:
    'Who keeps what of a sample parcel of a station under this scheme; the lines sum to what the station pays.',
});
