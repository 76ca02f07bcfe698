import {
  GivenDetails,
  PaymentConfig,
  type DetailsConfig,
  type Product,
  type ProductKind,
} from '../../../contract/product.ts';
import { digitsOf } from '../../chat/shop/price.ts';

/** A plan as form values: one per field, amounts as people write them, empty for none. */
export interface PlanValues extends Record<string, unknown> {
  kind: ProductKind;
  amount: number | string;
  currency: string;
  taxBehavior: string;
  allowsCoupons: boolean;
  interval: string;
  trialDays: number | string;
  accessDays: number | string;
  credits: number | string;
  creditsAMessage: number | string;
  creditsAToolCall: number | string;
  name: string;
  description: string;
  features: string[];
  isHighlighted: boolean;
}

export function valuesOf({ paymentConfig, detailsConfig }: Product): PlanValues {
  return {
    currency: 'usd',
    taxBehavior: 'unspecified',
    allowsCoupons: true,
    interval: 'month',
    trialDays: 0,
    accessDays: '',
    credits: '',
    creditsAMessage: 1,
    creditsAToolCall: 0,
    ...detailsConfig,
    ...nothingAsEmpty(paymentConfig),
    amount:
      paymentConfig.kind === 'free' ? '' : paymentConfig.amount / 10 ** digitsOf(paymentConfig.currency),
  };
}

function nothingAsEmpty(config: PaymentConfig): Partial<PlanValues> & { kind: ProductKind } {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, value ?? ''])) as PlanValues;
}

const price = ['amount', 'currency', 'taxBehavior', 'allowsCoupons'] as const;
const costs = ['credits', 'creditsAMessage', 'creditsAToolCall'] as const;

/** The fields of each kind of plan. */
const fieldsOf = {
  once: [...price, ...costs, 'accessDays'],
  recurring: [...price, ...costs, 'interval', 'trialDays'],
  pack: [...price, ...costs],
  free: [...costs],
} as const satisfies Record<ProductKind, readonly (keyof PlanValues)[]>;

/** As API input, valid or not. */
function configsOf(values: PlanValues) {
  const amount = Number(values.amount) * 10 ** digitsOf(values.currency);
  const all: Record<string, unknown> = {
    ...values,
    amount: values.amount === '' ? undefined : Math.round(amount),
    credits: values.credits === '' ? null : values.credits,
    accessDays: values.accessDays === '' ? null : values.accessDays,
    trialDays: values.trialDays === '' ? 0 : values.trialDays,
  };
  const payment = Object.fromEntries(fieldsOf[values.kind].map((name) => [name, all[name]]));
  const { name, description, features, isHighlighted } = values;
  return {
    payment: { kind: values.kind, ...payment },
    details: {
      name,
      description,
      features: features.filter((each) => each.trim() !== ''),
      isHighlighted,
    },
  };
}

/** The server's schemas, applied to the form's fields. */
export const PlanForm = {
  safeParse(values: unknown) {
    const { payment, details } = configsOf(values as PlanValues);
    const results = [PaymentConfig.safeParse(payment), GivenDetails.safeParse(details)];
    const issues = results.flatMap((result) => result.error?.issues ?? []);
    return issues.length === 0 ? { success: true as const } : { success: false as const, error: { issues } };
  },
};

/** The values to save; undefined while something is invalid. */
export function readPlan(
  values: PlanValues,
): { paymentConfig: PaymentConfig; detailsConfig: DetailsConfig } | undefined {
  const { payment, details } = configsOf(values);
  const paymentConfig = PaymentConfig.safeParse(payment);
  const detailsConfig = GivenDetails.safeParse(details);
  if (!paymentConfig.success || !detailsConfig.success) return undefined;
  return { paymentConfig: paymentConfig.data, detailsConfig: detailsConfig.data };
}

/** The offer as buyers would see it during editing: without a price while the input is not one. */
export function offerOf(
  values: PlanValues,
): Pick<Product, 'detailsConfig'> & Partial<Pick<Product, 'paymentConfig'>> {
  const { payment, details } = configsOf(values);
  const { data } = PaymentConfig.safeParse(payment);
  return { detailsConfig: details, ...(data && { paymentConfig: data }) };
}
