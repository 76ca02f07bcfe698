/** Every number of the specification and of the product's defaults, once, with its unit in the name. */

// The file would be too long to read otherwise; everything is imported from here.
export * from './limits-money.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Of files: as plans count them, and as people are told. */
const MB = 1_000_000;

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

/** That one person makes, where answers are counted. */
export const ORGANIZATIONS_A_DAY_MAX = 50;
export const INVITE_READS_PER_MINUTE = 20;
export const INVITE_REQUESTS_PER_HOUR = 100;
/** A profile photo is cut to a square of this many pixels a side. */
export const PROFILE_PHOTO_PIXELS = 160;
export const IMAGE_MAX_BYTES = 10 * MB;
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
export const USER_NAME_MAX_CHARACTERS = 80;
/** For so long a deletion can be undone. */
export const DELETED_AGENT_KEPT_DAYS = 30;
export const INSTRUCTIONS_MAX_CHARACTERS = 20_000;
export const CONVERSATION_STARTERS_MAX = 6;
export const CONVERSATION_STARTER_MAX_CHARACTERS = 80;
export const INSTRUCTIONS_IMPROVED_PER_HOUR_AND_ADDRESS = 60;
export const VERSION_NOTE_MAX_CHARACTERS = 500;
export const OVERRIDE_REASON_MAX_CHARACTERS = 500;

/** Of what people are told before they talk with an AI, in each language. */
export const DISCLOSURE_MAX_CHARACTERS = 300;
export const DISCLOSURE_LANGUAGES_MAX = 50;

/** Pictures that were uploaded for an agent and are kept; beyond, the oldest that it does not use goes. */
export const AGENT_IMAGES_KEPT = 100;
/** A logo keeps its ratio and is at most this wide. */
export const LOGO_MAX_PIXELS = 512;
/** An agent as a file. */
export const AGENT_FILE_MAX_BYTES = 1024 * MIB;
/** All that such a file holds, unpacked. */
export const AGENT_FILE_UNPACKED_MAX_BYTES = 4096 * MIB;
export const AGENT_FILE_IMPORTS_PER_HOUR_AND_ADDRESS = 60;

/** Test sets. */
export const TEST_SETS_AN_AGENT_MAX = 50;
export const TEST_SET_NAME_MAX_CHARACTERS = 80;
/** Of a set. */
export const TEST_CASES_MAX = 200;
/** Of a case. */
export const TEST_EXPECTATIONS_MAX = 20;
export const TEST_CSV_MAX_CHARACTERS = 200_000;
/** Questions of a run that are asked at once. */
export const TEST_QUESTIONS_AT_ONCE = 4;
export const TEST_RUNS_SHOWN = 100;

/** Knowledge. */
export const KNOWLEDGE_TEXT_MAX_CHARACTERS = 200_000;
export const KNOWLEDGE_FILE_MAX_BYTES = 100 * MB;
export const KNOWLEDGE_LINKS_MAX = 100;
export const KNOWLEDGE_FILES_MAX = 20;
export const KNOWLEDGE_REVISIONS_KEPT = 10;
/** A re-sync that would take away more than this share of a website's pages waits for somebody's word. */
export const VANISHED_PAGES_MAX_SHARE = 0.3;
/** A long source is handed out in stretches of this many characters. */
export const SOURCE_TEXT_PAGE_MAX_CHARACTERS = 100_000;
/** Reading a website. A plan may allow fewer pages. */
export const CRAWL_PAGES_MAX = 10_000;
export const CRAWL_DEPTH_MAX = 5;
export const CRAWL_PATTERNS_MAX = 50;
export const CRAWL_REQUESTS_PER_SECOND_AND_HOST = 2;
/** A site may ask for more time between two requests (Crawl-delay); more than this it does not get. */
export const CRAWL_DELAY_MAX_SECONDS = 30;
/** How long a look at a website takes at most before it answers with what it has found. */
export const WEBSITE_LOOK_MS = 12_000;
export const SITEMAP_MAX_BYTES = 50 * MIB;
export const SITEMAPS_MAX = 50;
export const CHUNK_CHARACTERS = 1600;
export const CHUNK_OVERLAP_CHARACTERS = 320;
export const CONTEXT_MAX_TOKENS = 1500;
/**
 * Below this share of the question found in one passage, an agent that may use nothing else does not guess. At 0.4 about
 * as many questions with an answer are refused as such without one are answered (`bench/answer`).
 */
export const LEAST_SUPPORT = 0.4;
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
/** A provider that is silent for so long is given up. */
export const PROVIDER_TIMEOUT_MS = 60_000;
/** After so many failures in a row a provider is left alone for a while. */
export const PROVIDER_FAILURES_MAX = 5;
export const PROVIDER_REST_SECONDS = 30;
export const PROVIDER_SILENCE_MAX_SECONDS = 300;
export const PROVIDER_CONNECT_TIMEOUT_MS = 10_000;
/** A provider may ask for so much patience before it is asked once more; one that asks for more is left. */
export const PROVIDER_PATIENCE_MAX_MS = 5000;
/** All that a provider sends for one answer. */
export const MODEL_ANSWER_MAX_BYTES = 20 * MIB;
/** More text than any model may write by its settings (`maxTokens`). */
export const ANSWER_MAX_CHARACTERS = 250_000;
/** For so long is remembered which providers an organization has of its own. */
export const OWN_PROVIDERS_KNOWN_MS = 5000;
export const MODEL_TEST_TIMEOUT_MS = 20_000;
export const MODEL_TESTS_PER_HOUR_AND_ADDRESS = 120;
export const MODEL_FALLBACKS_MAX = 3;
export const MODELS_A_PROVIDER_MAX = 50;
/** What a provider says of tokens counts up to so many an answer: more is no number of tokens. */
export const TOKENS_AN_ANSWER_MAX = 100_000_000;
export const ATTACHMENTS_A_MESSAGE_MAX = 5;
export const ATTACHMENT_MAX_BYTES = 10 * MB;
/** Of a conversation. */
export const ATTACHMENTS_MAX = 100;
/** So much of a document's text is given to the model. */
export const ATTACHMENT_TEXT_MAX_CHARACTERS = 40_000;
export const ATTACHMENTS_PER_HOUR_AND_ADDRESS = 120;
export const RECORDING_MAX_SECONDS = 180;
export const SPEECH_MAX_CHARACTERS = 4000;
/** Writing a recording down, or reading an answer aloud. */
export const VOICE_TIMEOUT_MS = 60_000;
export const VOICE_REQUESTS_PER_HOUR_AND_ADDRESS = 300;
export const SUGGESTIONS_MAX = 3;
/** For so long a deleted conversation can be brought back. */
export const DELETED_CONVERSATION_KEPT_MINUTES = 60;
export const TEMPORARY_CONVERSATION_KEPT_HOURS = 24;
export const FEEDBACK_MAX_CHARACTERS = 1000;
export const CHAT_LINKS_MAX = 20;
export const CHAT_LINK_MAX_DAYS = 365;
export const ROOM_PEOPLE_MAX = 50;
/** Of a page's address, what instructions may name. */
export const PAGE_ADDRESS_MAX_CHARACTERS = 500;
/** How much of a conversation the model is shown. */
export const HISTORY_MAX_MESSAGES = 20;

/** Uploads (specification, section 9). */
export const UPLOAD_RESUMABLE_THRESHOLD_BYTES = 262_144;
export const UPLOAD_CHUNK_MAX_BYTES = 33_554_432;
export const STORAGE_OPERATION_RETRY_MS = 120_000;
export const STORAGE_UPLOAD_RETRY_MS = 600_000;
/** The first piece of a resumable upload; each one after it may be twice as large. */
export const UPLOAD_CHUNK_MIN_BYTES = UPLOAD_RESUMABLE_THRESHOLD_BYTES;
export const UPLOAD_LIFETIME_HOURS = 24;
/** Unfinished uploads of an organization, and their sizes together. */
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

/** Sockets at the server: what one person or one address can hold of them, so that others find room. */
export const SOCKETS_PER_USER_MAX = 50;
export const SOCKETS_PER_ADDRESS_MAX = 1000;
/** Whoever has not said by then who they are is put out. */
export const SOCKET_SIGN_IN_MS = 10_000;
export const SOCKET_FRAME_MAX_BYTES = 16 * KIB;
export const SOCKET_FRAMES_MAX = 200;
export const SOCKET_FRAMES_SECONDS = 10;
export const SOCKET_WATCHES_MAX = 100;
/** How often it is looked whether who is in an inbox may still be there, and who else is. */
export const PRESENCE_CHECK_MS = 10_000;

/** Browser (specification, section 9). */
export const TOAST_MS = 5000;
export const CHUNK_RELOAD_GUARD_SECONDS = 60;

/** Pictures in the browser (specification, section 9). */
/** Those within so many window heights of the top are asked for at once. */
export const IMAGE_PRELOAD_RATIO = 1.3;
export const IMAGE_THROTTLE_MS = 200;
export const IMAGE_ATTEMPTS = 3;
/** So many addresses are remembered as shown. */
export const IMAGE_CACHE_MAX = 200;
export const IMAGE_MARGIN_PX = 400;
/** This share of a picture's place must be within the margin. */
export const IMAGE_THRESHOLD = 0.1;
/** Asked for are the pixels of the screen that it takes, times this. */
export const IMAGE_WIDTH_RATIO = 1.25;
/** The widths at which our own pictures are to be had. */
export const IMAGE_WIDTHS_PX = [80, 160, 320, 480, 640, 960, 1280, 1920] as const;

/** Idempotency keys. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_KEPT_HOURS = 24;
/** After this time a write whose process has died can be made again under its key. */
export const IDEMPOTENCY_DEAD_SECONDS = 3;

/** Visitors: people on a page that shows an agent. */
export const VISITOR_TOKEN_LIFETIME_SECONDS = 3600;
/** For so long after the last time a nameless visitor finds their conversations again. */
export const VISITOR_RETURN_DAYS = 30;
/** A visitor who has never begun a conversation has nothing to come back to. */
export const SILENT_VISITOR_KEPT_HOURS = 24;
export const VISITS_PER_HOUR_AND_ADDRESS = 300;
export const VISITOR_MESSAGES_MAX = 20;
export const VISITOR_MESSAGES_SECONDS = 240;
/** Of somebody who is signed in and no member of the agent's organization. */
export const OUTSIDER_MESSAGES_PER_HOUR = 240;
export const GUEST_CONVERSATIONS_PER_HOUR_AND_ADDRESS = 5;
/** How far away the end of a token may be by which a site says who somebody is. */
export const USER_TOKEN_MAX_HOURS = 24;
export const USER_TOKEN_MAX_CHARACTERS = 4096;
export const ALLOWED_ORIGINS_MAX = 50;

/** Programs that ask an agent with its key: searches of its knowledge, of each end user. */
export const PROGRAM_SEARCHES_MAX = 60;
export const PROGRAM_SEARCHES_SECONDS = 60;
export const PROGRAM_PASSAGES_MAX = 12;
export const PROGRAM_PASSAGES_DEFAULT = 5;

/** Plugins. */
export const PLUGIN_TICKET_LIFETIME_SECONDS = 300;
/** How long somebody may take at the other service. */
export const PLUGIN_LOGIN_LIFETIME_MINUTES = 10;
export const PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS = 100;
export const PLUGINS_PER_AGENT_MAX = 50;
/** Each asks another service something. */
export const PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS = 300;
export const PLUGIN_SECRET_MAX_CHARACTERS = 1000;
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** How long deliveries are signed by a renewed secret and by the one before. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
/** How long what a webhook was told is listed and can be sent again. */
export const WEBHOOK_DELIVERY_KEPT_DAYS = 30;
/** A service sends all its messages from few addresses. */
export const CHANNEL_WEBHOOKS_PER_MINUTE_AND_ADDRESS = 3000;
/** Of what services send of messages: mail with its files is the longest. */
export const CHANNEL_WEBHOOK_MAX_BYTES = 5 * 1024 * 1024;
/** What is longer is cut; services take less than this themselves. */
export const CHANNEL_TEXT_MAX_CHARACTERS = 8000;
/** More are not even named; of these, those that the chat takes. */
export const CHANNEL_FILES_A_MESSAGE_MAX = 20;
/** Of what people are called, and of what they call their files. */
export const CHANNEL_NAME_MAX_CHARACTERS = 100;
/** Messages of one person in one place that wait for their answers; more are not kept. */
export const CHANNEL_WAITING_MAX = 20;
/** How long what came in over a channel is known again and listed. */
export const CHANNEL_MESSAGE_KEPT_DAYS = 30;

/** Tools. */
export const TOOLS_PER_AGENT_MAX = 100;
export const TOOL_NAME_MAX_CHARACTERS = 80;
export const TOOL_SECRET_MAX_CHARACTERS = 4000;
/** With everything that it refers to. */
export const TOOL_DOCUMENT_MAX_BYTES = 20 * MIB;
/** One that is pasted or a file: as much as an address may give. */
export const TOOL_DOCUMENT_PASTED_MAX_CHARACTERS = TOOL_DOCUMENT_MAX_BYTES;
/** It is sent within JSON, where quotes and ends of lines take two. */
export const TOOL_BODY_MAX_BYTES = 2 * TOOL_DOCUMENT_MAX_BYTES + JSON_BODY_MAX_BYTES;
/** Other documents that one refers to. */
export const TOOL_DOCUMENT_PARTS_MAX = 20;
/** A document that takes more of a processor's time to be understood is refused, and one that takes longer by the clock. */
export const TOOL_DOCUMENT_READ_MS = 2000;
export const TOOL_DOCUMENT_WAIT_MS = 10_000;
export const TOOL_DOCUMENT_MEMORY_MIB = 512;
export const TOOL_DOCUMENTS_PER_HOUR_AND_ADDRESS = 600;
export const TOOL_OPERATIONS_MAX = 3000;
/** What a model is told of one operation; one that needs more is left out. */
export const TOOL_FUNCTION_MAX_CHARACTERS = 60_000;
/** Operations that one agent is told of. Providers take no more than 128 functions. */
export const TOOL_FUNCTIONS_PER_AGENT_MAX = 100;
/** Functions of an MCP server that are read. */
export const TOOL_MCP_FUNCTIONS_MAX = 300;
export const TOOL_SITES_MAX = 100;
export const TOOL_CALL_TIMEOUT_MS = 30_000;
export const TOOL_RESULT_MAX_CHARACTERS = 100_000;
export const TOOL_ARGUMENTS_MAX_CHARACTERS = 50_000;
/** How often the model is asked for one answer. */
export const TOOL_STEPS_MAX = 12;
/** All that one answer calls. */
export const TOOL_CALLS_AN_ANSWER_MAX = 24;
/** So long a call waits for the person's word; and no longer than until something else is said. */
export const TOOL_CONFIRMATION_HOURS = 168;
export const TOOL_CALL_TESTS_PER_HOUR_AND_ADDRESS = 600;
/** Forms by which an agent collects leads, and what comes of them. */
export const LEAD_FIELDS_MAX = 20;
export const LEAD_LABEL_MAX_CHARACTERS = 120;
export const LEAD_CHOICES_MAX = 30;
export const LEAD_VALUE_MAX_CHARACTERS = 1000;
export const LEADS_PER_AGENT_MAX = 10_000;
/** For a service that is told that an account has ended. */
export const TOOL_REVOCATION_TIMEOUT_MS = 5000;
/** How long an end user may take at the service to connect their account. */
export const TOOL_LOGIN_LIFETIME_MINUTES = 10;
export const TOOL_LOGINS_PER_HOUR_AND_ADDRESS = 100;
/** Of one end user, newest first. */
export const TOOL_ACCOUNTS_SHOWN = 100;

/** How old, or ahead of our clock, the signature of a payment event may be; Stripe's own number. */
export const PAYMENT_EVENT_TOLERANCE_SECONDS = 300;
/** Longer than anybody sends an event again. */
export const PAYMENT_EVENT_KEPT_DAYS = 90;
/** Mails hold sign-in links, long dead, and what people were told. */
export const MAIL_KEPT_DAYS = 30;
export const PAYMENT_WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;
export const PAYMENT_PAGES_PER_MINUTE_AND_ADDRESS = 120;

/** Handing a conversation over to a person. */
export const HANDOVER_REASON_MAX_CHARACTERS = 500;
export const HANDOVERS_PER_HOUR_AND_ADDRESS = 60;
export const AWAY_MESSAGE_MAX_CHARACTERS = 500;
export const CANNED_ANSWERS_MAX = 200;
export const CANNED_ANSWER_TITLE_MAX_CHARACTERS = 80;
/** Of what is looked for in names of end users. */
export const NAME_SEARCH_MAX_CHARACTERS = 100;
/** Of what was said last, in a list. */
export const LAST_WORDS_MAX_CHARACTERS = 160;
/** What a member wrote and the end user has not read by then goes to them by mail. */
export const INBOX_RELAY_AFTER_SECONDS = 120;
/** Notes of a conversation that are shown, newest last. */
export const NOTES_SHOWN = 200;

/** Notifications of browsers. */
export const PUSH_ENDPOINT_MAX_CHARACTERS = 1000;
/** Of one person; the oldest goes. */
export const PUSH_BROWSERS_MAX = 20;
export const PUSH_TIMEOUT_MS = 10_000;
/** A browser that is not on by then is not told any more that somebody waited. */
export const PUSH_KEPT_SECONDS = 3600;

/** Privacy. */
export const ERASURES_PER_HOUR_AND_ADDRESS = 60;
export const DATA_EXPORTS_PER_HOUR_AND_ADDRESS = 60;
/** For so long a file of what is known of a person, or of an organization, can be downloaded. */
export const DATA_EXPORT_KEPT_HOURS = 24;
export const RETENTION_MAX_DAYS = 3650;
/** Questions of an agent that are compared with each other, the newest. */
export const QUESTIONS_COMPARED_MAX = 5000;
export const CLUSTER_SAMPLES_SHOWN = 10;
export const CLUSTER_PASSAGES_SHOWN = 3;
export const DISMISSAL_MAX_CHARACTERS = 500;
export const TOPIC_NAME_MAX_CHARACTERS = 80;
export const TOPICS_SHOWN = 100;
/** What fewer people ask than this is no topic. */
export const TOPIC_LEAST_QUESTIONS = 3;
export const ANSWERS_DRAFTED_PER_HOUR_AND_ADDRESS = 60;
/** Insights: knowledge items that are named among the sources, and countries. */
export const INSIGHT_SOURCES_SHOWN = 10;
export const INSIGHT_COUNTRIES_SHOWN = 12;

/** Estimates of conversations: what is proposed, and the most that may be chosen. */
export const ESTIMATE_QUALITY_MAX = 5;
export const ESTIMATE_QUIET_MINUTES = 30;
export const ESTIMATE_QUIET_MAX_MINUTES = 1440;
export const ESTIMATES_PER_DAY = 100;
export const ESTIMATES_PER_DAY_MAX = 1000;
/** What a model is given of a conversation: its newest messages, of each the beginning, and of each answer some passages. */
export const ESTIMATE_MESSAGES_READ = 40;
export const ESTIMATE_MESSAGE_MAX_CHARACTERS = 1000;
export const ESTIMATE_PASSAGES_READ = 3;
export const ESTIMATE_PASSAGE_MAX_CHARACTERS = 400;
/** In all, with the models that are tried when one fails. */
export const ESTIMATE_TIMEOUT_MS = 90_000;
export const INSIGHT_LANGUAGES_SHOWN = 12;
/** Links by which anybody reads an agent's numbers. */
export const INSIGHT_LINKS_MAX = 20;
export const INSIGHT_LINK_NAME_MAX_CHARACTERS = 80;
export const INSIGHT_LINK_MAX_DAYS = 365;
export const INSIGHT_LINK_READS_PER_MINUTE_AND_ADDRESS = 60;
