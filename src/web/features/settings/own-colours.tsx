import type { UseFormReturnType } from '@mantine/form';
import type { Appearance } from '../../../contract/appearance.ts';
import { t } from '../../messages/t.ts';
import { ColourField } from './colour-field.tsx';
import style from './skins.module.css';

const schemes = ['light', 'dark'] as const;
const parts = ['background', 'bubble', 'text'] as const;

/** The colors one by one. Changing one of a preset makes it a custom skin. */
export function OwnColours({ form }: { form: UseFormReturnType<Appearance> }) {
  const { values, errors } = form;
  const change = (path: string) => (value: string) => {
    form.setFieldValue('skin', 'own');
    form.setFieldValue(path, value);
  };
  const errorAt = (path: string) => {
    const error = errors[path];
    return typeof error === 'string' ? error : undefined;
  };
  return (
    <fieldset className={`${style['group']} ${style['section']}`}>
      <legend className={style['heading']}>{t('looks.colours')}</legend>
      <p className={style['hint']}>{t('looks.coloursLead')}</p>
      <ColourField
        label={t('looks.accent')}
        description={t('looks.accentHint')}
        value={values.accent}
        error={errorAt('accent')}
        onChange={change('accent')}
      />
      <div className={style['palettes']}>
        {schemes.map((scheme) => (
          <fieldset key={scheme} className={style['group']}>
            <legend className={style['subheading']}>{t(`looks.${scheme}`)}</legend>
            {parts.map((part) => (
              <ColourField
                key={part}
                label={t(`looks.${part}`)}
                name={t('looks.colourIn', { name: t(`looks.${part}`), scheme: t(`looks.${scheme}`) })}
                value={values[scheme][part]}
                error={errorAt(`${scheme}.${part}`)}
                onChange={change(`${scheme}.${part}`)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
