/** The part of `limits.ts` about plans, products and the public page. */

/** Plans. */
/** With a soft stop, answers continue beyond a month's credits by this share of them. */
export const SOFT_STOP_MAX_SHARE = 0.1;
/** Of the message shown instead of an answer when no credits are left. */
export const STOP_MESSAGE_MAX_CHARACTERS = 500;
/** How long a plan stays active after a refused payment. */
export const PAYMENT_GRACE_DAYS = 7;
/** Credits for an organization that came through a referral link and pays, and for the referrer's. */
export const REFERRAL_CREDITS = 500;
export const REFERRAL_CODE_CHARACTERS = 12;
/** Shares of a plan at which its owners are notified, once a month each. */
export const USAGE_ALERTS_PERCENT = [50, 75, 90, 100] as const;
/** Limits below this trigger no notifications: whoever adds the second of two agents knows it. */
export const USAGE_ALERTS_MIN_LIMIT = 10;
/** From here on the app shows a notice on every page. */
export const USAGE_BANNER_PERCENT = 75;
export const PLAN_CHANGES_PER_HOUR_AND_ADDRESS = 120;
export const INVOICES_SHOWN = 12;

/** Products of an agent, for end users. Amounts in a currency's smallest unit; Stripe accepts 0.50 USD to 999,999.99 USD. */
export const PRODUCT_PRICE_MIN_MINOR_UNITS = 50;
export const PRODUCT_PRICE_MAX_MINOR_UNITS = 99_999_999;
export const PRODUCT_CREDITS_MAX = 1_000_000;
export const PRODUCT_NAME_MAX_CHARACTERS = 80;
export const PRODUCT_DESCRIPTION_MAX_CHARACTERS = 1000;
export const FEATURES_A_PRODUCT_MAX = 12;
export const FEATURE_MAX_CHARACTERS = 120;
export const ACCESS_DAYS_MAX = 3650;
/** Stripe's limit. */
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
/** Everything a page says. With its markup it stays small enough for a slow connection. */
export const STOREFRONT_MAX_CHARACTERS = 12_000;
export const STOREFRONT_SEO_TITLE_MAX_CHARACTERS = 70;
export const STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS = 200;
export const STOREFRONT_OFFERS_MAX = 24;
export const STOREFRONT_PICTURE_MAX_PIXELS = 1280;
/** How long a browser or an intermediate cache may show an outdated page. */
export const STOREFRONT_CACHED_SECONDS = 60;
export const STOREFRONT_PAGES_PER_MINUTE_AND_ADDRESS = 300;
/** Stripe keeps a checkout open for a day; we keep it open for as long as a person is likely to look at it. */
export const CHECKOUT_OPEN_MINUTES = 60;
export const UPGRADES_PER_MINUTE_AND_ADDRESS = 20;
export const TOKEN_MAX_CHARACTERS = 4096;
/** Stripe's limits. */
export const COUPON_CODE_MAX_CHARACTERS = 40;
export const COUPON_MONTHS_MAX = 36;
export const COUPON_USES_MAX = 1_000_000;
