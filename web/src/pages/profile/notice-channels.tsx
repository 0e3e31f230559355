import { useState } from 'react';
import {
  listNoticeChannels,
  removeNoticeChannel,
  sendChannelCode,
  testNoticeChannel,
} from '@waystation/contract/people/notice-channel.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import {
  channelKindWords,
  channelStopWords,
  noticePaceWords,
} from '@waystation/contract/people/notice-words.ts';
import { mostNoticeChannels } from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { NoticeDialog } from './notice-dialog.tsx';
import type { MadeChannel } from './notice-dialog.tsx';
import { CodeDialog, NoticeSecretDialog, PreviewDialog } from './notice-steps.tsx';
import { channelError, useNoticeWords } from './notice-words.ts';
import styles from './notices.module.css';
import profile from './profile.module.css';

type Open =
  | { what: 'create' }
  | { what: 'edit' | 'code' | 'preview'; channel: NoticeChannel }
  | { what: 'secret'; made: MadeChannel }
  | null;

const Status = ({ status, failures, stopped_by }: NoticeChannel) => {
  const { language } = useTexts();
  const say = useNoticeWords();
  const shown = status === 'live' && failures > 0 ? 'failing' : status;
  return (
    <span className={styles['status']} data-status={shown}>
      {status === 'disabled' && stopped_by
        ? wordOf(channelStopWords, stopped_by, language)
        : say(shown)}
    </span>
  );
};

/**
 * The texts about a channel: how often it sends, the result of its last message, and the number of
 * notifications that wait.
 */
const useResult = (): ((channel: NoticeChannel) => string) => {
  const { language } = useTexts();
  const format = useFormat();
  const say = useNoticeWords();
  return (channel) => {
    const { tried_at, sent_at, waiting, status, pace } = channel;
    const error = channelError(channel, language);
    const result =
      error !== null && tried_at !== null
        ? say('last_failed', { time: format.time(tried_at), error })
        : sent_at === null
          ? say('never_sent')
          : say('last_sent', { time: format.time(sent_at) });
    return [
      ...(status === 'live' ? [wordOf(noticePaceWords, pace, language)] : []),
      result,
      ...(waiting > 0 ? [say('waiting', { count: waiting })] : []),
    ].join(' · ');
  };
};

const useChannelActions = (show: (open: Open) => void) => {
  const { language } = useTexts();
  const say = useNoticeWords();
  const { busy, run } = useActions<string>([listNoticeChannels]);
  return {
    busy,
    test: ({ id }: NoticeChannel) =>
      run(`test ${id}`, async () => {
        const error = channelError(await call(testNoticeChannel, { id }), language);
        if (error === null) notify.success(say('tested'));
        else notify.warning(say('test_failed', { error }));
      }),
    code: ({ id }: NoticeChannel) =>
      run(`code ${id}`, async () =>
        show({ what: 'code', channel: await call(sendChannelCode, { id }) }),
      ),
    remove: async ({ id, name }: NoticeChannel) => {
      const yes = await confirmed({
        title: say('remove_title', { name }),
        content: say('remove_hint'),
        ok: say('remove'),
        danger: true,
      });
      if (yes)
        await run(`remove ${id}`, async () => {
          await call(removeNoticeChannel, { id });
        });
    },
  };
};

const Row = ({
  channel,
  actions,
  show,
}: {
  channel: NoticeChannel;
  actions: ReturnType<typeof useChannelActions>;
  show: (open: Open) => void;
}) => {
  const { language } = useTexts();
  const say = useNoticeWords();
  const resultOf = useResult();
  const { role } = useUser();
  const { id, name, kind, hint, status, code_until, resets_password } = channel;
  const button = (
    word:
      | 'enter_code'
      | 'resend'
      | 'enable'
      | 'resets_gain'
      | 'test'
      | 'preview'
      | 'edit'
      | 'remove',
    onClick: () => void,
    key = '',
  ) => (
    <Button
      size="small"
      loading={actions.busy.has(`${key} ${id}`)}
      aria-label={say('of', { action: say(word), name })}
      onClick={onClick}
    >
      {say(word)}
    </Button>
  );
  const isLive = status === 'live';
  const hasCode = !isLive && code_until !== null;
  return (
    <li>
      <div className={styles['about']}>
        <strong>
          {name} <Status {...channel} />
        </strong>
        <span>
          {wordOf(channelKindWords, kind, language)} · {hint}
          {resets_password === 1 && ` · ${say('resets_on')}`}
        </span>
        <span>{resultOf(channel)}</span>
      </div>
      <div className={primitives['buttons']}>
        {hasCode && button('enter_code', () => show({ what: 'code', channel }))}
        {!isLive &&
          button(
            status === 'disabled' && !hasCode ? 'enable' : 'resend',
            () => void actions.code(channel),
            'code',
          )}
        {isLive && button('test', () => void actions.test(channel), 'test')}
        {isLive &&
          kind === 'mail' &&
          resets_password === 0 &&
          role !== 'super' &&
          button('resets_gain', () => void actions.code(channel), 'code')}
        {button('preview', () => show({ what: 'preview', channel }))}
        {button('edit', () => show({ what: 'edit', channel }))}
        {button('remove', () => void actions.remove(channel), 'remove')}
      </div>
    </li>
  );
};

/** The list of channels that send the user's notifications. */
export const NoticeChannels = () => {
  const say = useNoticeWords();
  const [open, setOpen] = useState<Open>(null);
  const actions = useChannelActions(setOpen);
  const { data, error, refetch } = useCall(listNoticeChannels, {}, { quiet: true, staleTime: 0 });
  const items = data?.items ?? [];
  const close = (): void => setOpen(null);
  const made = (result: MadeChannel): void =>
    setOpen(
      result.secret === null
        ? { what: 'code', channel: result.channel }
        : { what: 'secret', made: result },
    );
  return (
    <section className={`${profile['card']} ${profile['whole']}`} aria-labelledby="profile-notices">
      <div className={`${primitives['buttons']} ${profile['head']}`}>
        <h2 id="profile-notices">{say('title')}</h2>
        {data && items.length < mostNoticeChannels && (
          <Button size="small" onClick={() => setOpen({ what: 'create' })}>
            {say('create')}
          </Button>
        )}
      </div>
      <p className={profile['intro']}>{say('intro')}</p>
      {error && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {data?.mail === 'failing' && <Notice tone="warn">{say('mail_failing')}</Notice>}
      {data && items.length === 0 && <p className={styles['hint']}>{say('none')}</p>}
      {items.length > 0 && (
        <ul className={`${primitives['list']} ${styles['channels']}`}>
          {items.map((channel) => (
            <Row key={channel.id} channel={channel} actions={actions} show={setOpen} />
          ))}
        </ul>
      )}
      {(open?.what === 'create' || open?.what === 'edit') && (
        <NoticeDialog
          channel={open.what === 'edit' ? open.channel : null}
          withMail={data?.mail !== 'none'}
          onMade={made}
          onClose={close}
        />
      )}
      {open?.what === 'code' && <CodeDialog channel={open.channel} onClose={close} />}
      {open?.what === 'preview' && <PreviewDialog channel={open.channel} onClose={close} />}
      {open?.what === 'secret' && (
        <NoticeSecretDialog
          made={open.made}
          onClose={() => setOpen({ what: 'code', channel: open.made.channel })}
        />
      )}
    </section>
  );
};
