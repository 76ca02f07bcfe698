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
ALTER TABLE "conversation" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "insight_conversation" ADD CONSTRAINT "insight_conversation_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_hour" ADD CONSTRAINT "insight_hour_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_member" ADD CONSTRAINT "insight_member_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_member" ADD CONSTRAINT "insight_member_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_person" ADD CONSTRAINT "insight_person_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_rollup" ADD CONSTRAINT "insight_rollup_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_share" ADD CONSTRAINT "insight_share_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insight_change_agent" ON "insight_change" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "insight_conversation_hour" ON "insight_conversation" USING btree ("agent_id","hour");--> statement-breakpoint
CREATE INDEX "insight_conversation_people" ON "insight_conversation" USING btree ("organization_id","agent_id","hour","user_id") WHERE last_at is not null;--> statement-breakpoint
CREATE INDEX "insight_conversation_user" ON "insight_conversation" USING btree ("agent_id","user_id");--> statement-breakpoint
CREATE INDEX "insight_member_hour" ON "insight_member" USING btree ("organization_id","hour");--> statement-breakpoint
CREATE INDEX "insight_member_agent" ON "insight_member" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "insight_member_user" ON "insight_member" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "insight_person_seen" ON "insight_person" USING btree ("organization_id","agent_id","last_seen_at","user_id");--> statement-breakpoint
CREATE INDEX "insight_share_kind" ON "insight_share" USING btree ("organization_id","agent_id","kind","hour","value","count");--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_change" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_conversation" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_hour" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_member" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_person" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_rollup" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_share" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));