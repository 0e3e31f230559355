import { useState } from 'react';
import {
  createWebhook,
  editWebhook,
  listWebhooks,
  renewWebhookSecret,
  setWebhookStatus,
  webhookKinds,
} from '@waystation/contract/people/webhook.ts';
import type { Webhook, WebhookKind } from '@waystation/contract/people/webhook.ts';
import { webhookKindWords } from '@waystation/contract/people/webhook-words.ts';
import { shortNameLength, webhookUrlLength } from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './integrations.module.css';
import { Proof } from './proof.tsx';
import { useProved } from './use-proved.ts';
import type { Proved } from './use-proved.ts';
import { useWebhookWords } from './words.ts';

/** A new webhook with its secret, which is shown only once. */
export interface WithSecret {
  webhook: Webhook;
  secret: string;
}

/** The state of a webhook form. The form is sent together with the password. */
const useProvedWebhook = (send: Proved['send']) =>
  useProved({
    send,
    refreshes: [listWebhooks],
    fields: ['name', 'url', 'events', 'station_id'],
  });

const useSettings = (webhook: Webhook | null) => {
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [kinds, setKinds] = useState<WebhookKind[]>(
    webhook?.events ?? ['parcel.ordered', 'parcel.refused', 'parcel.signed', 'parcel.exception'],
  );
  const [watched, setWatched] = useState<number | null>(webhook?.station_id ?? null);
  const [below, setBelow] = useState(webhook?.with_below === 1);
  return { name, setName, url, setUrl, kinds, setKinds, watched, setWatched, below, setBelow };
};

const Events = ({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly WebhookKind[];
  error: string | undefined;
  onChange: (kinds: WebhookKind[]) => void;
}) => {
  const { language } = useTexts();
  const say = useWebhookWords();
  return (
    <>
      <fieldset className={styles['scopes']}>
        <legend>{say('events')}</legend>
        {webhookKinds.map((kind) => (
          <Checkbox
            key={kind}
            checked={chosen.includes(kind)}
            onChange={(on) =>
              onChange(on ? [...chosen, kind] : chosen.filter((one) => one !== kind))
            }
          >
            {wordOf(webhookKindWords, kind, language)}
          </Checkbox>
        ))}
      </fieldset>
      {error !== undefined && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </>
  );
};

/** The form of a webhook. An existing webhook is enabled when it is saved. */
export const WebhookDialog = ({
  webhook,
  onMade,
  onClose,
}: {
  webhook: Webhook | null;
  onMade: (made: WithSecret) => void;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const say = useWebhookWords();
  const several = useSeveralStations();
  const form = useSettings(webhook);
  const { name, url, kinds, watched, below } = form;
  const { sending, missing, proof } = useProvedWebhook(async (proved) => {
    const settings = {
      name: name.trim(),
      url: url.trim(),
      events: kinds,
      station_id: watched,
      with_below: below ? 1 : 0,
      ...proved,
    } as const;
    if (webhook) {
      await call(editWebhook, { id: webhook.id, version: webhook.version, ...settings });
      onClose();
    } else onMade(await call(createWebhook, settings));
  });
  const { errors } = sending;
  const staysStopped = webhook?.stopped_by === 'manager' && webhook.may_enable === 0;
  const ok = !webhook
    ? 'create'
    : staysStopped || webhook.status === 'live'
      ? 'save'
      : 'save_and_enable';
  const submit = (): Promise<void> =>
    sending.submit({
      ...missing,
      name: name.trim() === '' ? t('common.required') : undefined,
      url: url.trim() === '' ? t('common.required') : undefined,
      events: kinds.length === 0 ? say('events_required') : undefined,
    });
  return (
    <FormDialog
      open
      title={say(webhook ? 'edit_title' : 'create')}
      ok={say(ok)}
      width={520}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {staysStopped && <p className={styles['note']}>{say('stopped_by_manager')}</p>}
      <TextField
        label={say('name')}
        name="name"
        required
        autoFocus
        max={shortNameLength}
        value={name}
        error={errors['name']}
        onChange={(value) => {
          form.setName(value);
          sending.clearErrors('name');
        }}
      />
      <TextField
        label={say('url')}
        hint={say('url_hint')}
        name="url"
        required
        max={webhookUrlLength}
        value={url}
        error={errors['url']}
        onChange={(value) => {
          form.setUrl(value);
          sending.clearErrors('url');
        }}
      />
      <Events
        chosen={kinds}
        error={errors['events']}
        onChange={(value) => {
          form.setKinds(value);
          sending.clearErrors('events');
        }}
      />
      {several && (
        <>
          <StationPicker
            label={say('station')}
            clearable
            placeholder={say('everything')}
            value={watched}
            shown={webhook?.station_name ?? undefined}
            error={errors['station_id']}
            onChange={form.setWatched}
          />
          {watched !== null && (
            <Checkbox checked={below} onChange={form.setBelow}>
              {say('below')}
            </Checkbox>
          )}
        </>
      )}
      <Proof {...proof} />
    </FormDialog>
  );
};

/** A dialog for a change of a webhook that needs no field except the password and the code. */
const ProvedDialog = ({
  title,
  ok,
  hint,
  send,
  onClose,
}: {
  title: string;
  ok: string;
  hint: string;
  send: Proved['send'];
  onClose: () => void;
}) => {
  const { sending, missing, proof } = useProvedWebhook(send);
  return (
    <FormDialog
      open
      title={title}
      ok={ok}
      width={420}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void sending.submit(missing)}
      onClose={onClose}
    >
      <p className={styles['hint']}>{hint}</p>
      <Proof {...proof} />
    </FormDialog>
  );
};

/** The dialog that creates a new secret for a webhook. */
export const RotateDialog = ({
  webhook,
  onMade,
  onClose,
}: {
  webhook: Webhook;
  onMade: (made: WithSecret) => void;
  onClose: () => void;
}) => {
  const say = useWebhookWords();
  return (
    <ProvedDialog
      title={say('rotate')}
      ok={say('rotate')}
      hint={say('rotate_hint')}
      send={async (proved) => onMade(await call(renewWebhookSecret, { id: webhook.id, ...proved }))}
      onClose={onClose}
    />
  );
};

/** The dialog that enables a disabled webhook without changing it. */
export const EnableDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const say = useWebhookWords();
  return (
    <ProvedDialog
      title={say('enable_title', { name: webhook.name })}
      ok={say('enable')}
      hint={say('enable_hint')}
      send={async (proved) => {
        await call(setWebhookStatus, { id: webhook.id, status: 'live', ...proved });
        onClose();
      }}
      onClose={onClose}
    />
  );
};

/**
 * Shows the secret of a webhook, which is shown only this once. Closing the dialog needs a
 * confirming button.
 */
export const SecretDialog = ({ made, onClose }: { made: WithSecret; onClose: () => void }) => {
  const say = useWebhookWords();
  return (
    <Modal
      open
      centered
      width={600}
      title={say('secret_title', { name: made.webhook.name })}
      footer={
        <Button type="primary" onClick={onClose}>
          {say('saved')}
        </Button>
      }
    >
      <p className={`${primitives['row']} ${styles['key']}`}>
        <code>{made.secret}</code>
        <CopyButton text={made.secret} label={say('copy')} />
      </p>
      <p className={styles['hint']}>{say('secret_hint')}</p>
    </Modal>
  );
};
