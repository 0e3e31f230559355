import { calls as accountCalls } from '@waystation/contract/people/account.schema.ts';
import { calls as keyCalls } from '@waystation/contract/people/api-key.schema.ts';
import { calls as auditCalls } from '@waystation/contract/shell/audit.schema.ts';
import {
  auditActions,
  auditLine,
  auditRoles,
  auditSubjects,
} from '@waystation/contract/shell/audit-words.ts';
import { personalData as personalDataList } from '@waystation/contract/people/personal-data.ts';
import { calls as erasureCalls } from '@waystation/contract/people/erasure.schema.ts';
import { calls as invitationCalls } from '@waystation/contract/people/invitation.schema.ts';
import { calls as personalDataCalls } from '@waystation/contract/people/personal-data.schema.ts';
import { calls as noticeCalls } from '@waystation/contract/people/notice-channel.schema.ts';
import { calls as resetCalls } from '@waystation/contract/people/password-reset.schema.ts';
import { calls as preferencesCalls } from '@waystation/contract/people/preferences.schema.ts';
import { calls as profileCalls } from '@waystation/contract/people/profile.schema.ts';
import { calls as sessionCalls } from '@waystation/contract/people/session.schema.ts';
import { calls as undoCalls } from '@waystation/contract/shell/undo.schema.ts';
import { calls as webhookCalls } from '@waystation/contract/people/webhook.schema.ts';
import { calls as viewCalls } from '@waystation/contract/shell/views.schema.ts';
import type { App } from '#app.ts';
import { feature } from '#feature.ts';
import type { AllLists } from '#feature.ts';
import { columnsOf, flags, madeOf, onOff, words } from '#domain/user-jobs/user-jobs.ts';
import type { ExportList } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { sendNotices } from '#domain/notices/notices.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import * as accounts from './accounts.ts';
import * as apiKeys from './api-keys.ts';
import * as audit from './audit.ts';
import { erasePerson, erasePersonTask } from './erase-person.ts';
import * as erasures from './erasures.ts';
import { foundAccounts } from './find-accounts.ts';
import * as invitations from './invitations.ts';
import { invite } from './invite-account.ts';
import { logIn } from './login.ts';
import * as channels from './notice-channels.ts';
import * as channelCodes from './notice-codes.ts';
import * as passwordResets from './password-resets.ts';
import * as personalData from './personal-data.ts';
import { make as makePersonFile } from './personal-data-file.ts';
import * as preferences from './preferences.ts';
import * as profile from './profile.ts';
import { auditRefusedCalls } from './refused-calls.ts';
import {
  mailPasswordChanged,
  mailPasswordChangedTask,
  mailResetLink,
  mailResetLinkTask,
} from './reset-mails.ts';
import { logOut, menuOf } from './session.ts';
import { prune, tidy } from './tidy.ts';
import * as twoFactor from './two-factor.ts';
import { switchesOf } from './undo-switches.ts';
import * as undo from './undo.ts';
import * as views from './views.ts';
import * as deliveries from './webhook-deliveries.ts';
import * as webhooks from './webhooks.ts';

const auditExport: ExportList<App> = {
  source: listSource(auditCalls.listAudit, audit.list, audit.counts, audit.walk),
  columns: {
    ...columnsOf('text', 'account_name key_name address request_id reason'),
    role: words('role', auditRoles),
    action: words('action', auditActions),
    subject: words('subject', auditSubjects),
    changes: madeOf('subject changes', ({ subject, changes: changed }, language) =>
      auditLine(String(subject), (changed ?? {}) as Record<string, [unknown, unknown]>, language),
    ),
    ...columnsOf('number', 'id key_id subject_id station_id'),
    ...columnsOf('time', 'at'),
  },
};

const invitationWords = {
  open: { zh: '待接受', en: 'Not yet accepted' },
  ended: { zh: '已失效', en: 'No longer valid' },
};

const accountExport: ExportList<App> = {
  source: listSource(accountCalls.listAccounts, accounts.list),
  columns: {
    ...columnsOf('text', 'username nickname phone identity station_name location'),
    ...columnsOf('number', 'id program_id station_id sessions'),
    ...columnsOf(
      'time',
      'registered_at last_seen_at password_changed_at invitation_until created_at updated_at',
    ),
    role: words('role', auditRoles),
    ...flags('must_change second_factor may_export'),
    status: onOff,
    invitation: words('invitation', invitationWords),
  },
};

const undoActions = ({ bulk, undo: actions }: AllLists): undo.UndoActions => ({
  ...actions,
  switches: switchesOf(bulk),
});

export const people = feature(foundAccounts, {
  routes: (all) => [
    route(sessionCalls.login, logIn),
    route(sessionCalls.logout, logOut),
    route(sessionCalls.personal, profile.details),
    route(sessionCalls.serverMenu, menuOf),
    route(profileCalls.editPersonal, profile.edit),
    route(profileCalls.changePassword, profile.changePassword),
    route(profileCalls.personalSessions, profile.sessions),
    route(profileCalls.revokeSession, profile.revoke),
    route(profileCalls.secondFactor, twoFactor.state),
    route(profileCalls.startSecondFactor, twoFactor.start),
    route(profileCalls.confirmSecondFactor, twoFactor.confirm),
    route(profileCalls.renewRecoveryCodes, twoFactor.renewCodes),
    route(profileCalls.endSecondFactor, twoFactor.end),
    route(preferencesCalls.readPreferences, preferences.read),
    route(preferencesCalls.writePreference, preferences.write),
    route(accountCalls.listAccounts, accounts.list),
    route(accountCalls.getAccount, accounts.get),
    route(accountCalls.createAccount, accounts.create),
    route(accountCalls.editAccount, accounts.edit),
    route(accountCalls.setAccountStatus, accounts.switchStatus),
    route(accountCalls.resetPassword, accounts.resetPassword),
    route(accountCalls.inviteAccount, invite),
    route(invitationCalls.openInvitation, invitations.open),
    route(invitationCalls.acceptInvitation, invitations.accept),
    route(resetCalls.askPasswordReset, passwordResets.ask),
    route(resetCalls.openPasswordReset, passwordResets.open),
    route(resetCalls.acceptPasswordReset, passwordResets.accept),
    route(accountCalls.accountSessions, accounts.sessions),
    route(accountCalls.revokeAccountSessions, accounts.revokeSessions),
    route(accountCalls.resetSecondFactor, accounts.resetSecondFactor),
    route(keyCalls.listKeys, apiKeys.list),
    route(keyCalls.createKey, apiKeys.create),
    route(keyCalls.limitKey, apiKeys.limit),
    route(keyCalls.revokeKey, apiKeys.revoke),
    route(webhookCalls.listWebhooks, webhooks.list),
    route(webhookCalls.createWebhook, webhooks.create),
    route(webhookCalls.editWebhook, webhooks.edit),
    route(webhookCalls.renewWebhookSecret, webhooks.renewSecret),
    route(webhookCalls.setWebhookStatus, webhooks.setStatus),
    route(webhookCalls.removeWebhook, webhooks.remove),
    route(webhookCalls.testWebhook, deliveries.test),
    route(webhookCalls.listDeliveries, deliveries.list),
    route(webhookCalls.replayDelivery, deliveries.replay),
    route(webhookCalls.replayDeliveries, deliveries.replayMany),
    route(noticeCalls.listNoticeChannels, channels.list),
    route(noticeCalls.createNoticeChannel, channels.create),
    route(noticeCalls.editNoticeChannel, channels.edit),
    route(noticeCalls.sendChannelCode, channelCodes.sendCode),
    route(noticeCalls.confirmNoticeChannel, channelCodes.confirm),
    route(noticeCalls.testNoticeChannel, channelCodes.test),
    route(noticeCalls.previewNoticeChannel, channels.preview),
    route(noticeCalls.removeNoticeChannel, channels.remove),
    route(auditCalls.listAudit, audit.list),
    route(auditCalls.countAudit, audit.counts),
    route(auditCalls.expressAudit, audit.ofExpress),
    route(personalDataCalls.findPerson, personalData.find),
    route(personalDataCalls.exportPerson, personalData.start),
    route(erasureCalls.previewErasure, erasures.preview),
    route(erasureCalls.requestErasure, erasures.request),
    route(erasureCalls.listErasures, erasures.list),
    route(erasureCalls.approveErasure, erasures.approve),
    route(erasureCalls.cancelErasure, erasures.cancel),
    route(undoCalls.readUndo, undo.read(undoActions(all))),
    route(undoCalls.undoChange, undo.undo(undoActions(all))),
    route(viewCalls.listViews, views.list),
    route(viewCalls.createView, views.create(all.exports)),
    route(viewCalls.editView, views.edit),
    route(viewCalls.removeView, views.remove),
  ],
  tasks: [
    task('audit_refused_calls', noPayload, { attempts: 3, every: '* * * * *' }).runs(
      auditRefusedCalls,
    ),
    task('send_notices', noPayload, { attempts: 2, every: '* * * * *' }).runs(sendNotices),
    task('tidy', noPayload, { attempts: 4, every: '7 * * * *' }).runs(tidy),
    task('prune', noPayload, { attempts: 4, every: '17 * * * *' }).runs(prune),
    erasePersonTask.runs(erasePerson),
    mailResetLinkTask.runs(mailResetLink),
    mailPasswordChangedTask.runs(mailPasswordChanged),
  ],
  files: { [personalDataList]: makePersonFile },
  exports: { audit: auditExport, users: accountExport },
});
