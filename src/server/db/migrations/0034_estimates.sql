CREATE TABLE "conversation_estimate" (
	"conversation_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"sentiment" text,
	"quality" smallint,
	"answered" boolean,
	"grounded" boolean,
	"estimated_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "conversation_estimate" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "estimate_setting" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"quiet_minutes" integer NOT NULL,
	"per_day" integer NOT NULL,
	"day" date,
	"asked" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "estimate_setting" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversation_estimate" ADD CONSTRAINT "conversation_estimate_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_estimate" ADD CONSTRAINT "conversation_estimate_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimate_setting" ADD CONSTRAINT "estimate_setting_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_estimate_agent" ON "conversation_estimate" USING btree ("organization_id","agent_id","hour") WHERE sentiment is not null;--> statement-breakpoint
CREATE INDEX "conversation_estimate_of_agent" ON "conversation_estimate" USING btree ("agent_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "conversation_estimate" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "estimate_setting" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));