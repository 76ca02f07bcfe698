import { Input, NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from 'react';
import { Appearance } from '../../../contract/appearance.ts';
import { fonts } from '../../../contract/skins.ts';
import { t } from '../../messages/t.ts';
import style from './skins.module.css';

const { scheme, position } = Appearance.shape;
const RADIUS_MAX = 24;

/** Everything besides colors: typeface, corners, light or dark, and the widget's position. */
export function ShapeFields({ form }: { form: UseFormReturnType<Appearance> }) {
  const radiusId = useId();
  const { radius } = form.values;
  return (
    <fieldset className={`${style['group']} ${style['section']}`}>
      <legend className={style['heading']}>{t('looks.shape')}</legend>
      <NativeSelect
        label={t('looks.font')}
        data={fonts.map((value) => ({ value, label: t(`looks.font-${value}`) }))}
        {...form.getInputProps('font')}
      />
      <Input.Wrapper id={radiusId} label={t('looks.radius')}>
        <div className={style['range']}>
          <input
            id={radiusId}
            type="range"
            min={0}
            max={RADIUS_MAX}
            value={radius}
            aria-valuetext={t('looks.radiusOf', { pixels: radius })}
            onChange={({ currentTarget }) => form.setFieldValue('radius', currentTarget.valueAsNumber)}
          />
          <output htmlFor={radiusId}>{t('looks.radiusOf', { pixels: radius })}</output>
        </div>
      </Input.Wrapper>
      <NativeSelect
        label={t('looks.scheme')}
        data={scheme.unwrap().options.map((value) => ({ value, label: t(`looks.scheme-${value}`) }))}
        {...form.getInputProps('scheme')}
      />
      <NativeSelect
        label={t('looks.position')}
        description={t('looks.positionHint')}
        data={position.unwrap().options.map((value) => ({ value, label: t(`looks.position-${value}`) }))}
        {...form.getInputProps('position')}
      />
    </fieldset>
  );
}
