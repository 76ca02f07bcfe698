CREATE TABLE "channel_message" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"plugin_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"external_id" text NOT NULL,
	"person_name" text NOT NULL,
	"text" text NOT NULL,
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
ALTER TABLE "conversation" ADD COLUMN "channel" text;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "health" text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "health_error" text;--> statement-breakpoint
ALTER TABLE "plugin" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_thread_id_channel_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."channel_thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_message" ADD CONSTRAINT "channel_message_answer_id_message_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_visitor_id_visitor_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitor"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_thread" ADD CONSTRAINT "channel_thread_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "channel_message_external" ON "channel_message" USING btree ("plugin_id","external_id");--> statement-breakpoint
CREATE INDEX "channel_message_thread" ON "channel_message" USING btree ("thread_id","id");--> statement-breakpoint
CREATE INDEX "channel_message_plugin" ON "channel_message" USING btree ("plugin_id","id");--> statement-breakpoint
CREATE INDEX "channel_message_answer" ON "channel_message" USING btree ("answer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "channel_thread_place" ON "channel_thread" USING btree ("plugin_id","place","person");--> statement-breakpoint
CREATE INDEX "channel_thread_conversation" ON "channel_thread" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_thread_visitor" ON "channel_thread" USING btree ("visitor_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "channel_message" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "channel_thread" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));