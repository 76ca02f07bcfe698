CREATE SCHEMA "payment_local";
--> statement-breakpoint
CREATE TABLE "payment_local"."delivery" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_status" integer
);
--> statement-breakpoint
CREATE TABLE "payment_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"account" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_local"."object" (
	"account" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"body" jsonb NOT NULL,
	"hidden" jsonb NOT NULL,
	"position" bigserial NOT NULL,
	CONSTRAINT "object_account_id_pk" PRIMARY KEY("account","id")
);
--> statement-breakpoint
CREATE TABLE "payment_local"."request" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"hash" text NOT NULL,
	"status" integer NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE TABLE "payment_local"."setting" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_message" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"plugin_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"external_id" text NOT NULL,
	"person_name" text NOT NULL,
	"text" text NOT NULL,
	"reply_to" text,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text DEFAULT 'received' NOT NULL,
	"answer_id" text,
	"parts_sent" integer DEFAULT 0 NOT NULL,
	"error" text,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "channel_message" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "channel_thread" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"plugin_id" text NOT NULL,
	"place" text NOT NULL,
	"person" text NOT NULL,
	"visitor_id" text NOT NULL,
	"conversation_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "channel_thread" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"plugin_id" text NOT NULL,
	"event" text NOT NULL,
	"subject" text NOT NULL,
	"payload" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"status" integer,
	"error" text,
	"duration_ms" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "webhook_delivery" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lead" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"values" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lead" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tool_account" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"tool_id" text NOT NULL,
	"user_id" text NOT NULL,
	"tokens" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tool_login" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"tool_id" text NOT NULL,
	"call_id" text,
	"user_id" text NOT NULL,
	"code_verifier" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_login" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "dry_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "channel" text;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "health" text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "health_error" text;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "seen_until" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "tool" ADD COLUMN "has_document" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool" ADD COLUMN "form" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_call" ADD COLUMN "waits_for" text DEFAULT 'word' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_operation" ADD COLUMN "fixture" text;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_thread_id_channel_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."channel_thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_answer_id_message_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_visitor_id_visitor_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitor"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead" ADD CONSTRAINT "lead_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead" ADD CONSTRAINT "lead_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_account" ADD CONSTRAINT "tool_account_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_account" ADD CONSTRAINT "tool_account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_call_id_tool_call_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."tool_call"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_due" ON "payment_local"."delivery" USING btree ("due_at") WHERE "payment_local"."delivery"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payment_event_created" ON "payment_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "object_kind" ON "payment_local"."object" USING btree ("account","kind","position");--> statement-breakpoint
CREATE INDEX "object_id" ON "payment_local"."object" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "channel_message_external" ON "channel_message" USING btree ("plugin_id","external_id");--> statement-breakpoint
CREATE INDEX "channel_message_thread" ON "channel_message" USING btree ("thread_id","id");--> statement-breakpoint
CREATE INDEX "channel_message_plugin" ON "channel_message" USING btree ("plugin_id","id");--> statement-breakpoint
CREATE INDEX "channel_message_answer" ON "channel_message" USING btree ("answer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "channel_thread_place" ON "channel_thread" USING btree ("plugin_id","place","person");--> statement-breakpoint
CREATE INDEX "channel_thread_conversation" ON "channel_thread" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_thread_visitor" ON "channel_thread" USING btree ("visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_subject" ON "webhook_delivery" USING btree ("plugin_id","event","subject");--> statement-breakpoint
CREATE INDEX "webhook_delivery_plugin" ON "webhook_delivery" USING btree ("plugin_id","id");--> statement-breakpoint
CREATE INDEX "lead_agent" ON "lead" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "lead_conversation" ON "lead" USING btree ("conversation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_account_person" ON "tool_account" USING btree ("tool_id","user_id");--> statement-breakpoint
CREATE INDEX "tool_account_user" ON "tool_account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tool_login_call" ON "tool_login" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "tool_login_tool" ON "tool_login" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "message_feedback_time" ON "message_feedback" USING btree ("organization_id","updated_at");--> statement-breakpoint
CREATE POLICY "of_organization" ON "channel_message" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "channel_thread" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "webhook_delivery" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "lead" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_account" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "own_rows" ON "tool_account" AS PERMISSIVE FOR SELECT TO public USING (user_id = (select current_setting('parley.user', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_login" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));