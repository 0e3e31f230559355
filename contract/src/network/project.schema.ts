import * as z from 'zod/mini';
import { percentType } from '#money/terms.schema.ts';
import {
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  stored,
  text,
  version,
} from '#base/fields.schema.ts';
import { provider } from './provider.schema.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { expressFields } from '#parcels/express.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { mostSchemeStations, mostSchemeVouchers, nameLength } from '#base/limits.ts';
import * as endpoints from './project.ts';

/** A freight scheme (requirements §3): one template for each delivery time. */
export const project = z.object({
  id: z.int(),
  name: z.string(),
  percent_type: percentType,
  voucher_count: z.int(),
  station_count: z.int(),
  /** The person who last changed or assigned the scheme; null if the product itself did. */
  changed_by: z.nullable(z.string()),
  status: flag,
  ...stored,
});
export type Project = z.infer<typeof project>;

/** One row of the matrix: the template that prices a delivery time. */
export const projectVoucher = z.object({
  voucher_id: z.int(),
  voucher_name: z.string(),
  provider,
  promise_id: z.string(),
  promise_name: z.string(),
  /**
   * 0: the delivery time cannot be ordered now, because it or its template is disabled, or because
   * no version of the template is in force.
   */
  usable: flag,
});

export const projectDetails = z.extend(project, { vouchers: z.array(projectVoucher) });
export type ProjectDetails = z.infer<typeof projectDetails>;

const fields = {
  name: text(1, nameLength),
  percent_type: percentType,
  voucher_ids: z.array(id, 'invalid').check(z.maxLength(mostSchemeVouchers, 'too_long')),
};

const stationIds = z
  .array(id, 'invalid')
  .check(z.minLength(1, 'required'), z.maxLength(mostSchemeStations, 'too_long'));

/** A sample parcel to test a scheme; the station itself is its sender. */
const sample = {
  receive_province: expressFields.receive_province,
  receive_city: expressFields.receive_city,
  weight: expressFields.weight,
  guarantee_value_amount: z.optional(fen),
};

export const splitLine = z.object({
  /** The kind of receiver of the amount: a station above, the insurance fee, or the platform. */
  kind: z.enum(['share', 'guarantee', 'platform']),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  /** The share that the rule alone would give, before it is reduced to the amount that remains. */
  wanted_amount: z.nullable(z.int()),
  amount: z.int(),
});
export type SplitLine = z.infer<typeof splitLine>;

export const schemas = {
  listProjects: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      percent_type: z.optional(integer(1, 3)),
      status: z.optional(flag),
    }),
    output: listOf(project),
  },
  getProject: {
    input: z.object({ id }),
    output: projectDetails,
  },
  createProject: {
    input: z.object({
      name: fields.name,
      percent_type: z.optional(percentType),
      voucher_ids: z.optional(fields.voucher_ids),
      status: z.optional(flag),
    }),
    output: projectDetails,
  },
  editProject: {
    input: z.object({
      id,
      version,
      name: z.optional(fields.name),
      percent_type: z.optional(percentType),
      voucher_ids: z.optional(fields.voucher_ids),
    }),
    output: projectDetails,
  },
  setProjectStatus: {
    /** `successor_id`: the scheme that replaces the disabled scheme at its stations. */
    input: z.object({ id, status: flag, successor_id: z.optional(id) }),
    output: projectDetails,
  },
  copyProject: {
    input: z.object({ id, name: fields.name }),
    output: projectDetails,
  },
  projectUsage: usageSchemas,
  projectChoices: {
    input: z.object({}),
    output: z.object({
      promises: z.array(
        z.object({
          provider,
          promise_id: z.string(),
          promise_name: z.string(),
          status: flag,
          vouchers: z.array(
            z.object({ id: z.int(), name: z.string(), status: flag, published: flag }),
          ),
        }),
      ),
    }),
  },
  schemeStations: {
    input: z.object({ q: z.optional(searchText), project_id: z.optional(id) }),
    output: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          status: flag,
          project_id: z.nullable(z.int()),
          project_name: z.nullable(z.string()),
        }),
      ),
      total: z.int(),
    }),
  },
  previewProject: {
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
              /** In fen; null if the product is not available. */
              before_amount: z.nullable(z.int()),
              after_amount: z.nullable(z.int()),
            }),
          ),
        }),
      ),
    }),
  },
  assignProject: {
    input: z.object({ id, station_ids: stationIds }),
    output: z.object({ changed: z.int() }),
  },
  splitProject: {
    input: z.object({ id, station_id: id, ...sample, percent_type: z.optional(percentType) }),
    output: z.object({
      items: z.array(
        z.object({
          promise_id: z.string(),
          promise_name: z.string(),
          voucher_name: z.string(),
          /**
           * The price that the station pays. Null if there is no price; `reason` then explains why.
           */
          post_amount: z.nullable(z.int()),
          reason: z.nullable(reason),
          lines: z.array(splitLine),
        }),
      ),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
