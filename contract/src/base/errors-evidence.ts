/**
 * Alerts about the heads of the ledger's hash chains and about backups. They are included in
 * `errors` in errors.ts.
 */
export const evidenceErrors = {
  backup_failed: {
    status: 422,
    zh: '备份失败（{reason}），请检查磁盘、密钥和备份目录',
    en: 'The backup failed ({reason}); check the disk, the keys and the backup folder',
  },
  backup_old: {
    status: 422,
    zh: '已 {days} 天没有成功的备份，请检查备份计划',
    en: 'No backup has succeeded for {days|day|days}; check the backup schedule',
  },
  backup_unverified: {
    status: 422,
    zh: '已 {days} 天没有备份通过恢复校验，请运行恢复校验',
    en: 'No backup has passed a test restore for {days|day|days}; run one with --verify',
  },
  wal_stopped: {
    status: 422,
    zh: '数据库日志已 {minutes} 分钟未归档，正占用磁盘，请检查归档目录和磁盘',
    en: 'The database log has not been archived for {minutes|minute|minutes} and fills the disk; check the archive and its disk',
  },
  wal_base_failed: {
    status: 422,
    zh: '日志归档的基础副本未能完成（{reason}），请检查归档目录和磁盘',
    en: 'The base copy of the log archive failed ({reason}); check the archive and its disk',
  },
  wal_test_failed: {
    status: 422,
    zh: '日志归档试恢复失败（{reason}），请检查归档目录、磁盘和密钥',
    en: 'The test restore of the log archive failed ({reason}); check the archive, its disk and the keys',
  },
  wal_unverified: {
    status: 422,
    zh: '日志归档已 {days} 天未通过试恢复，请运行 restore --rehearse',
    en: 'The log archive has passed no test restore for {days|day|days}; run restore --rehearse',
  },
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
