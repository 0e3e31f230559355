/**
 * Alerts about the heads of the ledger's chains; a part of errors.ts, under the same rules.
 */
export const evidenceErrors = {
  heads_not_written: {
    status: 422,
    zh: '账目链头未能写入文件（{reason}），请检查磁盘和 WAYSTATION_HEADS_FILE',
    en: 'The hash chain heads could not be written to their file ({reason}); check the disk and WAYSTATION_HEADS_FILE',
  },
  heads_file_differs: {
    status: 422,
    zh: '账目链头文件与数据库的记录不符，请核对文件是否被移动、截断或替换',
    en: 'The hash chain heads file does not match the database; check whether it was moved, truncated or replaced',
  },
  heads_astray: {
    status: 422,
    zh: '{count} 条账目链与已写出的链头不符：账目被改写，或恢复过备份，请立即核查',
    en: 'Hash chains that do not match their written heads: {count}. Entries were rewritten or a backup was restored; investigate now',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
