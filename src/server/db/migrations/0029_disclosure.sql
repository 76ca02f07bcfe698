ALTER TABLE "agent" ADD COLUMN "disclosure" jsonb DEFAULT '{"isOn":true,"texts":{}}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD COLUMN "disclosed_with" text;