import type { EnglishTextsOf } from '#locales/texts.ts';
import type { settings as zh } from '#locales/zh-CN/settings.ts';

export const settings = {
  intro: 'These values apply to the whole network. Every change is recorded in the audit log.',
  edit: 'Edit',
  edit_of: 'Edit “{name}”',
  default: 'Default',
  changed: 'Changed by {username}, {at}',
  changed_unknown: 'Changed {at}',
  saved: 'Saved',
  raise_hint:
    'A higher limit takes effect after 24 hours, or at once when another administrator confirms it. A lower one takes effect at once.',
  shorten_hint:
    'Fewer days take effect after 24 hours, or at once when another administrator confirms them. More days take effect at once.',
  raise_submitted: 'Submitted; takes effect {at}, or when a second person confirms it',
  raise_waits: 'Will be raised to {amount} at {at} (by {username})',
  shorten_waits: 'Will be cut to {amount} days at {at} (by {username})',
  confirm: 'Apply now',
  cancel: 'Withdraw',
  confirmed: 'Applied',
  cancelled: 'Withdrawn',
  range: '{min} to {max}',
  time_invalid: 'Enter a time such as 02:30',
  unit: { hours: 'hours', minutes: 'minutes' },
  hours: '{value} h',
  minutes: '{value} min',
  none: 'None',
} satisfies EnglishTextsOf<typeof zh>;
