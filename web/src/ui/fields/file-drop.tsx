import { InboxOutlined } from '@ant-design/icons-svg';
import { useId, useRef, useState } from 'react';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { sizeText } from '#ui/values/file-size.ts';
import styles from './file-drop.module.css';

interface Props {
  file: File | null;
  /** The accepted endings of file names, separated by commas. */
  accept: string;
  /** The text about the kinds of files that can be dropped. */
  hint: string;
  error: string | undefined;
  onFile: (file: File) => void;
}

/** A field for a file, which is dropped there or chosen in a dialog. */
export const FileDrop = ({ file, accept, hint, error, onFile }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const first = files?.[0];
    if (first) onFile(first);
  };
  return (
    // Only the mouse can drop files. By keyboard, the button inside does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles['drop']}
      data-over={over || undefined}
      data-bad={error !== undefined || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon of={InboxOutlined} className={styles['inbox']} />
      {file && (
        <strong>
          {t('common.file_size', { name: file.name, size: sizeText(file.size, format) })}
        </strong>
      )}
      <p>
        {!file && t('common.drop')}{' '}
        <Button size="small" aria-describedby={id} onClick={() => input.current?.click()}>
          {t(file ? 'common.choose_another' : 'common.choose_file')}
        </Button>
      </p>
      <input
        ref={input}
        type="file"
        name="file"
        accept={accept}
        hidden
        aria-label={t('common.choose_file')}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <p
        id={id}
        className={error === undefined ? styles['quiet'] : styles['wrong']}
        role={error === undefined ? undefined : 'alert'}
      >
        {error ?? hint}
      </p>
    </div>
  );
};
