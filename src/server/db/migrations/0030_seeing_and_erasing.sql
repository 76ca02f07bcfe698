CREATE TABLE "question" (
	"message_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"answer_id" text NOT NULL,
	"text" text NOT NULL,
	"terms" jsonb NOT NULL,
	"language" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"is_settled" boolean NOT NULL,
	"why" text,
	"confidence" real,
	"is_grouped" boolean DEFAULT false NOT NULL,
	"cluster_id" text,
	"topic_id" text,
	"vector" "bytea",
	"vector_model" text
);
--> statement-breakpoint
ALTER TABLE "question" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "question_cluster" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"typical_id" text,
	"reason" text DEFAULT '' NOT NULL,
	"question" text,
	"terms" jsonb,
	"knowledge_id" text,
	"test_case_id" text,
	"answered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "question_cluster" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "question_reading" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seen_until" timestamp (3) with time zone,
	"revision" integer DEFAULT 0 NOT NULL,
	"is_due" boolean DEFAULT false NOT NULL,
	"grouped_at" timestamp (3) with time zone,
	"grouped_ms" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "question_reading" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "topic" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"name" text NOT NULL,
	"named" text DEFAULT 'words' NOT NULL,
	"frozen" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "topic" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "insight_change" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_conversation" (
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"channel" text NOT NULL,
	"country" text NOT NULL,
	"conversations" integer NOT NULL,
	"messages" integer NOT NULL,
	"answered" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"failed" integer NOT NULL,
	"rated_up" integer NOT NULL,
	"rated_down" integer NOT NULL,
	"handovers" integer NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"credits" integer NOT NULL,
	"first_at" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone,
	"first_token_ms" integer[] NOT NULL,
	"total_ms" integer[] NOT NULL,
	"wait_seconds" integer[] NOT NULL,
	"sources" jsonb NOT NULL,
	CONSTRAINT "insight_conversation_conversation_id_hour_pk" PRIMARY KEY("conversation_id","hour")
);
--> statement-breakpoint
ALTER TABLE "insight_conversation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_hour" (
	"agent_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"organization_id" text NOT NULL,
	"conversations" integer NOT NULL,
	"messages" integer NOT NULL,
	"answered" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"failed" integer NOT NULL,
	"rated_up" integer NOT NULL,
	"rated_down" integer NOT NULL,
	"handovers" integer NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"credits" integer NOT NULL,
	"wait_seconds" integer[] NOT NULL,
	CONSTRAINT "insight_hour_agent_id_hour_pk" PRIMARY KEY("agent_id","hour")
);
--> statement-breakpoint
ALTER TABLE "insight_hour" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_member" (
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"user_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"answers" integer NOT NULL,
	"takeovers" integer NOT NULL,
	"wait_seconds" integer[] NOT NULL,
	CONSTRAINT "insight_member_conversation_id_hour_user_id_pk" PRIMARY KEY("conversation_id","hour","user_id")
);
--> statement-breakpoint
ALTER TABLE "insight_member" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_person" (
	"agent_id" text NOT NULL,
	"user_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"conversations" integer NOT NULL,
	"messages" integer NOT NULL,
	"answered" integer NOT NULL,
	"unanswered" integer NOT NULL,
	"failed" integer NOT NULL,
	"rated_up" integer NOT NULL,
	"rated_down" integer NOT NULL,
	"handovers" integer NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"credits" integer NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insight_person_agent_id_user_id_pk" PRIMARY KEY("agent_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "insight_person" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_rollup" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"counted_until" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "insight_rollup" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "insight_share" (
	"agent_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"organization_id" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "insight_share_agent_id_hour_kind_value_pk" PRIMARY KEY("agent_id","hour","kind","value")
);
--> statement-breakpoint
ALTER TABLE "insight_share" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "data_export" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"of_organization" text,
	"state" text DEFAULT 'queued' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"storage_key" text,
	"bytes" bigint,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasure" (
	"id" text PRIMARY KEY NOT NULL,
	"scope" text NOT NULL,
	"person_id" text,
	"of_agent" text,
	"erased" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"kept" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"storage_keys" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rows_gone_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	"receipt" text,
	"public_key" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "disclosure" jsonb DEFAULT '{"isOn":true,"texts":{}}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "retention_days" integer;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD COLUMN "disclosed_with" text;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_cluster_id_question_cluster_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."question_cluster"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question" ADD CONSTRAINT "question_topic_id_topic_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topic"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_cluster" ADD CONSTRAINT "question_cluster_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_cluster" ADD CONSTRAINT "question_cluster_typical_id_message_id_fk" FOREIGN KEY ("typical_id") REFERENCES "public"."message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_cluster" ADD CONSTRAINT "question_cluster_knowledge_id_knowledge_id_fk" FOREIGN KEY ("knowledge_id") REFERENCES "public"."knowledge"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_reading" ADD CONSTRAINT "question_reading_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic" ADD CONSTRAINT "topic_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD CONSTRAINT "insight_conversation_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_hour" ADD CONSTRAINT "insight_hour_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_member" ADD CONSTRAINT "insight_member_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_member" ADD CONSTRAINT "insight_member_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_person" ADD CONSTRAINT "insight_person_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_rollup" ADD CONSTRAINT "insight_rollup_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_share" ADD CONSTRAINT "insight_share_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_of_organization_organization_id_fk" FOREIGN KEY ("of_organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "question_agent" ON "question" USING btree ("agent_id","asked_at");--> statement-breakpoint
CREATE INDEX "question_conversation" ON "question" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "question_cluster_time" ON "question" USING btree ("cluster_id","asked_at");--> statement-breakpoint
CREATE INDEX "question_topic" ON "question" USING btree ("topic_id","asked_at");--> statement-breakpoint
CREATE INDEX "question_unanswered" ON "question" USING btree ("agent_id","asked_at") WHERE why is not null;--> statement-breakpoint
CREATE INDEX "question_unsettled" ON "question" USING btree ("agent_id") WHERE not is_settled;--> statement-breakpoint
CREATE INDEX "question_disliked" ON "question" USING btree ("agent_id") WHERE why = 'disliked';--> statement-breakpoint
CREATE INDEX "question_cluster_agent" ON "question_cluster" USING btree ("agent_id","state");--> statement-breakpoint
CREATE INDEX "question_cluster_typical" ON "question_cluster" USING btree ("typical_id");--> statement-breakpoint
CREATE INDEX "question_cluster_knowledge" ON "question_cluster" USING btree ("knowledge_id");--> statement-breakpoint
CREATE INDEX "topic_agent" ON "topic" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "insight_change_agent" ON "insight_change" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "insight_conversation_hour" ON "insight_conversation" USING btree ("agent_id","hour");--> statement-breakpoint
CREATE INDEX "insight_conversation_people" ON "insight_conversation" USING btree ("organization_id","agent_id","hour","user_id") WHERE last_at is not null;--> statement-breakpoint
CREATE INDEX "insight_conversation_user" ON "insight_conversation" USING btree ("agent_id","user_id");--> statement-breakpoint
CREATE INDEX "insight_member_hour" ON "insight_member" USING btree ("organization_id","hour");--> statement-breakpoint
CREATE INDEX "insight_member_agent" ON "insight_member" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "insight_member_user" ON "insight_member" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "insight_person_seen" ON "insight_person" USING btree ("organization_id","agent_id","last_seen_at","user_id");--> statement-breakpoint
CREATE INDEX "insight_share_kind" ON "insight_share" USING btree ("organization_id","agent_id","kind","hour","value","count");--> statement-breakpoint
CREATE INDEX "data_export_user" ON "data_export" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "data_export_organization" ON "data_export" USING btree ("of_organization");--> statement-breakpoint
CREATE INDEX "data_export_expires" ON "data_export" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "erasure_person" ON "erasure" USING btree ("person_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "question" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "question_cluster" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "question_reading" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "topic" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_change" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_conversation" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_hour" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_member" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_person" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_rollup" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_share" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));