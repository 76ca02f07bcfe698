/** The part of `limits.ts` that is about plans, products and the public page. */

/** Plans. */
/** With a soft stop so much of a month's credits is answered beyond them. */
export const SOFT_STOP_MAX_SHARE = 0.1;
/** Of what people are told in place of an answer when no credit is left. */
export const STOP_MESSAGE_MAX_CHARACTERS = 500;
/** For so long a plan holds whose payment was refused. */
export const PAYMENT_GRACE_DAYS = 7;
/** What an organization that came by somebody's link and pays brings to it, and to theirs. */
export const REFERRAL_CREDITS = 500;
export const REFERRAL_CODE_CHARACTERS = 12;
/** Shares of a plan at which its owners are told, once a month each. */
export const USAGE_ALERTS_PERCENT = [50, 75, 90, 100] as const;
/** Of fewer things than these no part is told: who adds the second of two agents knows it. */
export const USAGE_ALERTS_MIN_LIMIT = 10;
/** From here on the app says so on every page. */
export const USAGE_BANNER_PERCENT = 75;
export const PLAN_CHANGES_PER_HOUR_AND_ADDRESS = 120;
export const INVOICES_SHOWN = 12;

/** Products of an agent, for end users. Amounts in the smallest unit of a currency; Stripe takes 0.50 USD to 999,999.99 USD. */
export const PRODUCT_PRICE_MIN_MINOR_UNITS = 50;
export const PRODUCT_PRICE_MAX_MINOR_UNITS = 99_999_999;
export const PRODUCT_CREDITS_MAX = 1_000_000;
export const PRODUCT_NAME_MAX_CHARACTERS = 80;
export const PRODUCT_DESCRIPTION_MAX_CHARACTERS = 1000;
export const FEATURES_A_PRODUCT_MAX = 12;
export const FEATURE_MAX_CHARACTERS = 120;
export const ACCESS_DAYS_MAX = 3650;
/** Stripe's own number. */
export const TRIAL_DAYS_MAX = 730;
export const CHECKOUTS_PER_HOUR_AND_ADDRESS = 60;

/** The public page of an agent. */
export const STOREFRONT_HEADLINE_MAX_CHARACTERS = 120;
export const STOREFRONT_TAGLINE_MAX_CHARACTERS = 300;
export const STOREFRONT_SECTIONS_MAX = 12;
export const STOREFRONT_SECTION_TITLE_MAX_CHARACTERS = 120;
export const STOREFRONT_TEXT_MAX_CHARACTERS = 4000;
export const STOREFRONT_ITEMS_MAX = 20;
export const STOREFRONT_ITEM_TITLE_MAX_CHARACTERS = 200;
export const STOREFRONT_ITEM_TEXT_MAX_CHARACTERS = 1000;
/** All that a page says. With its markup it stays small enough for a slow line. */
export const STOREFRONT_MAX_CHARACTERS = 12_000;
export const STOREFRONT_SEO_TITLE_MAX_CHARACTERS = 70;
export const STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS = 200;
export const STOREFRONT_OFFERS_MAX = 24;
export const STOREFRONT_PICTURE_MAX_PIXELS = 1280;
/** How long a browser or a cache in between shows a page that was changed meanwhile. */
export const STOREFRONT_CACHED_SECONDS = 60;
export const STOREFRONT_PAGES_PER_MINUTE_AND_ADDRESS = 300;
/** Stripe keeps a checkout open for a day; we for as long as a person looks at it. */
export const CHECKOUT_OPEN_MINUTES = 60;
export const UPGRADES_PER_MINUTE_AND_ADDRESS = 20;
export const TOKEN_MAX_CHARACTERS = 4096;
/** Stripe's own numbers. */
export const COUPON_CODE_MAX_CHARACTERS = 40;
export const COUPON_MONTHS_MAX = 36;
export const COUPON_USES_MAX = 1_000_000;
