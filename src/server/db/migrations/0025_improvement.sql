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
CREATE POLICY "of_organization" ON "question" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "question_cluster" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "question_reading" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "topic" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));