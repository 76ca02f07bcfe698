/** Every number of the specification and of the product's defaults, once, with its unit in the name. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Identity. */
export const ID_TOKEN_LIFETIME_SECONDS = 3600;
export const SESSION_LIFETIME_DAYS = 30;
export const SIGN_IN_LINK_LIFETIME_MINUTES = 15;
export const SIGN_IN_LINK_MAX_ATTEMPTS = 5;
export const SIGN_IN_LINKS_PER_HOUR = 10;
export const GUESTS_PER_HOUR_AND_ADDRESS = 60;
export const GOOGLE_SIGN_INS_PER_HOUR_AND_ADDRESS = 100;
/** How long somebody may take at the provider. */
export const GOOGLE_SIGN_IN_LIFETIME_MINUTES = 10;
export const USERNAME_CHECKS_PER_MINUTE = 30;
export const LOGS_PER_MINUTE_AND_ADDRESS = 60;
export const LOG_MAX_BYTES = 16 * KIB;

export const INVITE_LIFETIME_HOURS = 72;
export const INVITES_AT_ONCE_MAX = 50;
export const INVITE_READS_PER_MINUTE = 20;
export const INVITE_REQUESTS_PER_HOUR = 100;
/** A profile photo is cut to a square of this many pixels a side. */
export const PROFILE_PHOTO_PIXELS = 160;
export const IMAGE_MAX_BYTES = 10 * MIB;
export const PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS = 120;
/** Widest and highest picture that is opened at all: 100 million pixels take about 400 MB. */
export const IMAGE_MAX_PIXELS = 100_000_000;

/** Lists. */
export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;

/** Requests. */
export const JSON_BODY_MAX_BYTES = 256 * KIB;
export const JSON_MAX_DEPTH = 64;

/** Agents. */
export const AGENT_NAME_MAX_CHARACTERS = 80;
export const INSTRUCTIONS_MAX_CHARACTERS = 20_000;
export const CONVERSATION_STARTERS_MAX = 6;
export const CONVERSATION_STARTER_MAX_CHARACTERS = 80;

/** Knowledge. */
export const KNOWLEDGE_TEXT_MAX_CHARACTERS = 200_000;
export const KNOWLEDGE_FILE_MAX_BYTES = 100 * MIB;
export const KNOWLEDGE_LINKS_MAX = 100;
export const KNOWLEDGE_FILES_MAX = 20;
export const CHUNK_CHARACTERS = 1600;
export const CHUNK_OVERLAP_CHARACTERS = 320;
export const CONTEXT_MAX_TOKENS = 1500;
export const PAGE_MAX_BYTES = 5 * MIB;
export const PAGE_TIMEOUT_MS = 15_000;
export const PAGE_MAX_REDIRECTS = 5;
export const PAGE_MAX_COMPRESSION_RATIO = 100;
/** A reader of a file gets this long and this much memory, in a worker of its own. */
export const READER_TIMEOUT_MS = 120_000;
export const READER_MEMORY_MIB = 512;

/** Chat. */
export const MESSAGE_MAX_CHARACTERS = 8000;
export const CONVERSATION_TITLE_MAX_CHARACTERS = 120;
export const PROVIDER_TIMEOUT_MS = 60_000;
/** How much of a conversation the model is shown. */
export const HISTORY_MAX_MESSAGES = 20;

/** Uploads (specification, section 9). */
export const UPLOAD_RESUMABLE_THRESHOLD_BYTES = 262_144;
export const UPLOAD_CHUNK_MAX_BYTES = 33_554_432;
export const STORAGE_OPERATION_RETRY_MS = 120_000;
export const STORAGE_UPLOAD_RETRY_MS = 600_000;

/** Socket client (specification, section 9). */
export const SOCKET_RECONNECT_MIN_MS = 1000;
export const SOCKET_RECONNECT_MAX_MS = 5000;
export const SOCKET_RECONNECT_JITTER = 0.5;
export const SOCKET_TIMEOUT_MS = 20_000;

/** Browser (specification, section 9). */
export const TOAST_MS = 5000;
export const CHUNK_RELOAD_GUARD_SECONDS = 60;

/** Idempotency keys. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_KEPT_HOURS = 24;
export const IDEMPOTENCY_IN_PROGRESS_SECONDS = 60;
