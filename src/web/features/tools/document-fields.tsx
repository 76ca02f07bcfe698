import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from 'react';
import { formatBytes } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { documentWays, type DocumentValues } from './document-values.ts';
import style from './tools.module.css';

/** The part of a form these fields need. */
type DocumentForm = Pick<
  UseFormReturnType<DocumentValues>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue'
>;

/** An OpenAPI document: its address, a file, or its text. */
export function DocumentFields({ form }: { form: DocumentForm }) {
  const { way } = form.values;
  return (
    <div className={style['fields']}>
      <SegmentedControl
        aria-label={t('tools.documentWay')}
        data={documentWays.map((value) => ({ value, label: t(`tools.way.${value}`) }))}
        value={way}
        onChange={(value) => form.setFieldValue('way', value)}
      />
      {way === 'url' && (
        <TextInput
          type="url"
          inputMode="url"
          spellCheck={false}
          label={t('tools.documentUrl')}
          description={t('tools.documentUrlHint')}
          placeholder="https://api.example.com/openapi.json"
          {...form.getInputProps('url')}
        />
      )}
      {way === 'file' && <FileField form={form} />}
      {way === 'text' && (
        <Textarea
          label={t('tools.documentText')}
          description={t('tools.documentTextHint')}
          classNames={{ input: style['code'] ?? '' }}
          spellCheck={false}
          autosize
          minRows={8}
          maxRows={20}
          {...form.getInputProps('text')}
        />
      )}
    </div>
  );
}

function FileField({ form }: { form: DocumentForm }) {
  const id = useId();
  const { file } = form.values;
  const error = form.errors['file'];
  const read = async (chosen: File | null) => {
    if (chosen) form.setFieldValue('file', { name: chosen.name, text: await chosen.text() });
  };
  return (
    <div className={style['file']} role="group" aria-labelledby={id}>
      <span id={id} className={style['label']}>
        {t('tools.documentFile')}
      </span>
      <FileButton
        accept=".json,.yaml,.yml,application/json,application/yaml"
        onChange={(chosen) => void read(chosen)}
      >
        {(props) => (
          <Button variant="default" {...props}>
            {t('tools.chooseFile')}
          </Button>
        )}
      </FileButton>
      <span className={style['soft']} role="status">
        {file
          ? t('tools.documentFileChosen', { name: file.name, size: formatBytes(file.text.length) })
          : t('tools.documentFileNone')}
      </span>
      {error && (
        <p className={style['fault']} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
