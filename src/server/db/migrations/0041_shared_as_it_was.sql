ALTER TABLE "chat_link" ADD COLUMN "last_message_id" text;--> statement-breakpoint
ALTER TABLE "chat_link" ADD COLUMN "title" text;