import * as z from 'zod/mini';
import { schemas as cargo } from '#parcels/cargo.schema.ts';
import { schemas as contact } from '#people/contact.schema.ts';
import { schemas as guarantee } from '#money/guarantee.schema.ts';
import { schemas as merchant } from '#network/merchant.schema.ts';
import { schemas as project } from '#network/project.schema.ts';
import { schemas as promise } from '#parcels/promise.schema.ts';
import { schemas as station } from '#network/station.schema.ts';
import { schemas as voucher } from '#money/voucher.schema.ts';
import * as endpoints from './bulk.ts';
import { switches } from '#base/bulk-endpoint.ts';
import { bulkSchemas, bulkValues, chosenRows } from '#base/bulk-endpoint.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { exceptionNoteLength } from '#parcels/express-exceptions.ts';
import { expressFilters } from '#parcels/express-list.schema.ts';
import { reason, text } from '#base/fields.schema.ts';
import { filterNameLength } from '#base/limits.ts';
import { openOutcomeEffects, parcelBulkActions, previewedActions } from './bulk.ts';

const changedValue = z.nullable(z.union([z.string(), z.int()]));

/** The fields of a station's price that can be set for many stations at once. */
export const stationPrice = z.strictObject({
  project_id: station.previewStationPrice.input.shape.project_id,
  discount: station.previewStationPrice.input.shape.discount,
  northeast_discount: station.previewStationPrice.input.shape.northeast_discount,
});

export const schemas = {
  bulkExpresses: bulkSchemas(parcelBulkActions, expressFilters, exceptionNoteLength),
  previewBulk: {
    input: z.object({ action: z.enum(previewedActions, 'invalid'), ...chosenRows(expressFilters) }),
    output: z.object({
      /** The number of selected rows; the action itself then gets this number as `expected`. */
      total: z.int(),
      /** The number of rows on which the action will be tried. */
      ready: z.int(),
      /** The total price of the ready parcels, in fen. */
      post_amount: z.int(),
      /** The number of ready parcels that were printed before. */
      printed: z.int(),
      /**
       * For a cancellation: the orders among the ready rows whose outcome at the carrier is
       * unknown. They are grouped by the effect of the cancellation; each group has its first five
       * names.
       */
      open_outcomes: z.array(
        z.object({
          effect: z.enum(openOutcomeEffects),
          count: z.int(),
          post_amount: z.int(),
          names: z.array(z.string()),
        }),
      ),
      /** The rows that the action skips, grouped by reason, the largest group first. */
      skipped: z.array(z.object({ reason, count: z.int() })),
    }),
  },
  previewRows: {
    input: z.object({
      list: text(1, filterNameLength),
      action: text(1, filterNameLength),
      ids: chosenRows({}).ids,
      /** The filters that select the rows; they are the same as in the call of the action. */
      filter: z.optional(z.record(z.string(), z.unknown())),
      values: z.optional(bulkValues),
    }),
    output: z.object({
      total: z.int(),
      /** The number of rows that were tried, counted from the first selected row. */
      tried: z.int(),
      ready: z.int(),
      /**
       * The changes of the first fifty rows, for an action with values; freight schemes are shown
       * by name.
       */
      changes: z.array(
        z.object({
          name: z.string(),
          fields: z.array(
            z.object({ field: z.string(), before: changedValue, after: changedValue }),
          ),
        }),
      ),
      /**
       * The tried rows that the action skips, grouped by reason, the largest group first. Each
       * group has its first five names.
       */
      skipped: z.array(z.object({ reason, count: z.int(), names: z.array(z.string()) })),
    }),
  },
  bulkCargos: bulkSchemas(switches, cargo.listCargos.input.shape),
  bulkPromises: bulkSchemas(switches, promise.listPromises.input.shape),
  bulkGuarantees: bulkSchemas(switches, guarantee.listGuarantees.input.shape),
  bulkProjects: bulkSchemas(switches, project.listProjects.input.shape),
  bulkMerchants: bulkSchemas(switches, merchant.listMerchants.input.shape),
  bulkVouchers: bulkSchemas(switches, voucher.listVouchers.input.shape),
  bulkContacts: bulkSchemas(switches, contact.listContacts.input.shape),
  bulkStations: bulkSchemas([...switches, 'price'], station.listStations.input.shape),
};

export const calls = withSchemas(endpoints, schemas);
