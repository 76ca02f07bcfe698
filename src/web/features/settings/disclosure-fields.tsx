import { NativeSelect, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Disclosure } from '../../../contract/disclosure.ts';
import { disclosureTexts } from '../../../contract/disclosure-texts.ts';
import { DISCLOSURE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { languageChoices } from './languages.ts';

interface DisclosureFieldsProps {
  value: Disclosure;
  /** The agent's; empty: that of the question. */
  language: string;
  onChange: (value: Disclosure) => void;
}

/** Whether people are told that they are talking with an AI, and the text in each language. */
export function DisclosureFields({ value, language, onChange }: DisclosureFieldsProps) {
  const [shown, setShown] = useState(language || 'en');
  const write = (text: string) => {
    const { [shown]: _, ...others } = value.texts;
    onChange({ ...value, texts: text.trim() === '' ? others : { ...others, [shown]: text } });
  };
  return (
    <>
      <Switch
        label={t('settings.disclosure')}
        description={t('settings.disclosureHint')}
        checked={value.isOn}
        onChange={({ currentTarget: { checked } }) => onChange({ ...value, isOn: checked })}
      />
      {value.isOn && (
        <>
          <NativeSelect
            label={t('settings.disclosureLanguage')}
            data={languageChoices(shown)}
            value={shown}
            onChange={({ currentTarget }) => setShown(currentTarget.value)}
          />
          <Textarea
            label={t('settings.disclosureText')}
            description={t('settings.disclosureTextHint')}
            placeholder={disclosureTexts[shown] ?? disclosureTexts['en']}
            maxLength={DISCLOSURE_MAX_CHARACTERS}
            autosize
            minRows={2}
            value={value.texts[shown] ?? ''}
            onChange={({ currentTarget }) => write(currentTarget.value)}
          />
        </>
      )}
    </>
  );
}
