ALTER TABLE "chunk" ADD COLUMN "refused_by" text;--> statement-breakpoint
ALTER TABLE "chunk" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "chunk" ADD COLUMN "refused_times" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chunk" ADD COLUMN "ask_again_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "chunk_refused" ON "chunk" USING btree ("agent_id") WHERE refused_by is not null;