ALTER TABLE "conversation" ADD COLUMN "dry_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_operation" ADD COLUMN "fixture" text;