import { useEffect, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { importMarks } from '@waystation/contract/imports/import.ts';
import type { ImportField, ImportProblem, ImportRow } from '@waystation/contract/imports/import.ts';
import { announce } from '#base/announce.ts';
import { beginningOf, pressedKey } from '#base/pressed-key.ts';
import { useTexts } from '#base/texts.ts';
import type { RowEdits } from './use-row-edits.ts';
import type { Steps } from './use-steps.ts';

export const rowHeight = 36;
const headHeight = 36;

/** The cell to which key presses apply. */
export interface Cell {
  no: number;
  field: ImportField;
}

export interface GridState {
  box: RefObject<HTMLElement | null>;
  marks: string;
  /**
   * True if the states of the rows are loaded and belong to the version of the import that is
   * displayed.
   */
  isRead: boolean;
  /** The numbers of the visible rows, in the order of the file. */
  numbers: readonly number[];
  fields: readonly ImportField[];
  rows: ReadonlyMap<number, ImportRow>;
  at: Cell;
  setAt: (at: Cell) => void;
  edits: RowEdits;
  steps: Steps;
}

const nextError = (marks: string, after: number, step: 1 | -1): number | null => {
  for (let seen = 0, at = after - 1 + step; seen < marks.length; seen++, at += step) {
    const place = (at + marks.length) % marks.length;
    if (marks[place] === importMarks.error) return place + 1;
  }
  return null;
};

const wrongField = (row: ImportRow): ImportField | null =>
  row.problems.find(({ level, field }) => level === 'error' && field !== null)?.field ?? null;

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The functions that move the selection, for the keys that move it in the grid. */
export const useGridMoves = ({
  box,
  marks,
  numbers,
  fields,
  rows,
  at,
  setAt,
}: Omit<GridState, 'edits' | 'steps' | 'isRead'>) => {
  const { t } = useTexts();
  /**
   * The number of the row to which the user jumped if the row is not loaded yet. After it is
   * loaded, its first error is selected. Null if there is no such row.
   */
  const [sought, setSought] = useState<number | null>(null);
  const found = sought === null ? undefined : rows.get(sought);
  useEffect(() => {
    if (found === undefined) return;
    setSought(null);
    const field = wrongField(found);
    if (at.no === found.no && field !== null) setAt({ no: found.no, field });
  }, [found, at.no, setAt]);
  const reveal = (no: number): void => {
    const index = numbers.indexOf(no);
    const element = box.current;
    if (index < 0 || !element) return;
    const top = index * rowHeight;
    const beyond = top + rowHeight + headHeight - element.clientHeight;
    if (top < element.scrollTop) element.scrollTo({ top });
    else if (beyond > element.scrollTop) element.scrollTo({ top: beyond });
  };
  const go = (no: number, field: ImportField = at.field): void => {
    setAt({ no, field });
    reveal(no);
  };
  return {
    go,
    isSeeking: sought !== null,
    move: (down: number, right = 0): void => {
      const no = numbers[clamp(Math.max(0, numbers.indexOf(at.no)) + down, numbers.length - 1)];
      const field = fields[clamp(fields.indexOf(at.field) + right, fields.length - 1)];
      if (no !== undefined && field !== undefined) go(no, field);
    },
    toError: (step: 1 | -1): void => {
      const no = nextError(marks, at.no, step);
      if (no === null) return announce(t('imports.grid.no_error'));
      const row = rows.get(no);
      setSought(row === undefined ? no : null);
      go(no, (row && wrongField(row)) ?? at.field);
    },
  };
};

type Moves = ReturnType<typeof useGridMoves>;

const keysOf = (
  { numbers, edits }: GridState,
  { move, toError }: Moves,
  back: boolean,
): Readonly<Record<string, () => void>> => ({
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  ArrowLeft: () => move(0, -1),
  ArrowRight: () => move(0, 1),
  PageDown: () => move(15),
  PageUp: () => move(-15),
  Home: () => move(-numbers.length),
  End: () => move(numbers.length),
  Enter: () => edits.begin(null),
  F2: () => edits.begin(null),
  F8: () => toError(back ? -1 : 1),
});

/**
 * The problem whose suggestions are offered at a field. It is the first problem with suggestions:
 * of this field if the field has problems, or else of the row.
 */
export const fixableAt = (
  problems: readonly ImportProblem[],
  field: ImportField,
): ImportProblem | undefined => {
  const own = problems.filter((problem) => problem.field === field);
  return (own.length > 0 ? own : problems).find(({ fixes }) => fixes !== undefined);
};

/** Applies one of the suggestions to the row. `place` is the index of the suggestion. */
const takeFix = ({ rows, at, edits }: GridState, place: number): void => {
  const row = rows.get(at.no);
  const problem = row && fixableAt(row.problems, at.field);
  const text = problem?.fixes?.[place];
  if (row && problem?.field && text !== undefined) void edits.save(row, problem.field, text);
};

const copyAbove = ({ numbers, rows, at, edits }: GridState): void => {
  const row = rows.get(at.no);
  const above = numbers[numbers.indexOf(at.no) - 1];
  const text = above === undefined ? undefined : rows.get(above)?.values[at.field];
  if (row && text !== undefined) void edits.save(row, at.field, text);
};

/** Excludes the row from the order, or includes it again. */
const leaveOut = ({ rows, at, edits }: GridState): void => {
  const row = rows.get(at.no);
  if (row && row.mark !== 'ordered' && row.mark !== 'waiting') void edits.exclude(row);
};

/** The actions of keys with Ctrl or Command. The browser handles all keys that are not listed. */
const commandsOf = (state: GridState, shift: boolean): Readonly<Record<string, () => void>> => ({
  KeyD: () => copyAbove(state),
  Delete: () => leaveOut(state),
  Backspace: () => leaveOut(state),
  KeyZ: shift ? state.steps.redo : state.steps.undo,
  KeyY: state.steps.redo,
});

/** A key that was pressed in the grid. */
interface Press {
  key: string;
  code: string;
  /** True if Ctrl or Command is held down with the key. */
  command: boolean;
  alt: boolean;
  shift: boolean;
  /** The character of a key that starts editing; null for other keys. */
  text: string | null;
}

const pressOf = (event: KeyboardEvent): Press => {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event;
  const control = ctrlKey || metaKey;
  return {
    key: pressedKey(event),
    code,
    command: control && !altKey,
    alt: altKey,
    shift: shiftKey,
    text: !control && !altKey ? beginningOf(event) : null,
  };
};

/** The key press F8, which the button “next error” simulates. */
const nextErrorPress: Press = {
  key: 'F8',
  code: 'F8',
  command: false,
  alt: false,
  shift: false,
  text: null,
};

/**
 * The action of a key in the grid. A key with a character begins an edit. If the key has no action,
 * returns undefined, and the browser handles the key.
 */
const actionOf = (
  state: GridState,
  moves: Moves,
  { key, code, command, alt, shift, text }: Press,
): (() => void) | undefined => {
  const digit = /^Digit([1-8])$/.exec(code)?.[1];
  if (alt) return digit === undefined ? undefined : () => takeFix(state, Number(digit) - 1);
  if (command) return commandsOf(state, shift)[code];
  return text === null ? keysOf(state, moves, shift)[key] : () => state.edits.begin(text);
};

const moveKeys: ReadonlySet<string> = new Set([
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'PageDown',
  'PageUp',
  'Home',
  'End',
  'F8',
]);

/**
 * True if a key can act now. A key that moves the selection needs the states of the rows. Any other
 * key also needs the selected row to be loaded and no edit to be in progress.
 */
const isReady = (
  { isRead, rows, at, edits }: GridState,
  { isSeeking }: Moves,
  { key, command }: Press,
): boolean =>
  isRead && ((!command && moveKeys.has(key)) || (!isSeeking && !edits.busy && rows.has(at.no)));

/** The maximum number of keys that can wait; further keys are ignored. */
const mostWaiting = 50;

const withPress = (waiting: readonly Press[], press: Press): readonly Press[] => {
  const last = waiting.at(-1);
  if (waiting.length === mostWaiting) return waiting;
  // Characters that are typed one after another start a single edit.
  if (last && last.text !== null && press.text !== null)
    return [...waiting.slice(0, -1), { ...last, text: last.text + press.text }];
  return [...waiting, press];
};

/**
 * Handles the keys of the grid. If a key press needs data that are not loaded yet, it waits, and so
 * do all later key presses. So none is lost, and none acts on the wrong row. The keys that other
 * lists have, such as r and n, do nothing here.
 */
export const useGridKeys = (state: GridState, moves: Moves) => {
  const [waiting, setWaiting] = useState<readonly Press[]>([]);
  const { editing, failure } = state.edits;
  const first = waiting[0];
  useEffect(() => {
    if (first === undefined) return;
    // While a cell is being edited, the editor receives the keys. After a refused edit, the waiting
    // keys are discarded.
    if (editing !== null || failure !== null) return setWaiting([]);
    if (!isReady(state, moves, first)) return;
    setWaiting((known) => known.slice(1));
    actionOf(state, moves, first)?.();
  }, [first, editing, failure, state, moves]);
  const press = (pressed: Press): void => {
    const run = actionOf(state, moves, pressed);
    if (first === undefined && isReady(state, moves, pressed)) run?.();
    else setWaiting((known) => withPress(known, pressed));
  };
  return {
    isWaiting: first !== undefined,
    toNextError: () => press(nextErrorPress),
    onKeyDown: (event: KeyboardEvent): void => {
      if (editing !== null || event.nativeEvent.isComposing) return;
      const pressed = pressOf(event);
      if (!actionOf(state, moves, pressed)) return;
      event.preventDefault();
      event.stopPropagation();
      press(pressed);
    },
  };
};
