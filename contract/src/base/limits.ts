/**
 * Limits of input: used by the schemas, by the forms that check before sending, and by the server.
 * Limits of texts are in characters (code points). Limits for one subject only are in other files:
 * `search.ts`, `settings.ts`, `voucher-content.ts`, `bulk-endpoint.ts`.
 */

/** The least and the largest number of characters in the reason for an action. */
export const reasonLength = { min: 2, max: 200 } as const;
/** The most characters of a note or description that may stay empty. */
export const noteLength = 200;
/** The most characters of the reason for a cancellation, as limited by the carrier. */
export const cancelReasonLength = 30;
/** The most characters of the reason why goods are banned. */
export const bannedReasonLength = 100;

/** The most characters in the name of a station, scheme, template, carrier account or contact. */
export const nameLength = 50;
/**
 * The most characters in the name of goods, a product, a saved view or a person, and in the sender
 * name of a carrier account.
 */
export const shortNameLength = 30;
/** The most characters in a product's English name. */
export const englishNameLength = 60;
/** The most characters of a template version's name: the template's name and the number. */
export const versionNameLength = 100;

export const addressLength = 200;
/** The most characters of the name of a province, city or county. */
export const regionLength = 40;
/** The carrier's limit for the characters of a province, city or county of an account. */
export const merchantRegionLength = 30;
/** The most characters in a phone as typed, before it is parsed. */
export const phoneLength = 30;

export const usernameLength = { min: 3, max: 64 } as const;
/**
 * The least and the largest number of characters in a password. Only the length is limited, not the
 * kinds of characters (requirements §10.2.17).
 */
export const passwordLength = { min: 10, max: 256 } as const;
/** The most characters in a password field; `password.ts` judges if the password is good. */
export const passwordInputLength = 1_024;
/** The number of hours for which an invitation link is valid. */
export const invitationHours = 72;
/** The most characters of a link's token as sent, also of a token that was changed. */
export const invitationTokenLength = 100;
/** The most invitation links that one manager can send by mail per hour. */
export const mostInvitationMails = 30;
/** The number of minutes for which a mailed link for setting a forgotten password is valid. */
export const resetMinutes = 30;
/** The most links for setting a forgotten password that are mailed for an account per hour. */
export const mostResetMails = 3;
/** The most characters of a mail address, by RFC 5321. */
export const mailAddressLength = 254;
/** The most characters of a code from an authenticator app, or of a recovery code, as typed. */
export const otpLength = 32;
/** The most characters of a picture as a `data:` URL. */
export const avatarLength = 16_000;
export const identityLength = 64;
/** The most characters in the place where a person works. */
export const locationLength = 60;

/** The most characters of a product's code. */
export const promiseCodeLength = 40;
/** The most characters of a carrier code in an input that accepts any text. */
export const providerLength = 20;
export const urlLength = 200;
/** The most characters in the customer code or the warehouse code of a carrier account. */
export const merchantCodeLength = 60;
/** The most characters in a secret of a carrier account. */
export const merchantSecretLength = 500;
/** The most characters in the name of a carrier's operation. */
export const operationLength = 30;
/** The most characters in a station's customer code. */
export const customerCodeLength = 50;

/** The most characters in the description of a parcel's goods. */
export const goodsLength = 100;
export const remarkLength = 500;
/** The most characters of the customer's own order number (third-party number). */
export const orderNumberLength = 50;
/** The most characters of a waybill number from a carrier. */
export const waybillLength = 60;
/** The most characters of a waybill number by which transactions are filtered. */
export const waybillFilterLength = 50;
/** The most characters of an error code by which results are filtered. */
export const errorCodeLength = 60;
/** The most entries in a station's address book; a search and most orders read the whole book. */
export const mostContacts = 50_000;
/** The most packages in one parcel. */
export const mostPackages = 50;
/** The largest weight, in grams. */
export const mostWeight = 10_000_000;
/** The longest side of a parcel, in centimetres. */
export const mostSide = 300;
/** The longest side, in centimetres, that the template's price calculator accepts. */
export const mostTriedSide = 1_000;
/** The largest number of a goods type; the carrier numbers the types. */
export const mostGoodsType = 9;

/** The largest code of a parcel state. */
export const mostStateCode = 999;

/**
 * The largest priority number, by which a list is sorted: lower numbers first, or higher numbers
 * first in lists that say so.
 */
export const mostPriority = 9_999;

/** The largest single amount in fen: ¥100,000,000. */
export const mostAmount = 10_000_000_000;
/** The largest balance in fen, and the largest amount of a transaction in a filter. */
export const mostBalance = 100_000_000_000;
/** The largest tolerance in grams for the weight in a bill. */
export const mostWeightTolerance = 100_000;

/**
 * The counting limit of a list's counts call. Above it the result means "at least this number"
 * (`total_is_capped`), and there are no sums.
 */
export const mostCounted = 10_000;
/** The most rows of one page. */
export const mostPageSize = 200;
export const mostPage = 1_000_000;
/**
 * The most rows that can be reached by page number, because the database reads all rows before such
 * a page; further pages are read by `cursor`.
 */
export const mostPaged = 10_000;
export const cursorLength = 2_000;
/** The most characters in a list's search text as sent; 2,000 numbers are about forty kilobytes. */
export const searchTextLength = 100_000;
/** The most matching rows that a caller can send as `expected`. */
export const mostMatched = 1_000_000;
/** The largest value of the database's integer columns, such as a version. */
export const mostInteger = 2_147_483_647;
/** The most characters of a time in ISO 8601 with offset. */
export const momentLength = 40;
export const requestIdLength = 64;

/** The most columns of an export; `columnTitleLength`: the most characters of a column's title. */
export const mostExportColumns = 120;
export const columnTitleLength = 60;
/** The most characters in the name of a filter in a saved view. */
export const filterNameLength = 60;
/** The most characters of the text with the types by which transactions are filtered. */
export const typesLength = 200;
/** The most characters of a text with field names; more than all names of a list need. */
export const fieldNamesLength = 2_000;

/** The most parcels in one sheet of labels. */
export const mostSheetParcels = 2_000;
/** The most parcels in one archive with a PDF per parcel. */
export const mostSeparateParcels = 200;
/** The most parcels in one call for the print component's data. */
export const mostComponentParcels = 200;
/** The most dots (1/8 mm) by which a label can be moved on its paper, in each direction. */
export const mostLabelOffset = 80;
/** The largest darkness setting of a label printer. */
export const mostDarkness = 30;
/** The largest darkness setting of a TSPL printer. */
export const mostTsplDarkness = 15;
/** The largest ordinal number of a print that a filter accepts. */
export const mostPrintCount = 10_000;
/** The most characters in a printer's name. */
export const printerNameLength = 100;
/** The most packages in one hand-over; `mostHandoverScans`: its most scans, also refused scans. */
export const mostHandoverPackages = 2_000;
export const mostHandoverScans = 6_000;
/** The most scans of one hand-over per minute, and the most scans in one call. */
export const mostHandoverScansInMinute = 600;
export const mostScansAtOnce = 50;
/** The most open hand-overs of one station and carrier, because each user has a separate one. */
export const mostOpenHandovers = 20;
/**
 * The most parcels that a hand-over expects: the newest that wait for pickup. `mostMissingNamed`:
 * the most missing parcels that it lists.
 */
export const mostExpectedParcels = 5_000;
export const mostMissingNamed = 500;
/** The most parcels read for one scanned number; many may have the same third-party number. */
export const mostScannedParcels = 20;
/** The most labels that wait to be scanned as a check, and the hours for which they wait. */
export const mostUnverifiedLabels = 20;
export const verifyHours = 24;
/** The most characters in a scanned number; the URL in a label's QR code is the longest. */
export const scannedLength = 300;
/** The most hand-overs that are listed for a parcel. */
export const mostParcelHandovers = 50;
/** The most kinds of goods that one call can sort. */
export const mostOrderedCargos = 1_000;
/** The most stations that get a scheme at once, and the most templates in a scheme. */
export const mostSchemeStations = 100;
export const mostSchemeVouchers = 100;
/** The most stations that get the replacement of a disabled scheme or carrier account. */
export const mostSucceeded = 500;
/**
 * The most drafts, and failed parcels, that are read (newest first) to count those with a selected
 * account.
 */
export const mostChosen = 5_000;
/** The most links of a profit chain, and the most insurance tiers, in the terms of a parcel. */
export const mostChainLinks = 100;
export const mostInsuranceTiers = 1_000;

/** The most top-up requests of one account that may wait at its station. */
export const mostPendingTopUps = 10;

/** The most characters of one text of a setting; `mostSettingTexts`: the most texts. */
export const settingTextLength = 300;
export const mostSettingTexts = 40;

/**
 * Limits of filters and boards: days without a parcel, days that a balance lasts, days of a board,
 * hours without a movement.
 */
export const mostSilentDays = 3_650;
export const mostLastingDays = 90;
export const boardDays = { min: 7, max: 90 } as const;
export const mostUnmovedHours = 8_760;

/** The largest size of a carrier bill, in bytes. */
export const mostBillBytes = 20 * 1024 * 1024;
/** The most columns of a carrier bill. */
export const mostBillColumns = 200;

/**
 * The largest size of a template's price list in bytes, the largest number of its rows, and the
 * largest number of refused cells that are listed.
 */
export const mostPriceSheetBytes = 2 * 1024 * 1024;
export const mostPriceSheetRows = 20_000;
export const mostPriceSheetProblems = 200;

/** The most days in advance for which a pickup can be booked. */
export const mostPickupDays = 7;
/** The most hours after a pickup window within which the carrier may still report the pickup. */
export const mostPickupReportHours = 1;
/** The most hours in a pickup window. */
export const mostPickupHours = 24;
/** The fewest parcels with which a station sees how often a carrier kept its pickup windows. */
export const leastKeptWindows = 10;
/** The most pickups (carrier and address) of an import for which a pickup window can be chosen. */
export const mostImportPickups = 5;
/** The most coverage requests of one user to one carrier in ten minutes. */
export const mostCoverageQuestions = 100;
/** The fewest parcels in thirty days with which the delivery times of a lane are shown. */
export const leastLaneParcels = 20;
/**
 * The smallest number of other stations that must use a lane before the lane's times over all
 * stations are shown.
 */
export const leastLaneStations = 3;

/** The most insurance tiers in a plan. */
export const mostPlannedTiers = 100;

/** The largest size of a sheet of goods in bytes; `mostCargoSheetRows`: its most rows. */
export const mostCargoSheetBytes = 1024 * 1024;
export const mostCargoSheetRows = 1_000;

/**
 * The largest size of a sheet of parcels in bytes; the constants below limit its rows, columns, and
 * the characters of a cell.
 */
export const mostImportBytes = 20 * 1024 * 1024;
export const mostImportRows = 100_000;
export const mostImportColumns = 200;
export const mostImportCellChars = 2_000;
/** The most characters that one edit may write, in all rows together. */
export const mostImportEditChars = 20_000_000;
/** The most rows of an import that are checked while the caller waits. */
export const mostImportRowsAtOnce = 2_000;
/** The most sample rows for the selected columns. */
export const mostImportSamples = 5;
/**
 * The most edits of an import that can be undone, and (`mostImportStepRows`) the most rows that
 * they change together; the newest edit may change all rows.
 */
export const mostImportSteps = 100;
export const mostImportStepRows = 100_000;
/** The most other changed rows in the response to a change of one row. */
export const mostTouchedRows = 1_000;
/** The most unfinished imports of one user. */
export const mostOpenImports = 20;

/** The number of days for which a carrier may still push to a URL that was replaced. */
export const pushAddressDays = 7;

/**
 * The most saved views of one account; `mostListViews`: the most for one list of the account;
 * `mostViewBytes`: the most bytes of a view's query, and of its columns.
 */
export const mostViews = 200;
export const mostListViews = 50;
export const mostViewBytes = 8 * 1024;
/** The most stored preferences of one account; more would come from a loop in a client. */
export const mostPreferences = 500;

/** The most unfinished bulk actions and exports of an account; for counts see `jobs.ts`. */
export const mostOpenJobs = 20;

/**
 * The most accounts that one manager, together with all accounts created under it, may create on
 * one business day. The constants below limit the accounts on all days, and the stations.
 */
export const mostAccountsMadeInDay = 50;
export const mostAccountsMade = 1_000;
export const mostStationsMadeInDay = 20;
export const mostStationsMade = 500;

/**
 * The most open live-event streams: of one session and of one account. `managerShareOfStreams` is
 * the largest share of a process's streams for all accounts created by one manager.
 */
export const mostSessionStreams = 4;
export const mostAccountStreams = 16;
export const managerShareOfStreams = 0.2;

/**
 * The most characters in a cursor of live events; it contains the ids of the transactions that were
 * open when it was made.
 */
export const eventCursorLength = 8_000;

/** The most live API keys of an account, and of one manager with all accounts under it. */
export const mostKeys = 20;
export const mostKeysUnder = 500;
/**
 * The most API keys that may be made on a business day: by one maker, by a manager itself, and by
 * all accounts created under a manager. The separate limits prevent one account from using up the
 * keys of others.
 */
export const mostKeysInDay = { maker: 20, manager: 100, others: 100 } as const;
/**
 * The most IP addresses and networks that may use an API key; `keyAddressLength` limits the
 * characters of each.
 */
export const mostKeyAddresses = 20;
export const keyAddressLength = 49;
/**
 * The most calls per minute, over all processes: of one API key, and of all API keys of an account.
 */
export const keyCallsInMinute = 600;
export const accountKeyCallsInMinute = 1_200;

/** The most webhooks of an account, and of all accounts of a station. */
export const mostWebhooks = 5;
export const mostWebhooksOfStation = 20;
export const webhookUrlLength = 500;
/** The most waiting deliveries of a webhook; further events are not stored for it. */
export const mostDeliveriesWaiting = 10_000;
/** The most failed or skipped deliveries that one call sends again. */
export const mostReplayed = 1_000;
/** The most tests of a webhook per minute. */
export const mostWebhookTests = 10;

/** The most notification channels of an account. */
export const mostNoticeChannels = 5;
export const channelAddressLength = 500;
export const channelSecretLength = 200;
/** The most codes and tests per day: of one account, and to one address. */
export const mostChannelAsks = { account: 20, address: 10 } as const;
/** The most messages to a channel per hour; further notifications wait and are sent together. */
export const channelMessagesInHour = 20;
/** The most notifications that a message lists; the message counts the others. */
export const noticesInMessage = 20;
