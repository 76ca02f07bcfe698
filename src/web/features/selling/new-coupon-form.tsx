import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { coupon as calls, couponDurations } from '../../../contract/coupon.ts';
import { COUPON_CODE_MAX_CHARACTERS, COUPON_MONTHS_MAX, COUPON_USES_MAX } from '../../../contract/limits.ts';
import { focusFirst } from '../../forms/focus-first.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import style from './selling.module.css';
import { useCreateCoupon, type NewCoupon } from './use-coupons.ts';

/** As form values: unset fields are empty. */
interface Values extends Record<string, unknown> {
  code: string;
  percentOff: number | string;
  duration: (typeof couponDurations)[number];
  months: number | string;
  usesMax: number | string;
}

const schema = calls.create.input.omit({ organizationId: true });

function couponOf({ code, percentOff, duration, months, usesMax }: Values): NewCoupon {
  return {
    code: code.trim(),
    percentOff: Number(percentOff),
    duration,
    ...(duration === 'months' && { months: Number(months) }),
    ...(usesMax !== '' && { usesMax: Number(usesMax) }),
  };
}

const labelsOf = () => ({
  code: t('selling.couponCode'),
  percentOff: t('selling.couponPercent'),
  duration: t('selling.couponFor'),
  months: t('selling.couponMonths'),
  usesMax: t('selling.couponUsesMax'),
});

/** A code that takes a percentage off the price. */
export function NewCouponForm({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const form = useValidForm<Values>({
    initial: { code: '', percentOff: 20, duration: 'once', months: 3, usesMax: '' },
    schema: { safeParse: (values) => schema.safeParse(couponOf(values as Values)) },
    labels: labelsOf(),
  });
  const create = useCreateCoupon(orgId, {
    onDone: onClose,
    onRefused: (error) => showFieldErrors(form, error),
  });
  return (
    <form className={style['coupon']} onSubmit={form.onSubmit((values) => create.mutate(couponOf(values)))}>
      <Fields form={form} />
      <div className={style['couponActs']}>
        <Button type="submit" loading={create.isPending}>
          {t('selling.couponCreate')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
      </div>
    </form>
  );
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  const labels = labelsOf();
  const whole = { min: 1, allowDecimal: false };
  return (
    <>
      <TextInput
        ref={focusFirst}
        label={labels.code}
        description={t('selling.couponCodeHint')}
        maxLength={COUPON_CODE_MAX_CHARACTERS}
        {...form.getInputProps('code')}
      />
      <NumberInput {...whole} max={100} label={labels.percentOff} {...form.getInputProps('percentOff')} />
      <NativeSelect
        label={labels.duration}
        data={couponDurations.map((value) => ({ value, label: t(`selling.couponLasts.${value}`) }))}
        {...form.getInputProps('duration')}
      />
      {form.values.duration === 'months' && (
        <NumberInput
          {...whole}
          max={COUPON_MONTHS_MAX}
          label={labels.months}
          {...form.getInputProps('months')}
        />
      )}
      <NumberInput
        {...whole}
        max={COUPON_USES_MAX}
        label={labels.usesMax}
        description={t('selling.couponUsesHint')}
        {...form.getInputProps('usesMax')}
      />
    </>
  );
}
