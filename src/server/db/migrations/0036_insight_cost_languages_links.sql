CREATE TABLE "insight_link" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "insight_link" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD COLUMN "language" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD COLUMN "cost" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD COLUMN "priced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD COLUMN "unpriced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_hour" ADD COLUMN "cost" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_hour" ADD COLUMN "priced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_hour" ADD COLUMN "unpriced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_person" ADD COLUMN "cost" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_person" ADD COLUMN "priced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_person" ADD COLUMN "unpriced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_rollup" ADD COLUMN "heard_until" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL;--> statement-breakpoint
ALTER TABLE "model_provider" ADD COLUMN "prices" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "insight_link" ADD CONSTRAINT "insight_link_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "insight_link_token" ON "insight_link" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "insight_link_agent" ON "insight_link" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "conversation_channel" ON "conversation" USING btree ("agent_id","channel","updated_at","id") WHERE channel is not null;--> statement-breakpoint
CREATE INDEX "conversation_language" ON "conversation" USING btree ("agent_id","language","updated_at","id") WHERE language is not null;--> statement-breakpoint
CREATE INDEX "message_entitlement" ON "message" USING btree ("entitlement_id") WHERE entitlement_id is not null;--> statement-breakpoint
CREATE INDEX "question_confidence" ON "question" USING btree ("agent_id","confidence") WHERE confidence is not null;--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_link" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));