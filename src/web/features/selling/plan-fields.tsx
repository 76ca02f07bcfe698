import {
  Checkbox,
  NativeSelect,
  NumberInput,
  Stack,
  Textarea,
  TextInput,
  type InputWrapperProps,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  ACCESS_DAYS_MAX,
  FEATURE_MAX_CHARACTERS,
  FEATURES_A_PRODUCT_MAX,
  PRODUCT_CREDITS_MAX,
  PRODUCT_DESCRIPTION_MAX_CHARACTERS,
  PRODUCT_NAME_MAX_CHARACTERS,
  PRODUCT_PRICE_MAX_MINOR_UNITS,
  PRODUCT_PRICE_MIN_MINOR_UNITS,
  TRIAL_DAYS_MAX,
} from '../../../contract/limits.ts';
import { currencies, priceIntervals, productKinds } from '../../../contract/product.ts';
import { digitsOf, formatMoney } from '../../chat/shop/price.ts';
import { ListField } from '../../forms/list-field.tsx';
import { t } from '../../messages/t.ts';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/section.tsx';
import type { PlanValues } from './plan-values.ts';
import style from './selling.module.css';

interface FieldsProps {
  form: UseFormReturnType<PlanValues>;
}

/** Aligns the fields of a row. */
const belowInput: NonNullable<InputWrapperProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];
const taxes = ['unspecified', 'inclusive', 'exclusive'] as const;

/** What is sold, and its price. */
export function PaymentFields({ form }: FieldsProps) {
  const { kind } = form.values;
  return (
    <Section title={t('selling.payment')}>
      <Stack gap="sm">
        <NativeSelect
          label={t('selling.kind')}
          data={productKinds.map((value) => ({ value, label: t(`selling.kind.${value}`) }))}
          {...form.getInputProps('kind')}
        />
        {kind !== 'free' && <AmountFields form={form} />}
        {kind === 'recurring' && <PeriodFields form={form} />}
        {kind === 'once' && (
          <NumberInput
            label={t('selling.accessDays')}
            description={t('selling.accessDaysHint')}
            min={1}
            max={ACCESS_DAYS_MAX}
            allowDecimal={false}
            {...form.getInputProps('accessDays')}
          />
        )}
        {kind !== 'free' && <PriceDetails form={form} />}
      </Stack>
    </Section>
  );
}

function AmountFields({ form }: FieldsProps) {
  const { currency } = form.values;
  const least = formatMoney(PRODUCT_PRICE_MIN_MINOR_UNITS, currency);
  const most = formatMoney(PRODUCT_PRICE_MAX_MINOR_UNITS, currency);
  return (
    <div className={style['pair']}>
      <NumberInput
        label={t('selling.amount')}
        description={t('selling.amountHint', { least, most })}
        inputWrapperOrder={belowInput}
        min={0}
        decimalScale={digitsOf(currency)}
        hideControls
        {...form.getInputProps('amount')}
      />
      <NativeSelect
        label={t('selling.currency')}
        data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
        {...form.getInputProps('currency')}
      />
    </div>
  );
}

function PeriodFields({ form }: FieldsProps) {
  return (
    <div className={style['pair']}>
      <NativeSelect
        label={t('selling.interval')}
        data={priceIntervals.map((value) => ({ value, label: t(`selling.interval.${value}`) }))}
        {...form.getInputProps('interval')}
      />
      <NumberInput
        label={t('selling.trialDays')}
        min={0}
        max={TRIAL_DAYS_MAX}
        allowDecimal={false}
        {...form.getInputProps('trialDays')}
      />
    </div>
  );
}

function PriceDetails({ form }: FieldsProps) {
  return (
    <>
      <Checkbox
        label={t('selling.allowsCoupons')}
        {...form.getInputProps('allowsCoupons', { type: 'checkbox' })}
      />
      <More title={t('selling.taxBehavior')}>
        <NativeSelect
          aria-label={t('selling.taxBehavior')}
          data={taxes.map((value) => ({ value, label: t(`selling.tax.${value}`) }))}
          {...form.getInputProps('taxBehavior')}
        />
      </More>
      <p className={style['soft']}>{t('selling.priceChange')}</p>
    </>
  );
}

/** How many answers it includes. */
export function CreditFields({ form }: FieldsProps) {
  const { kind } = form.values;
  const isNeeded = kind === 'pack' || kind === 'free';
  return (
    <Section title={t('selling.credits')}>
      <Stack gap="sm">
        <NumberInput
          label={
            kind === 'recurring' || kind === 'free' ? t('selling.creditsOfPeriod') : t('selling.credits')
          }
          description={isNeeded ? undefined : t('selling.creditsHint')}
          min={1}
          max={PRODUCT_CREDITS_MAX}
          allowDecimal={false}
          {...form.getInputProps('credits')}
        />
        <More title={t('selling.costs')}>
          <div className={style['pair']}>
            <NumberInput
              label={t('selling.creditsAMessage')}
              min={0}
              allowDecimal={false}
              {...form.getInputProps('creditsAMessage')}
            />
            <NumberInput
              label={t('selling.creditsAToolCall')}
              min={0}
              allowDecimal={false}
              {...form.getInputProps('creditsAToolCall')}
            />
          </div>
        </More>
      </Stack>
    </Section>
  );
}

export function DetailFields({ form }: FieldsProps) {
  return (
    <Section title={t('selling.details')}>
      <Stack gap="sm">
        <TextInput
          label={t('selling.name')}
          maxLength={PRODUCT_NAME_MAX_CHARACTERS}
          {...form.getInputProps('name')}
        />
        <Textarea
          autosize
          minRows={2}
          label={t('selling.description')}
          maxLength={PRODUCT_DESCRIPTION_MAX_CHARACTERS}
          {...form.getInputProps('description')}
        />
        <ListField
          ordered
          form={form}
          path="features"
          label={t('selling.features')}
          description={t('selling.featuresHint')}
          nameOf={(number) => t('selling.feature', { number })}
          addLabel={t('selling.addFeature')}
          maxCount={FEATURES_A_PRODUCT_MAX}
          maxLength={FEATURE_MAX_CHARACTERS}
        />
        <Checkbox
          label={t('selling.highlight')}
          {...form.getInputProps('isHighlighted', { type: 'checkbox' })}
        />
      </Stack>
    </Section>
  );
}
