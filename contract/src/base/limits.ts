/**
 * Limits of input: used by the schemas, by the forms that check before sending, and by the server.
 * Limits of texts are in characters (code points). Limits for one subject only are in other files:
 * `search.ts`, `settings.ts`, `voucher-content.ts`, `bulk-endpoint.ts`.
 */

/** The least and the largest number of characters in the reason for an action. */
export const reasonLength = { min: 2, max: 200 } as const;
/** The maximum length of a note or description that may stay empty. */
export const noteLength = 200;
/** The maximum length of the reason for a cancellation; this is the carrier's limit. */
export const cancelReasonLength = 30;
/** The maximum length of the reason why goods are banned. */
export const bannedReasonLength = 100;

/** The maximum length of the name of a station, scheme, template, carrier account or contact. */
export const nameLength = 50;
/**
 * The maximum length of the name of goods, a product, a saved view or a person, and of the sender
 * name of a carrier account.
 */
export const shortNameLength = 30;
/** The maximum length of a product's English name. */
export const englishNameLength = 60;
/** The maximum length of a template's name together with a version number. */
export const versionNameLength = 100;

export const addressLength = 200;
/** The maximum length of the name of a province, city or county. */
export const regionLength = 40;
/** The carrier's limit for the characters of a province, city or county of an account. */
export const merchantRegionLength = 30;
/** The maximum length of a phone number as the user types it. */
export const phoneLength = 30;

export const usernameLength = { min: 3, max: 64 } as const;
/**
 * The least and the largest number of characters in a password. Only the length is limited, not the
 * kinds of characters (requirements §10.2.17).
 */
export const passwordLength = { min: 10, max: 256 } as const;
/** The maximum length of a password as typed; `password.ts` checks if the password is good. */
export const passwordInputLength = 1_024;
/** The number of hours for which an invitation link is valid. */
export const invitationHours = 72;
/** The maximum length of an invitation token in a request. A real token is shorter. */
export const invitationTokenLength = 100;
/** The maximum number of invitation links that one manager can send by mail per hour. */
export const mostInvitationMails = 30;
/** The number of minutes for which a mailed link for setting a forgotten password is valid. */
export const resetMinutes = 30;
/** The maximum number of password reset links that are mailed for an account per hour. */
export const mostResetMails = 3;
/** The maximum length of a mail address, by RFC 5321. */
export const mailAddressLength = 254;
/** The maximum length of a code from an authenticator app, or of a recovery code, as typed. */
export const otpLength = 32;
/** The maximum length of a picture as a `data:` URL. */
export const avatarLength = 16_000;
export const identityLength = 64;
/** The maximum length of the text that describes where a person works. */
export const locationLength = 60;

/** The maximum length of a product's code. */
export const promiseCodeLength = 40;
/** The maximum length of a carrier code in an input that accepts any text. */
export const providerLength = 20;
export const urlLength = 200;
/** The maximum length of the customer code or the warehouse code of a carrier account. */
export const merchantCodeLength = 60;
/** The maximum length of a secret of a carrier account. */
export const merchantSecretLength = 500;
/** The maximum length of the name of a carrier's operation. */
export const operationLength = 30;
/** The maximum length of a station's customer code. */
export const customerCodeLength = 50;

/** The maximum length of the description of a parcel's goods. */
export const goodsLength = 100;
export const remarkLength = 500;
/** The maximum length of the customer's own order number (third-party number). */
export const orderNumberLength = 50;
/** The maximum length of a waybill number from a carrier. */
export const waybillLength = 60;
/** The maximum length of a waybill number by which transactions are filtered. */
export const waybillFilterLength = 50;
/** The maximum length of an error code by which results are filtered. */
export const errorCodeLength = 60;
/** The maximum number of entries in a station's address book; most orders read all of them. */
export const mostContacts = 50_000;
/** The maximum number of packages in one parcel. */
export const mostPackages = 50;
/** The largest weight, in grams. */
export const mostWeight = 10_000_000;
/** The longest side of a parcel, in centimetres. */
export const mostSide = 300;
/** The longest side, in centimetres, that the template's price calculator accepts. */
export const mostTriedSide = 1_000;
/** The highest code of a goods type; the codes are the carrier's. */
export const mostGoodsType = 9;

/** The largest code of a parcel state. */
export const mostStateCode = 999;

/** The largest value of `priority` and `sort`, by which lists are sorted. */
export const mostPriority = 9_999;

/** The largest single amount in fen: ¥100,000,000. */
export const mostAmount = 10_000_000_000;
/** The largest balance in fen, and the largest amount of a transaction in a filter. */
export const mostBalance = 100_000_000_000;
/** The largest tolerance in grams when the weights in a carrier bill are compared with ours. */
export const mostWeightTolerance = 100_000;

/**
 * The maximum number of rows that a list counts. If there are more rows, the result means "at least
 * this number" (`total_is_capped`) and contains no sums.
 */
export const mostCounted = 10_000;
/** The maximum number of rows on one page of a list. */
export const mostPageSize = 200;
export const mostPage = 1_000_000;
/**
 * The maximum number of rows that can be reached by page number: the database must read all rows
 * before such a page. Further pages are read by `cursor`.
 */
export const mostPaged = 10_000;
export const cursorLength = 2_000;
/** The maximum length of a search text. Users paste many numbers: 2,000 need about 40 kB. */
export const searchTextLength = 100_000;
/** The largest number of rows that a caller can send as `expected`. */
export const mostMatched = 1_000_000;
/** The largest value of the database's integer columns, such as a version. */
export const mostInteger = 2_147_483_647;
/** The maximum length of a time in ISO 8601 format with offset. */
export const momentLength = 40;
export const requestIdLength = 64;

/** The maximum number of columns of an export, and the maximum length of a column title. */
export const mostExportColumns = 120;
export const columnTitleLength = 60;
/** The maximum length of the name of a filter in a saved view. */
export const filterNameLength = 60;
/** The maximum length of the list of types by which transactions are filtered. */
export const typesLength = 200;
/** The maximum length of a text with field names; it is enough for all fields of a list. */
export const fieldNamesLength = 2_000;

/** The maximum number of parcels whose labels can be printed in one call. */
export const mostSheetParcels = 2_000;
/** The maximum number of parcels in one archive with a PDF per parcel. */
export const mostSeparateParcels = 200;
/** The maximum number of parcels in one call for the print component's data. */
export const mostComponentParcels = 200;
/** The largest distance, in dots (1/8 mm), by which a label can be moved on its paper. */
export const mostLabelOffset = 80;
/** The largest darkness setting of a label printer. */
export const mostDarkness = 30;
/** The largest darkness setting of a TSPL printer. */
export const mostTsplDarkness = 15;
/** The largest ordinal number of a print that a filter accepts. */
export const mostPrintCount = 10_000;
/** The maximum length of a printer's name. */
export const printerNameLength = 100;
/** The maximum numbers of packages and of scans in one hand-over; refused scans count too. */
export const mostHandoverPackages = 2_000;
export const mostHandoverScans = 6_000;
/** The maximum numbers of scans: of one hand-over per minute, and in one call. */
export const mostHandoverScansInMinute = 600;
export const mostScansAtOnce = 50;
/** The maximum number of open hand-overs of one station and carrier. Each user has one. */
export const mostOpenHandovers = 20;
/**
 * The maximum number of parcels that a hand-over expects (the newest that wait for pickup), and of
 * missing parcels that it lists.
 */
export const mostExpectedParcels = 5_000;
export const mostMissingNamed = 500;
/** The maximum number of parcels read for one scan: many may share a third-party number. */
export const mostScannedParcels = 20;
/** The maximum number of labels that wait to be scanned as a check, and for how many hours. */
export const mostUnverifiedLabels = 20;
export const verifyHours = 24;
/** The maximum length of a scanned text; the longest is the URL in a label's QR code. */
export const scannedLength = 300;
/** The maximum number of hand-overs that are listed for a parcel. */
export const mostParcelHandovers = 50;
/** The maximum number of kinds of goods that one call can sort. */
export const mostOrderedCargos = 1_000;
/** The maximum numbers of stations that one call gives a scheme, and of templates in a scheme. */
export const mostSchemeStations = 100;
export const mostSchemeVouchers = 100;
/** The maximum number of stations whose disabled scheme or carrier account is replaced. */
export const mostSucceeded = 500;
/**
 * To count the drafts and the failed parcels with a selected account, at most this number of each
 * is read, the newest first.
 */
export const mostChosen = 5_000;
/** The maximum numbers of profit links and of insurance tiers in the price terms of a parcel. */
export const mostChainLinks = 100;
export const mostInsuranceTiers = 1_000;

/** The maximum number of top-up requests of one account that may wait at its station. */
export const mostPendingTopUps = 10;

/** The maximum length of a text in a setting, and the maximum number of texts in a setting. */
export const settingTextLength = 300;
export const mostSettingTexts = 40;

/**
 * Limits of filters: the days without a parcel, the days that a balance lasts, the days that a
 * board shows, and the hours for which a parcel has not moved.
 */
export const mostSilentDays = 3_650;
export const mostLastingDays = 90;
export const boardDays = { min: 7, max: 90 } as const;
export const mostUnmovedHours = 8_760;

/** The largest size of a carrier bill, in bytes. */
export const mostBillBytes = 20 * 1024 * 1024;
/** The maximum number of columns of a carrier bill. */
export const mostBillColumns = 200;

/**
 * For the file with the price list of a template: its largest size in bytes, its maximum number of
 * rows, and the maximum number of refused cells that are listed.
 */
export const mostPriceSheetBytes = 2 * 1024 * 1024;
export const mostPriceSheetRows = 20_000;
export const mostPriceSheetProblems = 200;

/** The maximum number of days in advance for which a pickup can be booked. */
export const mostPickupDays = 7;
/** A carrier may report a pickup until this number of hours after the pickup window. */
export const mostPickupReportHours = 1;
/** The maximum length of a pickup window, in hours. */
export const mostPickupHours = 24;
/** The minimum number of parcels for showing how often a carrier kept its pickup windows. */
export const leastKeptWindows = 10;
/** The maximum number of pickups of an import for which a pickup window can be chosen. */
export const mostImportPickups = 5;
/** The maximum number of coverage requests of one user to one carrier in ten minutes. */
export const mostCoverageQuestions = 100;
/** The minimum number of parcels in thirty days for showing the delivery times of a lane. */
export const leastLaneParcels = 20;
/** The minimum number of other stations on a lane for showing its times over all stations. */
export const leastLaneStations = 3;

/** The maximum number of insurance tiers in a plan. */
export const mostPlannedTiers = 100;

/** The largest size of a sheet of goods in bytes, and its maximum number of rows. */
export const mostCargoSheetBytes = 1024 * 1024;
export const mostCargoSheetRows = 1_000;

/**
 * The largest size of an imported Excel sheet of parcels in bytes, and its maximum numbers of rows,
 * of columns and of characters in a cell.
 */
export const mostImportBytes = 20 * 1024 * 1024;
export const mostImportRows = 100_000;
export const mostImportColumns = 200;
export const mostImportCellChars = 2_000;
/** The maximum number of characters that one edit may write, in all rows together. */
export const mostImportEditChars = 20_000_000;
/** The maximum number of rows of an import that are checked while the caller waits. */
export const mostImportRowsAtOnce = 2_000;
/** The maximum number of sample rows that show the values of the selected columns. */
export const mostImportSamples = 5;
/**
 * The maximum number of edits of an import that can be undone, and the maximum number of rows that
 * they change together. The newest edit may change all rows.
 */
export const mostImportSteps = 100;
export const mostImportStepRows = 100_000;
/** The maximum number of other changed rows in the response to a change of one row. */
export const mostTouchedRows = 1_000;
/** The maximum number of unfinished imports of one user. */
export const mostOpenImports = 20;

/** The number of days for which a carrier may still send messages to a URL that was replaced. */
export const pushAddressDays = 7;

/**
 * The maximum numbers of saved views of one account, and of its saved views for one list; the
 * maximum size in bytes of a view's query and of its columns.
 */
export const mostViews = 200;
export const mostListViews = 50;
export const mostViewBytes = 8 * 1024;
/** The maximum number of preferences of one account. Only a faulty client needs more. */
export const mostPreferences = 500;

/** The maximum number of unfinished bulk actions and exports of an account. */
export const mostOpenJobs = 20;

/**
 * The maximum numbers of accounts and of stations that one manager, together with all accounts
 * created under it, may create: on one business day, and on all days together.
 */
export const mostAccountsMadeInDay = 50;
export const mostAccountsMade = 1_000;
export const mostStationsMadeInDay = 20;
export const mostStationsMade = 500;

/**
 * The maximum numbers of open live-event streams of one session and of one account, and the largest
 * share of a process's streams for all accounts created by one manager.
 */
export const mostSessionStreams = 4;
export const mostAccountStreams = 16;
export const managerShareOfStreams = 0.2;

/**
 * The maximum length of a cursor of live events. A cursor contains the ids of the database
 * transactions that were open when it was made.
 */
export const eventCursorLength = 8_000;

/** The maximum numbers of valid API keys: of an account, and of a manager with its accounts. */
export const mostKeys = 20;
export const mostKeysUnder = 500;
/**
 * The maximum numbers of API keys that may be made on a business day: by one account, by a manager,
 * and by all accounts created under a manager. They are separate limits, so that one account cannot
 * use up the keys of others.
 */
export const mostKeysInDay = { maker: 20, manager: 100, others: 100 } as const;
/**
 * The maximum number of IP addresses and networks that may use an API key, and the maximum length
 * of each.
 */
export const mostKeyAddresses = 20;
export const keyAddressLength = 49;
/** The maximum numbers of calls per minute: of one API key, and of all API keys of an account. */
export const keyCallsInMinute = 600;
export const accountKeyCallsInMinute = 1_200;

/** The maximum numbers of webhooks: of an account, and of all accounts of a station. */
export const mostWebhooks = 5;
export const mostWebhooksOfStation = 20;
export const webhookUrlLength = 500;
/** The maximum number of waiting deliveries of a webhook; further events are dropped. */
export const mostDeliveriesWaiting = 10_000;
/** The maximum number of failed or skipped deliveries that one call sends again. */
export const mostReplayed = 1_000;
/** The maximum number of tests of a webhook per minute. */
export const mostWebhookTests = 10;

/** The maximum number of notification channels of an account. */
export const mostNoticeChannels = 5;
export const channelAddressLength = 500;
export const channelSecretLength = 200;
/** The maximum numbers of codes and test messages per day: of an account, and to an address. */
export const mostChannelAsks = { account: 20, address: 10 } as const;
/** The maximum number of messages to a channel per hour; the others are sent together later. */
export const channelMessagesInHour = 20;
/** The maximum number of notifications that a message lists; of others it shows the number. */
export const noticesInMessage = 20;
