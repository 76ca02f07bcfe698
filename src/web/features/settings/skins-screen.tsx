import { useState } from 'react';
import { Appearance, worn } from '../../../contract/appearance.ts';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { contrastWarnings } from './contrast-warnings.ts';
import { LogoField } from './logo-field.tsx';
import { OwnColours } from './own-colours.tsx';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import { ShapeFields } from './shape-fields.tsx';
import { SkinGallery } from './skin-gallery.tsx';
import { SkinPreview } from './skin-preview.tsx';
import style from './skins.module.css';
import { useSaveAgent } from './use-save-agent.ts';

/** The agent's look, beside a preview. */
export function SkinsScreen() {
  return <WithAgent>{(agent) => <Skins agent={agent} />}</WithAgent>;
}

function Skins({ agent }: { agent: Chatbot }) {
  const form = useAppearanceForm(agent.appearance);
  const appearance = useLastValid(form.values);
  const [begun] = useState(agent.appearance);
  const save = useSaveAgent({
    seen: () => ({ appearance: begun }),
    onRefused: (error) => showFieldErrors(form, error),
  });
  const submit = form.onSubmit((values) =>
    save.mutate({ appearance: values }, { onSuccess: () => form.resetDirty(values) }),
  );
  return (
    <div className={style['screen']}>
      <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
        <SkinGallery appearance={appearance} onChoose={(changes) => form.setValues(changes)} />
        <OwnColours form={form} />
        <Warnings appearance={appearance} />
        <ShapeFields form={form} />
        <LogoField
          agentId={agent.id}
          logo={form.values.logo}
          onChange={(logo) => form.setFieldValue('logo', logo)}
        />
      </SettingsForm>
      <SkinPreview agent={agent} appearance={appearance} />
    </div>
  );
}

function useAppearanceForm(appearance: Appearance) {
  return useValidForm<Appearance>({
    initial: worn(appearance),
    schema: Appearance,
    labels: {
      skin: t('looks.presets'),
      accent: t('looks.accent'),
      light: t('looks.light'),
      dark: t('looks.dark'),
      font: t('looks.font'),
      logo: t('looks.logo'),
      scheme: t('looks.scheme'),
      radius: t('looks.radius'),
      position: t('looks.position'),
    },
  });
}

/** The preview stays unchanged while a color is being typed. */
function useLastValid(values: Appearance): Appearance {
  const [last, setLast] = useState(values);
  const valid = Appearance.safeParse(values).success;
  if (valid && last !== values) setLast(values);
  return valid ? values : last;
}

/** Nothing is forbidden: a choice's effect on readers is pointed out. */
function Warnings({ appearance }: { appearance: Appearance }) {
  const warnings = contrastWarnings(appearance);
  return (
    <div className={style['warnings']} role="status">
      {warnings.map(({ what, scheme, ratio }) => (
        <p key={what + scheme}>
          {t(`looks.contrast-${what}-${scheme}`, { ratio: formatNumber(Math.floor(ratio * 10) / 10) })}
        </p>
      ))}
    </div>
  );
}
