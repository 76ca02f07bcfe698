/** Every number of the specification and of the product's defaults, in one place, with its unit in the name. */

// Split off to keep this file readable; everything is imported from here.
export * from './limits-money.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** For files: the unit that plans count in and people see. */
const MB = 1_000_000;

/** Identity. */
export const ID_TOKEN_LIFETIME_SECONDS = 3600;
export const SESSION_LIFETIME_DAYS = 30;
export const SIGN_IN_LINK_LIFETIME_MINUTES = 15;
export const SIGN_IN_LINK_MAX_ATTEMPTS = 5;
export const SIGN_IN_LINKS_PER_HOUR = 10;
export const GUESTS_PER_HOUR_AND_ADDRESS = 60;
export const GOOGLE_SIGN_INS_PER_HOUR_AND_ADDRESS = 100;
/** How long a person may take at the provider. */
export const GOOGLE_SIGN_IN_LIFETIME_MINUTES = 10;
export const USERNAME_CHECKS_PER_MINUTE = 30;
export const LOGS_PER_MINUTE_AND_ADDRESS = 60;
export const LOG_MAX_BYTES = 16 * KIB;

export const INVITE_LIFETIME_HOURS = 72;
export const INVITES_AT_ONCE_MAX = 50;

/** Created by one person, where answers are counted. */
export const ORGANIZATIONS_A_DAY_MAX = 50;
export const INVITE_READS_PER_MINUTE = 20;
export const INVITE_REQUESTS_PER_HOUR = 100;
/** A profile photo is cropped to a square of this many pixels a side. */
export const PROFILE_PHOTO_PIXELS = 160;
export const IMAGE_MAX_BYTES = 10 * MB;
export const PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS = 120;
/** The largest picture that is opened at all: 100 million pixels take about 400 MB. */
export const IMAGE_MAX_PIXELS = 100_000_000;

/** Lists. */
export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;

/** Requests. */
export const JSON_BODY_MAX_BYTES = 256 * KIB;
export const JSON_MAX_DEPTH = 64;

/** Agents. */
export const AGENT_NAME_MAX_CHARACTERS = 80;
export const USER_NAME_MAX_CHARACTERS = 80;
/** How long a deletion can be undone. */
export const DELETED_AGENT_KEPT_DAYS = 30;
export const INSTRUCTIONS_MAX_CHARACTERS = 20_000;
export const CONVERSATION_STARTERS_MAX = 6;
export const CONVERSATION_STARTER_MAX_CHARACTERS = 80;
export const INSTRUCTIONS_IMPROVED_PER_HOUR_AND_ADDRESS = 60;
export const VERSION_NOTE_MAX_CHARACTERS = 500;
export const OVERRIDE_REASON_MAX_CHARACTERS = 500;

/** Of the notice shown before people talk with an AI, in each language. */
export const DISCLOSURE_MAX_CHARACTERS = 300;
export const DISCLOSURE_LANGUAGES_MAX = 50;

/** Uploaded pictures kept for an agent; beyond this, the oldest unused one is deleted. */
export const AGENT_IMAGES_KEPT = 100;
/** A logo keeps its aspect ratio and is at most this wide. */
export const LOGO_MAX_PIXELS = 512;
/** An agent as a file. */
export const AGENT_FILE_MAX_BYTES = 1024 * MIB;
/** The total of such a file's contents, unpacked. */
export const AGENT_FILE_UNPACKED_MAX_BYTES = 4096 * MIB;
export const AGENT_FILE_IMPORTS_PER_HOUR_AND_ADDRESS = 60;

/** Test sets. */
export const TEST_SETS_AN_AGENT_MAX = 50;
export const TEST_SET_NAME_MAX_CHARACTERS = 80;
/** Per set. */
export const TEST_CASES_MAX = 200;
/** Per case. */
export const TEST_EXPECTATIONS_MAX = 20;
export const TEST_CSV_MAX_CHARACTERS = 200_000;
/** Questions of a run that are asked concurrently. */
export const TEST_QUESTIONS_AT_ONCE = 4;
export const TEST_RUNS_SHOWN = 100;

/** Knowledge. */
export const KNOWLEDGE_TEXT_MAX_CHARACTERS = 200_000;
export const KNOWLEDGE_FILE_MAX_BYTES = 100 * MB;
export const KNOWLEDGE_LINKS_MAX = 100;
export const KNOWLEDGE_FILES_MAX = 20;
export const KNOWLEDGE_REVISIONS_KEPT = 10;
/** A re-sync that would remove more than this share of a website's pages waits for approval. */
export const VANISHED_PAGES_MAX_SHARE = 0.3;
/** A long source is returned in sections of this many characters. */
export const SOURCE_TEXT_PAGE_MAX_CHARACTERS = 100_000;
/** Reading a website. A plan may allow fewer pages. */
export const CRAWL_PAGES_MAX = 10_000;
export const CRAWL_DEPTH_MAX = 5;
export const CRAWL_PATTERNS_MAX = 50;
export const CRAWL_REQUESTS_PER_SECOND_AND_HOST = 2;
/** A site may ask for more time between two requests (Crawl-delay); this is the most it gets. */
export const CRAWL_DELAY_MAX_SECONDS = 30;
/** How long a look at a website takes at most before it returns what it has found. */
export const WEBSITE_LOOK_MS = 12_000;
export const SITEMAP_MAX_BYTES = 50 * MIB;
export const SITEMAPS_MAX = 50;
export const CHUNK_CHARACTERS = 1600;
export const CHUNK_OVERLAP_CHARACTERS = 320;
export const CONTEXT_MAX_TOKENS = 1500;
export const PAGE_MAX_BYTES = 5 * MIB;
export const PAGE_TIMEOUT_MS = 15_000;
export const PAGE_MAX_REDIRECTS = 5;
export const PAGE_MAX_COMPRESSION_RATIO = 100;
/** The timeout and memory limit of a file reader, in its own worker. */
export const READER_TIMEOUT_MS = 120_000;
export const READER_MEMORY_MIB = 512;

/** Chat. */
export const MESSAGE_MAX_CHARACTERS = 8000;
export const CONVERSATION_TITLE_MAX_CHARACTERS = 120;
/** A provider that is silent this long is abandoned. */
export const PROVIDER_TIMEOUT_MS = 60_000;
/** After this many failures in a row a provider is skipped for a while. */
export const PROVIDER_FAILURES_MAX = 5;
export const PROVIDER_REST_SECONDS = 30;
export const PROVIDER_SILENCE_MAX_SECONDS = 300;
export const PROVIDER_CONNECT_TIMEOUT_MS = 10_000;
/** The longest retry delay a provider may ask for; one that asks for more is abandoned. */
export const PROVIDER_PATIENCE_MAX_MS = 5000;
/** The most a provider may send for one answer. */
export const MODEL_ANSWER_MAX_BYTES = 20 * MIB;
/** More text than any model may write under its settings (`maxTokens`). */
export const ANSWER_MAX_CHARACTERS = 250_000;
/** How long an organization's list of own providers is cached. */
export const OWN_PROVIDERS_KNOWN_MS = 5000;
export const MODEL_TEST_TIMEOUT_MS = 20_000;
export const MODEL_TESTS_PER_HOUR_AND_ADDRESS = 120;
export const MODEL_FALLBACKS_MAX = 3;
export const MODELS_A_PROVIDER_MAX = 50;
/** A provider's token counts are accepted up to this many per answer: anything higher isn't a token count. */
export const TOKENS_AN_ANSWER_MAX = 100_000_000;
export const ATTACHMENTS_A_MESSAGE_MAX = 5;
export const ATTACHMENT_MAX_BYTES = 10 * MB;
/** Per conversation. */
export const ATTACHMENTS_MAX = 100;
/** How much of a document's text is given to the model. */
export const ATTACHMENT_TEXT_MAX_CHARACTERS = 40_000;
export const ATTACHMENTS_PER_HOUR_AND_ADDRESS = 120;
export const RECORDING_MAX_SECONDS = 180;
export const SPEECH_MAX_CHARACTERS = 4000;
/** Transcribing a recording, or reading an answer aloud. */
export const VOICE_TIMEOUT_MS = 60_000;
export const VOICE_REQUESTS_PER_HOUR_AND_ADDRESS = 300;
export const SUGGESTIONS_MAX = 3;
/** How long a deleted conversation can be restored. */
export const DELETED_CONVERSATION_KEPT_MINUTES = 60;
export const TEMPORARY_CONVERSATION_KEPT_HOURS = 24;
export const FEEDBACK_MAX_CHARACTERS = 1000;
export const CHAT_LINKS_MAX = 20;
export const CHAT_LINK_MAX_DAYS = 365;
export const ROOM_PEOPLE_MAX = 50;
/** Of the part of a page's address that instructions may refer to. */
export const PAGE_ADDRESS_MAX_CHARACTERS = 500;
/** How much of a conversation the model is shown. */
export const HISTORY_MAX_MESSAGES = 20;

/** Uploads (specification, section 9). */
export const UPLOAD_RESUMABLE_THRESHOLD_BYTES = 262_144;
export const UPLOAD_CHUNK_MAX_BYTES = 33_554_432;
export const STORAGE_OPERATION_RETRY_MS = 120_000;
export const STORAGE_UPLOAD_RETRY_MS = 600_000;
/** The first chunk of a resumable upload; each subsequent one may be twice as large. */
export const UPLOAD_CHUNK_MIN_BYTES = UPLOAD_RESUMABLE_THRESHOLD_BYTES;
export const UPLOAD_LIFETIME_HOURS = 24;
/** An organization's unfinished uploads, and their total size. */
export const UPLOADS_OPEN_MAX = 100;
export const UPLOADS_OPEN_MAX_BYTES = 2048 * MIB;
export const UPLOADS_PER_HOUR_AND_ADDRESS = 1000;
export const UPLOAD_METADATA_MAX_BYTES = 4 * KIB;
export const UPLOAD_NAME_MAX_CHARACTERS = 1000;

/** Socket client (specification, section 9). */
export const SOCKET_RECONNECT_MIN_MS = 1000;
export const SOCKET_RECONNECT_MAX_MS = 5000;
export const SOCKET_RECONNECT_JITTER = 0.5;
export const SOCKET_TIMEOUT_MS = 20_000;

/** Server sockets: how many one person or one address can hold, so that others find room. */
export const SOCKETS_PER_USER_MAX = 50;
export const SOCKETS_PER_ADDRESS_MAX = 1000;
/** A socket that hasn't authenticated by then is closed. */
export const SOCKET_SIGN_IN_MS = 10_000;
export const SOCKET_FRAME_MAX_BYTES = 16 * KIB;
export const SOCKET_FRAMES_MAX = 200;
export const SOCKET_FRAMES_SECONDS = 10;
export const SOCKET_WATCHES_MAX = 100;
/** How often to check whether the people in an inbox may still be there, and who else is. */
export const PRESENCE_CHECK_MS = 10_000;

/** Browser (specification, section 9). */
export const TOAST_MS = 5000;
export const CHUNK_RELOAD_GUARD_SECONDS = 60;

/** Pictures in the browser (specification, section 9). */
/** Pictures within this many window heights of the top are requested immediately. */
export const IMAGE_PRELOAD_RATIO = 1.3;
export const IMAGE_THROTTLE_MS = 200;
export const IMAGE_ATTEMPTS = 3;
/** How many addresses are remembered as shown. */
export const IMAGE_CACHE_MAX = 200;
export const IMAGE_MARGIN_PX = 400;
/** The share of a picture's place that must be within the margin. */
export const IMAGE_THRESHOLD = 0.1;
/** The requested width is the device pixels it occupies, times this. */
export const IMAGE_WIDTH_RATIO = 1.25;
/** The widths our own pictures are available in. */
export const IMAGE_WIDTHS_PX = [80, 160, 320, 480, 640, 960, 1280, 1920] as const;

/** Idempotency keys. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_KEPT_HOURS = 24;
/** After this time, a write whose process has died can be repeated under its key. */
export const IDEMPOTENCY_DEAD_SECONDS = 3;

/** Visitors: people on a page that embeds an agent. */
export const VISITOR_TOKEN_LIFETIME_SECONDS = 3600;
/** How long after the last visit an anonymous visitor finds their conversations again. */
export const VISITOR_RETURN_DAYS = 30;
/** A visitor who has never started a conversation has nothing to come back to. */
export const SILENT_VISITOR_KEPT_HOURS = 24;
export const VISITS_PER_HOUR_AND_ADDRESS = 300;
export const VISITOR_MESSAGES_MAX = 20;
export const VISITOR_MESSAGES_SECONDS = 240;
/** For someone who is signed in but isn't a member of the agent's organization. */
export const OUTSIDER_MESSAGES_PER_HOUR = 240;
export const GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS = 5;
/** The maximum remaining lifetime of a token with which a site identifies a user. */
export const USER_TOKEN_MAX_HOURS = 24;
export const USER_TOKEN_MAX_CHARACTERS = 4096;
export const ALLOWED_ORIGINS_MAX = 50;

/** Programs that query an agent with its key: knowledge searches, per end user. */
export const PROGRAM_SEARCHES_MAX = 60;
export const PROGRAM_SEARCHES_SECONDS = 60;
export const PROGRAM_PASSAGES_MAX = 12;
export const PROGRAM_PASSAGES_DEFAULT = 5;

/** Plugins. */
export const PLUGIN_TICKET_LIFETIME_SECONDS = 300;
/** How long a person may take at the other service. */
export const PLUGIN_LOGIN_LIFETIME_MINUTES = 10;
export const PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS = 100;
export const PLUGINS_PER_AGENT_MAX = 50;
/** Each check queries another service. */
export const PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS = 300;
export const PLUGIN_SECRET_MAX_CHARACTERS = 1000;
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** How long deliveries are signed with both a renewed secret and the previous one. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
/** How long webhook deliveries are listed and can be resent. */
export const WEBHOOK_DELIVERY_KEPT_DAYS = 30;
/** A service sends all its messages from a few addresses. */
export const CHANNEL_WEBHOOKS_PER_MINUTE_AND_ADDRESS = 3000;
/** Of a message delivered by a service: mail with its files is the longest. */
export const CHANNEL_WEBHOOK_MAX_BYTES = 5 * 1024 * 1024;
/** Longer texts are cut; the services themselves accept less than this. */
export const CHANNEL_TEXT_MAX_CHARACTERS = 8000;
/** Files beyond this aren't even named; of these, the ones chat accepts are taken. */
export const CHANNEL_FILES_A_MESSAGE_MAX = 20;
/** Of people's names, and of their files' names. */
export const CHANNEL_NAME_MAX_CHARACTERS = 100;
/** Messages of one person in one place that wait for answers; any more are dropped. */
export const CHANNEL_WAITING_MAX = 20;
/** How long incoming channel messages are recognized as duplicates and listed. */
export const CHANNEL_MESSAGE_KEPT_DAYS = 30;

/** Tools. */
export const TOOLS_PER_AGENT_MAX = 100;
export const TOOL_NAME_MAX_CHARACTERS = 80;
export const TOOL_SECRET_MAX_CHARACTERS = 4000;
/** Including everything it refers to. */
export const TOOL_DOCUMENT_MAX_BYTES = 20 * MIB;
/** A pasted document or a file: as much as an address may return. */
export const TOOL_DOCUMENT_PASTED_MAX_CHARACTERS = TOOL_DOCUMENT_MAX_BYTES;
/** It is sent within JSON, where quotes and line breaks take two bytes. */
export const TOOL_BODY_MAX_BYTES = 2 * TOOL_DOCUMENT_MAX_BYTES + JSON_BODY_MAX_BYTES;
/** Other documents that one document refers to. */
export const TOOL_DOCUMENT_PARTS_MAX = 20;
/** A document that takes more CPU time than this to parse is rejected, as is one that takes too long by the clock. */
export const TOOL_DOCUMENT_READ_MS = 2000;
export const TOOL_DOCUMENT_WAIT_MS = 10_000;
export const TOOL_DOCUMENT_MEMORY_MIB = 512;
export const TOOL_DOCUMENTS_PER_HOUR_AND_ADDRESS = 600;
export const TOOL_OPERATIONS_MAX = 3000;
/** What a model is told about one operation; an operation that needs more is left out. */
export const TOOL_FUNCTION_MAX_CHARACTERS = 60_000;
/** Operations that one agent is told about. Providers accept no more than 128 functions. */
export const TOOL_FUNCTIONS_PER_AGENT_MAX = 100;
/** How many of an MCP server's functions are read. */
export const TOOL_MCP_FUNCTIONS_MAX = 300;
export const TOOL_SITES_MAX = 100;
export const TOOL_CALL_TIMEOUT_MS = 30_000;
export const TOOL_RESULT_MAX_CHARACTERS = 100_000;
export const TOOL_ARGUMENTS_MAX_CHARACTERS = 50_000;
/** Model calls per answer. */
export const TOOL_STEPS_MAX = 12;
/** Tool calls per answer, in total. */
export const TOOL_CALLS_AN_ANSWER_MAX = 24;
/** How long a call waits for the person's decision, and no longer than until the next message. */
export const TOOL_CONFIRMATION_HOURS = 168;
export const TOOL_CALL_TESTS_PER_HOUR_AND_ADDRESS = 600;
/** Forms with which an agent collects leads, and the leads themselves. */
export const LEAD_FIELDS_MAX = 20;
export const LEAD_LABEL_MAX_CHARACTERS = 120;
export const LEAD_CHOICES_MAX = 30;
export const LEAD_VALUE_MAX_CHARACTERS = 1000;
export const LEADS_PER_AGENT_MAX = 10_000;
/** For notifying a service that an account has been disconnected. */
export const TOOL_REVOCATION_TIMEOUT_MS = 5000;
/** How long an end user may take at the service to connect their account. */
export const TOOL_LOGIN_LIFETIME_MINUTES = 10;
export const TOOL_LOGINS_PER_HOUR_AND_ADDRESS = 100;
/** Of one end user, newest first. */
export const TOOL_ACCOUNTS_SHOWN = 100;

/** The tolerance for a payment event's signature time, in the past or ahead of our clock; Stripe's own number. */
export const PAYMENT_EVENT_TOLERANCE_SECONDS = 300;
/** Longer than anyone resends an event. */
export const PAYMENT_EVENT_KEPT_DAYS = 90;
/** Mails contain long-expired sign-in links, and what people were told. */
export const MAIL_KEPT_DAYS = 30;
export const PAYMENT_WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;
export const PAYMENT_PAGES_PER_MINUTE_AND_ADDRESS = 120;

/** Handing a conversation over to a person. */
export const HANDOVER_REASON_MAX_CHARACTERS = 500;
export const HANDOVERS_PER_HOUR_AND_ADDRESS = 60;
export const AWAY_MESSAGE_MAX_CHARACTERS = 500;
export const CANNED_ANSWERS_MAX = 200;
export const CANNED_ANSWER_TITLE_MAX_CHARACTERS = 80;
/** Of a search in end users' names. */
export const NAME_SEARCH_MAX_CHARACTERS = 100;
/** Of the last message, in a list. */
export const LAST_WORDS_MAX_CHARACTERS = 160;
/** A member's message that the end user hasn't read by then is emailed to them. */
export const INBOX_RELAY_AFTER_SECONDS = 120;
/** A conversation's notes that are shown, newest last. */
export const NOTES_SHOWN = 200;

/** Browser notifications. */
export const PUSH_ENDPOINT_MAX_CHARACTERS = 1000;
/** Per person; the oldest is dropped. */
export const PUSH_BROWSERS_MAX = 20;
export const PUSH_TIMEOUT_MS = 10_000;
/** A browser that isn't online by then is no longer told that somebody was waiting. */
export const PUSH_KEPT_SECONDS = 3600;

/** Privacy. */
export const ERASURES_PER_HOUR_AND_ADDRESS = 60;
export const DATA_EXPORTS_PER_HOUR_AND_ADDRESS = 60;
/** How long an export of a person's or an organization's data can be downloaded. */
export const DATA_EXPORT_KEPT_HOURS = 24;
export const RETENTION_MAX_DAYS = 3650;
/** An agent's newest questions, which are compared with each other. */
export const QUESTIONS_COMPARED_MAX = 5000;
export const CLUSTER_SAMPLES_SHOWN = 10;
export const CLUSTER_PASSAGES_SHOWN = 3;
export const DISMISSAL_MAX_CHARACTERS = 500;
export const TOPIC_NAME_MAX_CHARACTERS = 80;
export const TOPICS_SHOWN = 100;
/** A topic needs at least this many questions. */
export const TOPIC_LEAST_QUESTIONS = 3;
export const ANSWERS_DRAFTED_PER_HOUR_AND_ADDRESS = 60;
/** Insights: knowledge items listed among the sources, and countries. */
export const INSIGHT_SOURCES_SHOWN = 10;
export const INSIGHT_COUNTRIES_SHOWN = 12;

/** Estimates of conversations: the defaults, and the maximum that can be chosen. */
export const ESTIMATE_QUALITY_MAX = 5;
export const ESTIMATE_QUIET_MINUTES = 30;
export const ESTIMATE_QUIET_MAX_MINUTES = 1440;
export const ESTIMATES_PER_DAY = 100;
export const ESTIMATES_PER_DAY_MAX = 1000;
/** What a model is given of a conversation: its newest messages, the beginning of each, and some passages for each answer. */
export const ESTIMATE_MESSAGES_READ = 40;
export const ESTIMATE_MESSAGE_MAX_CHARACTERS = 1000;
export const ESTIMATE_PASSAGES_READ = 3;
export const ESTIMATE_PASSAGE_MAX_CHARACTERS = 400;
/** In total, including the models tried when one fails. */
export const ESTIMATE_TIMEOUT_MS = 90_000;
export const INSIGHT_LANGUAGES_SHOWN = 12;
/** Links that let anyone read an agent's numbers. */
export const INSIGHT_LINKS_MAX = 20;
export const INSIGHT_LINK_NAME_MAX_CHARACTERS = 80;
export const INSIGHT_LINK_MAX_DAYS = 365;
export const INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS = 60;
