import type { UseFormReturnType } from '@mantine/form';
import type {
  StorefrontConfig,
  StorefrontSection,
  StorefrontSectionKind,
} from '../../../contract/storefront.ts';

export type StorefrontForm = UseFormReturnType<StorefrontConfig>;

/** A new section's content. */
export const emptySections = {
  about: { kind: 'about', title: '', text: '' },
  features: { kind: 'features', title: '', items: [{ title: '', text: '' }] },
  questions: { kind: 'questions', title: '', items: [{ question: '', answer: '' }] },
  offers: { kind: 'offers', title: '' },
  chat: { kind: 'chat', title: '', text: '' },
} as const satisfies Record<StorefrontSectionKind, unknown>;

export const newSection = (kind: StorefrontSectionKind): StorefrontSection =>
  structuredClone(emptySections[kind]) as StorefrontSection;
