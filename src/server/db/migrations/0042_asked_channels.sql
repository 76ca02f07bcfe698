ALTER TABLE "plugin" ADD COLUMN "asked" jsonb;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "ask_at" timestamp (3) with time zone DEFAULT now() NOT NULL;