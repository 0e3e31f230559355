import { endpoint } from '#base/endpoint.ts';
import { mostPriceSheetBytes } from '#base/limits.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './voucher.schema.ts';
export type {
  VoucherRow,
  Voucher,
  VoucherVersion,
  ChangedCell,
  Impact,
  PriceSheet,
} from './voucher.schema.ts';

const base = '/api/arco/vouchers';

export const listVouchers = endpoint<typeof schemas.listVouchers>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Freight templates, with the version in force and who uses them.',
});

export const getVoucher = endpoint<typeof schemas.getVoucher>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One freight template with its draft.',
});

export const createVoucher = endpoint<typeof schemas.createVoucher>({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new freight template as a draft; its delivery time is one of its carrier’s.',
});

/**
 * Only changed fields are sent. A draft may be incomplete or wrong, because parcels are priced only
 * by published versions.
 */
export const editVoucher = endpoint<typeof schemas.editVoucher>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a template’s draft.',
});

export const setVoucherStatus = endpoint<typeof schemas.setVoucherStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a template; one that an enabled scheme of stations offers stays.',
});

export const voucherUsage = usageOf(base, office);

/**
 * Usage per receiver region, over all senders together. The price of a parcel contains the region
 * for which it was found.
 */
export const voucherUses = endpoint<typeof schemas.voucherUses>({
  method: 'GET',
  path: `${base}/{id}/uses`,
  roles: office,
  summary:
    'How many parcels of the last 30 days each line of a template’s draft priced, whatever its version.',
});

export const copyVoucher = endpoint<typeof schemas.copyVoucher>({
  method: 'POST',
  path: `${base}/{id}/copy`,
  roles: office,
  summary: 'A new template with the same draft.',
});

export const publishVoucher = endpoint<typeof schemas.publishVoucher>({
  method: 'POST',
  path: `${base}/{id}/publish`,
  roles: office,
  summary:
    'Make the draft a version, in force from the start of a business day; today means at once.',
});

export const listVoucherVersions = endpoint<typeof schemas.listVoucherVersions>({
  method: 'GET',
  path: `${base}/{id}/versions`,
  roles: office,
  summary: 'The published versions of a template, newest first.',
});

export const getVoucherVersion = endpoint<typeof schemas.getVoucherVersion>({
  method: 'GET',
  path: `${base}/{id}/versions/{no}`,
  roles: office,
  summary: 'One published version with its prices.',
});

export const compareVoucher = endpoint<typeof schemas.compareVoucher>({
  method: 'GET',
  path: `${base}/{id}/compare`,
  roles: office,
  summary: 'What differs between two versions of a template; 0 is the draft.',
});

export const quoteVoucher = endpoint<typeof schemas.quoteVoucher>({
  method: 'POST',
  path: `${base}/{id}/quote`,
  roles: office,
  summary:
    'What a parcel would cost by the draft, by a draft not saved yet, or by a version; changes nothing.',
});

export const checkVoucher = endpoint<typeof schemas.checkVoucher>({
  method: 'POST',
  path: `${base}/{id}/check`,
  roles: office,
  summary:
    'Everything to say about a draft: coverage, order, sanity, and where it is below what the carrier has charged; changes nothing.',
});

export const startImpact = endpoint<typeof schemas.startImpact>({
  method: 'POST',
  path: `${base}/{id}/impact`,
  roles: office,
  summary:
    'Estimate in the background what the last 30 days would have cost by the draft, for one station or all.',
});

export const getImpact = endpoint<typeof schemas.getImpact>({
  method: 'GET',
  path: `${base}/{id}/impact`,
  roles: office,
  summary: 'The latest estimate of a template, with its progress; null: none was requested.',
});

export const voucherPricesFile = endpoint<typeof schemas.voucherPricesFile>({
  method: 'GET',
  path: `${base}/{id}/prices.xlsx`,
  roles: office,
  answers: 'file',
  summary:
    'The price list of the draft, or of a version, as XLSX to edit: a row for each region, a column for each bracket’s bound, step and price.',
});

/**
 * Reads a `file` with prices, sent as multipart/form-data, at most 2 MB and 20,000 rows. The file
 * contains neither the discount rates nor the divisor, so those of the draft stay. If cells cannot
 * be read, each is listed with its row, its column and the expected input, and `weight` is null.
 */
export const readVoucherPrices = endpoint<typeof schemas.readVoucherPrices>({
  method: 'POST',
  path: `${base}/{id}/prices`,
  roles: office,
  takes: 'form',
  // The additional mebibyte is for the form around the file, which is far smaller.
  bodyLimit: mostPriceSheetBytes + 1024 * 1024,
  summary:
    'Read an edited price list: what the draft would be by it, and how many cells differ; changes nothing, saving the draft does.',
});

export const readPriceList = endpoint<typeof schemas.readPriceList>({
  method: 'POST',
  path: `${base}/{id}/price-list`,
  roles: office,
  takes: 'form',
  bodyLimit: mostPriceSheetBytes + 1024 * 1024,
  summary: 'Read a price list of any layout by the chosen columns; changes nothing.',
});
