/**
 * The texts of the page “System health”. They are in a separate file because only a super opens
 * this page, and all other texts are loaded with the console.
 */
interface Words {
  zh: string;
  en: string;
}

/** The consequences of abandoning a failed job, for each kind of job. */
export const jobFollows = {
  again: {
    zh: '此任务会按时重新运行，放弃这一次不丢失数据。',
    en: 'This task runs again at its next time. Giving up this run loses nothing.',
  },
  polled: {
    zh: '运单未结清前，系统会定时重新查询；放弃只移除这一次查询。',
    en: 'While the parcel is open it is asked about again on schedule. Giving up removes this query only.',
  },
  push: {
    zh: '推送原文仍保留但不再处理；运单状态以定时查询为准。',
    en: 'The push is kept and not read. The state of the parcel follows from scheduled queries.',
  },
  label: {
    zh: '不再自动索取该运单的面单。如仍需打印，请重试而不是放弃。',
    en: 'The label of this parcel is no longer requested. Retry instead if it is still to be printed.',
  },
  held: {
    zh: '该网点的暂挂运单暂不自动下单；可用余额下次增加时再试，也可在运单列表中手工下单。',
    en: 'Parcels on hold of this station are not ordered now. They are tried again when its available balance rises, or ordered by hand in the list.',
  },
  report: {
    zh: '承运商后来报送的数据不会列入账单；金额不受影响，可在运单上重新查询。',
    en: 'What the carrier reported later is not listed in the bill. No amount changes; ask again on the parcel.',
  },
  ended: {
    zh: '发起人已看到失败，可以重新发起；放弃只移除此任务。',
    en: 'Its user has been told that it failed and can start it again. Giving up only removes the job.',
  },
  decide: {
    zh: '此任务决定金额的去向，不能放弃。请重试，或打开对应记录处理。',
    en: 'This job decides about money and cannot be given up. Retry it, or open the record and decide there.',
  },
  erase: {
    zh: '个人信息尚未全部删除，此任务不能放弃。请排除原因后重试。',
    en: 'Some personal data is not erased yet, so this job cannot be given up. Remove the cause and retry it.',
  },
} as const satisfies Record<string, Words>;
export type JobFollows = keyof typeof jobFollows;

/** True for jobs that can only be retried, and never abandoned, because of their consequences. */
export const isNeverAbandoned = (follows: JobFollows): follows is 'decide' | 'erase' =>
  follows === 'decide' || follows === 'erase';

const words = (follows: JobFollows, zh: string, en: string) => ({ follows, zh, en });

/** The name of every background task, and the consequences of abandoning a job of that task. */
export const taskWords: Readonly<Record<string, Words & { follows: JobFollows }>> = {
  send_order: words('decide', '向承运商下单', 'Place an order with the carrier'),
  cancel_parcel: words('decide', '向承运商取消或拦截', 'Cancel or intercept at the carrier'),
  cancel_waybill: words('decide', '取消多余运单号', 'Cancel a surplus waybill'),
  modify_parcel: words('decide', '向承运商修改订单', 'Change an order at the carrier'),
  write_equal_facts: words('decide', '保存账单一致的重量和金额', 'Store agreed bill values'),
  ask_facts: words('polled', '查询重量和费用', 'Query weight and fees'),
  ask_trace: words('polled', '查询轨迹', 'Query tracking'),
  sort_again: words('label', '重新索取面单', 'Request a label again'),
  read_pushes: words('push', '处理一批推送', 'Read pushes'),
  read_push: words('push', '处理一条推送', 'Read a push'),
  bill_contradicted: words(
    'report',
    '记录与账单不符的报送',
    'Note a report that contradicts a bill',
  ),
  release_on_hold: words('held', '暂挂运单自动下单', 'Order parcels on hold'),
  read_bill: words('ended', '读取承运商账单', 'Read a carrier bill'),
  match_bill: words('ended', '比对承运商账单', 'Match a carrier bill'),
  run_user_job: words('ended', '批量操作和导出', 'Bulk actions and exports'),
  read_import: words('ended', '读取导入表格', 'Read an import'),
  check_import: words('ended', '检查导入', 'Check an import'),
  quote_import: words('ended', '导入计价', 'Price an import'),
  run_import: words('ended', '导入下单', 'Order an import'),
  estimate_impact: words('ended', '测算模板影响', 'Estimate the impact of a template'),
  erase_person: words('erase', '删除个人信息', 'Erase personal data'),
  make_backup: words('again', '备份', 'Make a backup'),
  queue_due_backup: words('again', '安排备份', 'Schedule the backup'),
  watch_backups: words('again', '检查备份', 'Watch backups'),
  watch_wal: words('again', '检查日志归档', 'Watch the log archive'),
  copy_base: words('again', '制作基础副本', 'Make a base copy'),
  test_restore: words('again', '试恢复日志归档', 'Test restore of the log archive'),
  ledger_proof_nightly: words('again', '完整账目校验', 'Full ledger check'),
  ledger_proof_new: words('again', '校验新增账目', 'Check new entries'),
  queue_due_proof: words('again', '安排账目校验', 'Schedule the ledger check'),
  ledger_platform_chain: words('again', '衔接平台账链', 'Link the platform chain'),
  ledger_heads: words('again', '保存防篡改凭证', 'Write ledger heads'),
  ledger_heads_moved: words('again', '保存变动的凭证', 'Write moved ledger heads'),
  poll_live: words('again', '安排在途查询', 'Schedule queries of live parcels'),
  queue_missing_calls: words('again', '补排遗漏的调用', 'Queue missing calls'),
  watch_outages: words('again', '检测承运商故障', 'Watch for outages'),
  watch_tokens: words('again', '检查令牌有效期', 'Watch tokens'),
  tidy_calls: words('again', '清理调用记录', 'Remove old calls'),
  mail_reset_link: words('again', '发送重设密码链接', 'Mail links for forgotten passwords'),
  mail_password_changed: words('again', '通知密码已更改', 'Mail that a password was changed'),
  send_notices: words('again', '发送通知', 'Send notifications'),
  tidy: words('again', '清理过期数据', 'Remove what has expired'),
  prune: words('again', '按保留期限清理', 'Remove what is past its retention'),
  prune_live_events: words('again', '清理实时事件', 'Remove old live events'),
  roll_up_counts: words('again', '汇总数量', 'Add up counts'),
  audit_refused_calls: words('again', '记录被拒调用', 'Record refused calls'),
  apply_raises: words(
    'again',
    '限额提高、保留期缩短到期生效',
    'Apply raised limits and shorter retention',
  ),
  apply_tier_plans: words('again', '保价计划生效', 'Apply insurance plans'),
  deliver_inbox: words('again', '投递消息', 'Deliver the inbox'),
  note_low_balances: words('again', '余额提醒', 'Note low balances'),
  fill_pinyin: words('again', '补全名称拼音', 'Fill in the pinyin of names'),
  note_setups: words('again', '网点开通提醒', 'Note station setups'),
};

/** Each problem with the next action, as text; `{name}` and counts are replaced. */
export const problemWords = {
  no_worker: {
    zh: '没有后台进程在运行，任务都在等待。请启动 worker 进程。',
    en: 'No worker is alive, and all jobs wait. Start a worker process.',
  },
  jobs_late: {
    zh: '任务“{task}”已等待 {minutes} 分钟。请检查后台进程的负载和日志。',
    en: 'Jobs of “{task}” have waited {minutes} min. Check the load and the log of the workers.',
  },
  jobs_failed: {
    zh: '{count} 个后台任务失败并停止。请在下方排除原因后重试。',
    en: 'Failed background jobs: {count}. Remove the cause and retry them below.',
  },
  orders_unknown: {
    zh: '有订单 {minutes} 分钟没有结果，金额已冻结。请打开“下单中”运单查看。',
    en: 'An order has had no outcome for {minutes} min, with its money held. Open the parcels that are being ordered.',
  },
  carrier_down: {
    zh: '承运商账号“{name}”无响应。新订单排队等待，恢复后自动发送。',
    en: 'Carrier account “{name}” gets no answers. New orders wait and are sent automatically.',
  },
  carrier_paused: {
    zh: '承运商账号“{name}”已暂停调用。请更正密钥后恢复。',
    en: 'Carrier account “{name}” is paused. Correct its keys, then resume it.',
  },
  payments_suspended: {
    zh: '{count} 处收付因校验未通过而暂停。请查明原因后恢复。',
    en: 'Payments suspended by the ledger check: {count}. Find the cause, then resume them.',
  },
  proof_failed: {
    zh: '最近一次账目校验未通过。请在工作台查看不符之处。',
    en: 'The last ledger check failed. See the mismatches on the Workplace.',
  },
  proof_old: {
    zh: '账目已 {hours} 小时未完整校验。请检查后台进程。',
    en: 'The whole ledger was last checked {hours} h ago. Check the workers.',
  },
  proof_never: {
    zh: '账目尚未完整校验。可在工作台立即校验。',
    en: 'The whole ledger was never checked. Run a full check on the Workplace.',
  },
  backup_unscheduled: {
    zh: '没有后台进程安排备份。请为 worker 设置 WAYSTATION_BACKUP_DIR。',
    en: 'No worker schedules backups. Set WAYSTATION_BACKUP_DIR for a worker.',
  },
  backup_failed: {
    zh: '最近一次备份失败：{reason}',
    en: 'The last backup failed: {reason}',
  },
  backup_old: {
    zh: '已 {hours} 小时没有完成备份。请检查备份目录和磁盘。',
    en: 'No backup was completed for {hours} h. Check the backup folder and its disk.',
  },
  backup_unverified: {
    zh: '备份已 {days} 天未经恢复验证。请运行 backup --verify。',
    en: 'No backup was verified for {days} days. Run backup --verify.',
  },
  wal_stopped: {
    zh: '数据库日志已 {minutes} 分钟未归档，正占用磁盘。请检查归档目录和磁盘。',
    en: 'The database log was not archived for {minutes} min and fills the disk. Check the archive and its disk.',
  },
  wal_base_old: {
    zh: '日志归档已 {hours} 小时没有基础副本。请检查归档目录，或运行 backup --base。',
    en: 'The log archive got no base copy for {hours} h. Check its folder, or run backup --base.',
  },
  wal_test_failed: {
    zh: '日志归档试恢复失败：{reason}',
    en: 'The test restore of the log archive failed: {reason}',
  },
  wal_unverified: {
    zh: '日志归档已 {days} 天未经试恢复验证。请运行 restore --rehearse。',
    en: 'No test restore of the log archive was verified for {days} days. Run restore --rehearse.',
  },
  disk_full: {
    zh: '{place} 仅剩 {free}。请清理或扩容。',
    en: '{place} has only {free} free. Clear it or add space.',
  },
  disk_away: {
    zh: '{place} 无响应。请检查磁盘或网络存储。',
    en: '{place} does not answer. Check the disk or the network storage.',
  },
  replica_behind: {
    zh: '只读副本无响应或落后过多，现从主库读取。请检查复制。',
    en: 'The replica is away or too far behind; all is read from the primary. Check replication.',
  },
  mail_failing: {
    zh: '邮件服务器无法发送邮件（{detail}）。请检查 WAYSTATION_SMTP_* 和邮件服务器。',
    en: 'The mail server takes no mail ({detail}). Check WAYSTATION_SMTP_* and that server.',
  },
  channels_failing: {
    zh: '{count} 个通知渠道发送失败。若集中在同一平台，请检查外网访问。',
    en: '{count|notification channel fails|notification channels fail}. If all are of one platform, check the way out.',
  },
  connections_high: {
    zh: '数据库连接已用 {used} / {most}。请减少 WAYSTATION_POOL 或进程数。',
    en: 'Database connections in use: {used} of {most}. Lower WAYSTATION_POOL or run fewer processes.',
  },
} as const satisfies Record<string, Words>;
export type ProblemCode = keyof typeof problemWords;
export const problemCodes = Object.keys(problemWords) as ProblemCode[];

/** The labels of the page. */
export const healthLabels = {
  well: { zh: '一切正常', en: 'All is well' },
  well_hint: {
    zh: '任务、承运商、数据库、备份和账目均无待处理事项。',
    en: 'Jobs, carriers, database, backups and ledger need no action.',
  },
  not_well: { zh: '{count} 项需要处理', en: 'Needs action: {count}' },
  updated: { zh: '更新于 {time}，每 10 秒刷新', en: 'Updated {time}, every 10 seconds' },
  unreachable: {
    zh: '暂时无法刷新，以下为 {time} 的数据。',
    en: 'Cannot refresh now; this is the state of {time}.',
  },
  open_merchant: { zh: '打开账号', en: 'Open account' },
  open_orders: { zh: '查看运单', en: 'See parcels' },
  open_workplace: { zh: '打开工作台', en: 'Open Workplace' },
  open_stations: { zh: '查看网点', en: 'See stations' },
  see_failed: { zh: '查看失败任务', en: 'See failed jobs' },
  failed_jobs: { zh: '失败任务', en: 'Failed jobs' },
  failed_shown: { zh: '显示最近 {count} 个', en: 'The latest {count} are shown' },
  failed_after: { zh: '{time}，共 {attempts} 次', en: '{time}, after {attempts|attempt|attempts}' },
  no_error: { zh: '未记录错误信息', en: 'No error was recorded' },
  retry: { zh: '重试', en: 'Retry' },
  retried: { zh: '已重新排队', en: 'Queued again' },
  abandon: { zh: '放弃', en: 'Give up' },
  abandon_title: { zh: '放弃任务“{task}”', en: 'Give up “{task}”' },
  abandoned: { zh: '任务已放弃', en: 'The job was given up' },
  of_job: { zh: '{action}：{task}，编号 {id}', en: '{action}: {task}, no. {id}' },
  open_parcel: { zh: '打开运单', en: 'Open parcel' },
  open_bill: { zh: '打开账单', en: 'Open bill' },
  jobs: { zh: '后台任务', en: 'Background jobs' },
  jobs_none: { zh: '没有等待、运行或失败的任务', en: 'No job waits, runs or has failed' },
  jobs_more: { zh: '任务过多，只统计了一部分', en: 'Too many jobs: only a part was counted' },
  task: { zh: '任务', en: 'Task' },
  waiting: { zh: '等待', en: 'Waiting' },
  running: { zh: '运行中', en: 'Running' },
  failed: { zh: '失败', en: 'Failed' },
  oldest: { zh: '最早等待', en: 'Oldest' },
  carriers: { zh: '承运商（近 1 小时）', en: 'Carriers (last hour)' },
  carriers_none: { zh: '暂无启用的商家账号', en: 'No carrier account is enabled' },
  account: { zh: '账号', en: 'Account' },
  calls: { zh: '调用', en: 'Calls' },
  answered: { zh: '响应率', en: 'Answered' },
  median: { zh: '中位耗时', en: 'Median' },
  p95: { zh: '95% 耗时', en: 'p95' },
  state: { zh: '状态', en: 'State' },
  state_ok: { zh: '正常', en: 'Normal' },
  state_paused: { zh: '已暂停', en: 'Paused' },
  state_down: { zh: '无响应', en: 'No answers' },
  database: { zh: '数据库与磁盘', en: 'Database and disks' },
  version: { zh: '版本', en: 'Version' },
  size: { zh: '大小', en: 'Size' },
  connections: { zh: '连接', en: 'Connections' },
  of_most: { zh: '{used} / {most}', en: '{used} of {most}' },
  replica: { zh: '只读副本', en: 'Replica' },
  replica_none: { zh: '未设置', en: 'None' },
  replica_away: { zh: '无响应或落后过多', en: 'Away or too far behind' },
  replica_age: { zh: '落后 {seconds} 秒', en: '{seconds} s behind' },
  standbys: { zh: '已连接备库', en: 'Standbys connected' },
  disk: { zh: '磁盘', en: 'Disk' },
  free_of: { zh: '剩余 {free}，共 {total}', en: '{free} free of {total}' },
  backups: { zh: '备份', en: 'Backups' },
  last_backup: { zh: '最近备份', en: 'Last backup' },
  last_verified: { zh: '最近验证', en: 'Last verified' },
  last_failed: { zh: '最近失败', en: 'Last failure' },
  next_backup: { zh: '下次备份', en: 'Next backup' },
  wal_archived: { zh: '最近归档日志', en: 'Last archived log' },
  wal_from: { zh: '可恢复的时刻', en: 'Moments to restore' },
  wal_since: { zh: '{time} 起', en: 'From {time}' },
  wal_off: { zh: '未归档', en: 'Not archived' },
  wal_verified: { zh: '归档最近验证', en: 'Archive last verified' },
  disk_gone: { zh: '无响应', en: 'Does not answer' },
  unscheduled: { zh: '未设置定时备份', en: 'Not scheduled' },
  never: { zh: '从未', en: 'Never' },
  notices: { zh: '通知渠道', en: 'Notification channels' },
  mail: { zh: '邮件', en: 'Mail' },
  mail_ready: { zh: '正常', en: 'Normal' },
  mail_none: { zh: '未设置', en: 'Not set up' },
  mail_failing_since: { zh: '{time} 起失败（{detail}）', en: 'Failing since {time} ({detail})' },
  channels_live: { zh: '使用中的渠道', en: 'Channels in use' },
  channels_failed: { zh: '发送失败的渠道', en: 'Channels that fail' },
  notices_waiting: { zh: '待发送通知', en: 'Notifications waiting' },
  ledger: { zh: '账目校验', en: 'Ledger check' },
  proof_full: { zh: '完整校验', en: 'Full check' },
  proof_part: { zh: '校验新增', en: 'New entries' },
  proof_ok: { zh: '{time}，通过', en: '{time}, passed' },
  proof_bad: { zh: '{time}，未通过', en: '{time}, failed' },
  suspended: { zh: '暂停收付', en: 'Payments suspended' },
  open_orders_count: { zh: '下单中', en: 'Orders without outcome' },
  processes: { zh: '版本与进程', en: 'Versions and processes' },
  product: { zh: 'Waystation', en: 'Waystation' },
  product_version: {
    zh: '{version}，数据库函数第 {edition} 版',
    en: '{version}, database functions of edition {edition}',
  },
  migration: { zh: '最近迁移', en: 'Last migration' },
  api: { zh: '此接口进程', en: 'This API process' },
  api_state: { zh: '{time} 启动，内存 {memory}', en: 'Started {time}, memory {memory}' },
  workers: { zh: '后台进程', en: 'Workers' },
  workers_state: {
    zh: '{count} 个，运行 {running} 个任务，{time}报到',
    en: '{count}, running {running|job|jobs}, seen {time}',
  },
  workers_none: { zh: '没有', en: 'None' },
} as const satisfies Record<string, Words>;
export type HealthLabel = keyof typeof healthLabels;
