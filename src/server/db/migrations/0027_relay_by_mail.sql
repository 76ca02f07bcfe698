ALTER TABLE "conversation" ADD COLUMN "seen_sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD COLUMN "relays" boolean DEFAULT false NOT NULL;