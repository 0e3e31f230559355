import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { expressFields } from './express.ts';
import { fen, flag, id, integer, listInput, listOf, reason, searchText, text, time, version } from './fields.ts';
import { provider } from './provider.ts';
import { office } from './roles.ts';
import { percentType } from './terms.ts';
import { usageOf } from './usage.ts';

const base = '/api/arco/projects';

/** How a scheme shares profit up the chain of stations (docs/pricing.md §7). */
export const percentTypes = {
  1: { zh: '按比例', en: 'Percentage' },
  2: { zh: '固定金额', en: 'Fixed amount' },
  3: { zh: '按差价', en: 'Price difference' },
} as const;

/** A freight scheme (requirements §3): one template for each delivery time. */
export const project = z.object({
  id: z.int(),
  name: z.string(),
  percent_type: percentType,
  voucher_count: z.int(),
  station_count: z.int(),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Project = z.infer<typeof project>;

/** One row of the matrix: the template that prices a delivery time. */
export const projectVoucher = z.object({
  voucher_id: z.int(),
  voucher_name: z.string(),
  provider,
  promise_id: z.string(),
  promise_name: z.string(),
  /** 0: it cannot be ordered with now: the template or the delivery time is disabled, or no version is in force. */
  usable: flag,
});

export const projectDetails = z.extend(project, { vouchers: z.array(projectVoucher) });
export type ProjectDetails = z.infer<typeof projectDetails>;

const fields = { name: text(1, 50), percent_type: percentType, voucher_ids: z.array(id, 'invalid').check(z.maxLength(100, 'too_long')) };

export const listProjects = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Freight schemes with how many templates they bind and how many stations use them.',
  input: z.object({ ...listInput, q: z.optional(searchText), percent_type: z.optional(integer(1, 3)), status: z.optional(flag) }),
  output: listOf(project),
});

export const getProject = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One freight scheme with its templates.',
  input: z.object({ id }),
  output: projectDetails,
});

export const createProject = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new freight scheme; each template is enabled and published, one for each delivery time.',
  input: z.object({ name: fields.name, percent_type: z.optional(percentType), voucher_ids: z.optional(fields.voucher_ids), status: z.optional(flag) }),
  output: projectDetails,
});

/** Only what changed; `voucher_ids` is the whole matrix. */
export const editProject = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a freight scheme for what is ordered from now on.',
  input: z.object({ id, version, name: z.optional(fields.name), percent_type: z.optional(percentType), voucher_ids: z.optional(fields.voucher_ids) }),
  output: projectDetails,
});

export const setProjectStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a freight scheme; one that stations use stays enabled.',
  input: z.object({ id, status: flag }),
  output: projectDetails,
});

export const copyProject = endpoint({
  method: 'POST',
  path: `${base}/{id}/copy`,
  roles: office,
  summary: 'A new freight scheme with the same templates and sharing.',
  input: z.object({ id, name: fields.name }),
  output: projectDetails,
});

export const projectUsage = usageOf(base, office);

/** What a matrix may be filled with. */
export const projectChoices = endpoint({
  method: 'GET',
  path: `${base}/choices`,
  roles: office,
  summary: 'Every delivery time with the templates that price it; those that may not be bound say so.',
  input: z.object({}),
  output: z.object({
    promises: z.array(
      z.object({
        provider,
        promise_id: z.string(),
        promise_name: z.string(),
        status: flag,
        vouchers: z.array(z.object({ id: z.int(), name: z.string(), status: flag, published: flag })),
      }),
    ),
  }),
});

/** Stations with the scheme each has. */
export const schemeStations = endpoint({
  method: 'GET',
  path: `${base}/stations`,
  roles: office,
  summary: 'Stations and the scheme each uses, by name; of one scheme with project_id.',
  input: z.object({ q: z.optional(searchText), project_id: z.optional(id) }),
  output: z.object({
    items: z.array(z.object({ id: z.int(), name: z.string(), status: flag, project_id: z.nullable(z.int()), project_name: z.nullable(z.string()) })),
    total: z.int(),
  }),
});

const stationIds = z.array(id, 'invalid').check(z.minLength(1, 'required'), z.maxLength(100, 'too_long'));

/** A parcel to try a scheme with; it leaves from the station's own place. */
const sample = {
  receive_province: expressFields.receive_province,
  receive_city: expressFields.receive_city,
  weight: expressFields.weight,
  guarantee_value_amount: z.optional(fen),
};

export const previewProject = endpoint({
  method: 'POST',
  path: `${base}/{id}/preview`,
  roles: office,
  summary: 'What a sample parcel costs stations with their present scheme and with this one; changes nothing.',
  input: z.object({ id, station_ids: stationIds, ...sample }),
  output: z.object({
    items: z.array(
      z.object({
        station_id: z.int(),
        station_name: z.string(),
        project_name: z.nullable(z.string()),
        prices: z.array(
          z.object({
            promise_id: z.string(),
            promise_name: z.string(),
            /** Fen; null: cannot be had. */
            before_amount: z.nullable(z.int()),
            after_amount: z.nullable(z.int()),
          }),
        ),
      }),
    ),
  }),
});

export const assignProject = endpoint({
  method: 'POST',
  path: `${base}/{id}/stations`,
  roles: office,
  summary: 'Give stations this scheme, for what they order from now on.',
  input: z.object({ id, station_ids: stationIds }),
  output: z.object({ changed: z.int() }),
});

export const splitLine = z.object({
  /** Who keeps it: a station above, the insurance fee, the platform. */
  kind: z.enum(['share', 'guarantee', 'platform']),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  /** Of a share: what the rule alone gives, before it is cut to what is left. */
  wanted_amount: z.nullable(z.int()),
  amount: z.int(),
});

/** `percent_type` tries another way of sharing than the saved one. */
export const splitProject = endpoint({
  method: 'POST',
  path: `${base}/{id}/split`,
  roles: office,
  summary: 'Who keeps what of a sample parcel of a station under this scheme; the lines sum to what the station pays.',
  input: z.object({ id, station_id: id, ...sample, percent_type: z.optional(percentType) }),
  output: z.object({
    items: z.array(
      z.object({
        promise_id: z.string(),
        promise_name: z.string(),
        voucher_name: z.string(),
        /** What the station pays; null with the reason why it cannot be had. */
        post_amount: z.nullable(z.int()),
        reason: z.nullable(reason),
        lines: z.array(splitLine),
      }),
    ),
  }),
});
export type SplitLine = z.infer<typeof splitLine>;
