import { ArrowLeftOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import {
  checkVoucher,
  getVoucher,
  getVoucherVersion,
  voucherUses,
} from '@waystation/contract/money/voucher.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { wholeRate } from '@waystation/contract/money/money.ts';
import type { RegionKey } from '@waystation/contract/parcels/regions.ts';
import { regions } from '@waystation/contract/parcels/regions.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { useTabDetail } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { DiscountField, NumberField } from '#ui/fields/number-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import { Checks } from './checks.tsx';
import styles from './editor.module.css';
import { columnsOf, emptyGrid } from './grid.ts';
import type { Grid } from './grid.ts';
import { changesFrom, gridOf } from './grid-content.ts';
import { copyAll, copyRange, paste, provinceNamed } from './grid-paste.ts';
import type { Doubt } from './grid-paste.ts';
import { single } from './grid-keys.ts';
import type { Place } from './grid-keys.ts';
import { GridTools } from './grid-tools.tsx';
import { useFindingWords } from './finding-words.ts';
import { ImpactPanel } from './impact-panel.tsx';
import { PriceGrid } from './price-grid.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { SendersBar } from './senders-bar.tsx';
import { SheetTools } from './sheet-tools.tsx';
import { remarkOf } from './template.ts';
import type { Remark } from './template.ts';
import { Tester } from './tester.tsx';
import { useTemplate } from './use-template.ts';
import type { Editing } from './use-template.ts';
import { VersionsPanel } from './versions-panel.tsx';
import { useAreaName, useHeadWords, useHeads, useRateWords } from './words.ts';

const none = '';

/**
 * The server's warnings about the draft. For example, one reports a price that is below the cost.
 */
const useRemarks = (voucher: Voucher, { template, read }: Editing): Remark[] => {
  const settled = useSettled(
    JSON.stringify(
      read.state.weight.origins.length > 0 ? { id: voucher.id, draft: read.state } : null,
    ),
    900,
  );
  const { data } = useCall(checkVoucher, JSON.parse(settled), {
    keep: true,
    quiet: true,
    staleTime: 60_000,
  });
  const costly = (data?.findings ?? [])
    .filter(({ code }) => code === 'below_cost')
    .map((found) => remarkOf(found, template, read.contents, read.used));
  return [...read.remarks, ...costly];
};

/**
 * For each region, the number of parcels in the last 30 days that were priced with its row. It is
 * requested separately, so that the template is shown without waiting for it.
 */
const useUses = (id: number): ReadonlyMap<string, number> | null => {
  const { data } = useCall(voucherUses, { id }, { quiet: true, staleTime: 60_000 });
  return data ? new Map(data.areas.map(({ area, parcels }) => [area, parcels])) : null;
};

/**
 * The price list that was last published for the displayed senders. The editor marks the
 * differences from it.
 */
const usePublished = (voucher: Voucher, provinces: readonly string[]): Grid | null => {
  const { data } = useCall(
    getVoucherVersion,
    voucher.latest_no === null ? null : { id: voucher.id, no: voucher.latest_no },
    {
      quiet: true,
      staleTime: 60_000,
    },
  );
  if (!data) return null;
  const key = [...provinces].join();
  const origin = data.weight.origins.find((one) => one.provinces.join() === key);
  return origin ? gridOf(origin) : emptyGrid();
};

const useFindMarks = (remarks: readonly Remark[], at: number) => {
  const words = useFindingWords();
  const findings = new Map<string, { severity: 'error' | 'warning'; words: string }>();
  for (const remark of remarks) {
    if (remark.sender !== at) continue;
    const key = `${remark.row}-${remark.column}`;
    const before = findings.get(key);
    if (before?.severity !== 'error')
      findings.set(key, { severity: remark.severity, words: words(remark) });
  }
  return findings;
};

/**
 * Shows the template's rates and divisor, and the provinces to which the north-east rate applies.
 */
const Terms = ({ editing, northeast }: { editing: Editing; northeast: readonly string[] }) => {
  const { t, language } = useTexts();
  const rate = useRateWords();
  const { template, change } = editing;
  const own = template.northeast_discount;
  const names = northeast.map((code) => provinceName(code, language)).join(t('vouchers.and'));
  const northeastWords =
    own === null || Number.isNaN(own)
      ? t('vouchers.northeast_same', { names })
      : own === wholeRate
        ? t('vouchers.northeast_whole', { names })
        : t('vouchers.northeast_words', { names, rate: rate(own) });
  return (
    <div className={styles['terms']}>
      <DiscountField
        label={t('vouchers.discount')}
        name="discount"
        value={template.discount}
        onChange={(discount) => change({ ...template, discount })}
        hint={t('vouchers.discount_hint')}
      />
      <DiscountField
        label={t('vouchers.northeast_discount')}
        value={template.northeast_discount}
        onChange={(northeast_discount) => change({ ...template, northeast_discount })}
        hint={t('vouchers.northeast_hint')}
      />
      <NumberField
        label={t('vouchers.divisor')}
        value={template.divisor}
        suffix="cm³/kg"
        onChange={(divisor) => change({ ...template, divisor })}
        hint={t('vouchers.divisor_hint')}
      />
      <p className={styles['quiet']}>{northeastWords}</p>
    </div>
  );
};

/**
 * If a pasted value looks like a price but would fill a weight column, asks the user whether it is
 * really a weight.
 */
const useWeightQuestion = () => {
  const { t } = useTexts();
  const headOf = useHeadWords();
  return ({ brackets }: Grid, { column, text }: Doubt): Promise<boolean> => {
    const shape = columnsOf(brackets)[column];
    return confirmed({
      title: t('vouchers.paste_weight'),
      content: t('vouchers.paste_weight_hint', { text, column: shape ? headOf(shape) : none }),
      ok: t('vouchers.paste_weight_ok'),
    });
  };
};

const useGridWork = (voucher: Voucher, editing: Editing) => {
  const { t } = useTexts();
  const areaName = useAreaName();
  const [at, setAt] = useState(0);
  const [place, setPlace] = useState<Place>(single(0, 1));
  const [folded, setFolded] = useState<ReadonlySet<RegionKey>>(new Set());
  const { template, change } = editing;
  const here = Math.min(at, template.senders.length - 1);
  const { grid, provinces } = template.senders[here]!;
  const heads = useHeads(grid.brackets);
  const isWeight = useWeightQuestion();
  const onGrid = (next: Grid): void => {
    if (next !== grid)
      change({ ...template, senders: template.senders.with(here, { provinces, grid: next }) });
  };
  const onPaste = async (text: string, from: Place): Promise<void> => {
    const cities = new Map(grid.rows.map(({ area }) => [areaName(area), area]));
    const pasted = paste(
      grid,
      from,
      text,
      (name) => cities.get(name.replace(/市$/, none)) ?? provinceNamed(name),
    );
    const [doubt] = pasted.doubts;
    if (doubt && !(await isWeight(pasted.grid, doubt))) return;
    onGrid(pasted.grid);
    if (pasted.unknown.length > 0)
      notify.warning(
        t('vouchers.pasted_unknown', {
          count: pasted.written,
          names: pasted.unknown.slice(0, 5).join(t('vouchers.and')),
        }),
      );
    else notify.success(t('vouchers.pasted', { count: pasted.written }));
  };
  const onCopyAll = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(
        copyAll(grid, {
          areaName,
          heads,
          area: t('vouchers.region'),
          closed: t('vouchers.not_served'),
        }),
      );
      notify.success(t('vouchers.copied_all'));
    } catch {
      notify.warning(t('shell.copy_failed'));
    }
  };
  const unfold = (row: number): void => {
    const region = regions.find((one) =>
      (one.provinces as readonly string[]).includes(provinceOf(grid.rows[row]?.area ?? none)),
    );
    if (region && folded.has(region.key))
      setFolded(new Set([...folded].filter((key) => key !== region.key)));
  };
  const jump = ({ sender, row, column }: Remark): void => {
    if (sender !== null) setAt(sender);
    unfold(row);
    setPlace(
      single(
        row,
        Math.min(column, columnsOf(template.senders[sender ?? here]!.grid.brackets).length - 1),
      ),
    );
    // Waits until the grid has rendered the cell, because the focus cannot move to it before.
    setTimeout(() => {
      const cell = document.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`);
      cell?.scrollIntoView({ block: 'center', inline: 'nearest' });
      cell?.focus({ preventScroll: true });
    }, 60);
  };
  const onFold = (region: RegionKey): void =>
    setFolded((now) =>
      now.has(region)
        ? new Set([...now].filter((key) => key !== region))
        : new Set(now).add(region),
    );
  const published = usePublished(voucher, provinces);
  return {
    at: here,
    setAt,
    place,
    setPlace,
    folded,
    onFold,
    grid,
    heads,
    onGrid,
    onPaste,
    onCopyAll,
    jump,
    areaName,
    published,
  };
};

const Head = ({
  voucher,
  editing,
  errors,
  onClose,
  onShow,
}: {
  voucher: Voucher;
  editing: Editing;
  errors: number;
  onClose: () => void;
  onShow: (what: Showing) => void;
}) => {
  const { t } = useTexts();
  const { dirty, busy, read, save } = editing;
  const state = dirty
    ? t('vouchers.unsaved')
    : voucher.latest_no === null
      ? t('vouchers.never_published')
      : voucher.changed === 1
        ? t('vouchers.changed_since', { no: voucher.latest_no })
        : t('vouchers.as_published', { no: voucher.latest_no });
  const publish = async (): Promise<void> => {
    if (await save()) onShow('publish');
  };
  return (
    <header className={`${primitives['pageHead']} ${styles['head']}`}>
      <Button
        type="text"
        icon={<Icon of={ArrowLeftOutlined} />}
        aria-label={t('vouchers.back')}
        title={t('vouchers.back')}
        onClick={onClose}
      />
      <h1>{voucher.name}</h1>
      <span className={styles['tag']} data-tone={dirty ? 'warn' : undefined}>
        {state}
      </span>
      <span className={styles['quiet']}>{voucher.promise_name}</span>
      <span className={`${primitives['buttons']} ${styles['buttons']}`}>
        <Button onClick={() => onShow('versions')}>{t('vouchers.versions')}</Button>
        <Button onClick={() => onShow('impact')}>{t('vouchers.impact.title')}</Button>
        {dirty && <Button onClick={editing.revert}>{t('vouchers.revert')}</Button>}
        <Button
          disabled={!dirty || !read.whole}
          loading={busy}
          title={read.whole ? 'Ctrl+S' : t('vouchers.not_whole')}
          onClick={() => void save().then((done) => done && notify.success(t('vouchers.saved')))}
        >
          {t('vouchers.save_draft')}
        </Button>
        <Button
          type="primary"
          disabled={
            errors > 0 ||
            read.state.weight.origins.length === 0 ||
            (!dirty && voucher.changed === 0)
          }
          title={errors > 0 ? t('vouchers.errors_first', { count: errors }) : undefined}
          onClick={() => void publish()}
        >
          {t('vouchers.publish')}
        </Button>
      </span>
    </header>
  );
};

type Showing = 'versions' | 'impact' | 'publish' | null;

const Opened = ({ voucher, onClose }: { voucher: Voucher; onClose: () => void }) => {
  const { t } = useTexts();
  useTabDetail(voucher.name);
  const editing = useTemplate(voucher);
  const work = useGridWork(voucher, editing);
  const remarks = useRemarks(voucher, editing);
  const findings = useFindMarks(remarks, work.at);
  const uses = useUses(voucher.id);
  const [showing, setShowing] = useState<Showing>(null);
  const { template, read, change } = editing;
  const { grid, place, published } = work;
  const changed = published ? changesFrom(published) : () => false;
  const errors = remarks.filter(({ severity }) => severity === 'error').length;
  useShortcuts([
    { keys: 'mod+s', label: t('vouchers.save_draft'), run: () => void editing.save() },
  ]);
  const leave = async (): Promise<void> => {
    const agreed =
      !editing.dirty ||
      (await confirmed({
        title: t('vouchers.leave'),
        content: t('vouchers.leave_hint'),
        ok: t('vouchers.leave_ok'),
      }));
    if (agreed) onClose();
  };
  return (
    <section className={styles['page']}>
      <Head
        voucher={voucher}
        editing={editing}
        errors={errors}
        onClose={() => void leave()}
        onShow={setShowing}
      />
      <div className={styles['body']}>
        <div className={styles['main']}>
          <Terms editing={editing} northeast={voucher.northeast} />
          <SendersBar
            senders={template.senders}
            at={work.at}
            onAt={work.setAt}
            onChange={(senders, to) => {
              change({ ...template, senders });
              work.setAt(to);
            }}
          />
          <GridTools
            grid={grid}
            place={place}
            onChange={work.onGrid}
            onUndo={editing.undo}
            onRedo={editing.redo}
            onCopyAll={() => void work.onCopyAll()}
          >
            <SheetTools voucher={voucher} editing={editing} at={work.at} />
          </GridTools>
          <PriceGrid
            grid={grid}
            label={t('vouchers.grid', { name: voucher.name })}
            heads={work.heads}
            marks={{
              changed: (row, column) => changed(row, column, grid.brackets),
              findings,
              uses,
            }}
            areaName={work.areaName}
            place={place}
            onPlace={work.setPlace}
            onChange={work.onGrid}
            clipboard={{
              copy: (range) => copyRange(grid, range, t('vouchers.not_served')),
              paste: (text, from) => void work.onPaste(text, from),
            }}
            history={{ undo: () => editing.undo?.(), redo: () => editing.redo?.() }}
            folded={work.folded}
            onFold={work.onFold}
          />
          <p className={styles['quiet']}>{t('vouchers.keys_hint')}</p>
          <Checks
            remarks={remarks}
            rowName={({ sender, row, code }) =>
              sender === null || code === 'region_uncovered'
                ? none
                : work.areaName(template.senders[sender]?.grid.rows[row]?.area ?? none)
            }
            onJump={work.jump}
          />
        </div>
        <Tester id={voucher.id} state={read.state} />
      </div>
      <Drawer
        open={showing === 'versions'}
        title={t('vouchers.versions')}
        size={720}
        onClose={() => setShowing(null)}
      >
        <VersionsPanel voucher={voucher} />
      </Drawer>
      <Drawer
        open={showing === 'impact'}
        title={t('vouchers.impact.title')}
        size={720}
        onClose={() => setShowing(null)}
      >
        <ImpactPanel id={voucher.id} empty={voucher.zones === 0} unsaved={editing.dirty} />
      </Drawer>
      {showing === 'publish' && (
        <PublishDialog
          voucher={voucher}
          version={editing.version}
          warnings={remarks.length - errors}
          onClose={() => setShowing(null)}
        />
      )}
    </section>
  );
};

/** The editor of a template: its price grid, its calculator, its problems, and publishing. */
export const VoucherEditor = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(getVoucher, { id }, { staleTime: 0 });
  if (!data)
    return (
      <section className={styles['page']}>
        <header className={`${primitives['pageHead']} ${styles['head']}`}>
          <Button
            type="text"
            icon={<Icon of={ArrowLeftOutlined} />}
            aria-label={t('vouchers.back')}
            onClick={onClose}
          />
          <h1>{t('menu.vouchers')}</h1>
        </header>
        {error ? (
          <ErrorPanel error={error} onRetry={refetch} />
        ) : (
          <p aria-busy>{t('shell.loading')}</p>
        )}
      </section>
    );
  return <Opened key={id} voucher={data} onClose={onClose} />;
};
