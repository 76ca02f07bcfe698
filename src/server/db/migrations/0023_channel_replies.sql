ALTER TABLE "channel_message" ADD COLUMN "reply_to" text;--> statement-breakpoint
ALTER TABLE "channel_message" ADD COLUMN "files" jsonb DEFAULT '[]'::jsonb NOT NULL;