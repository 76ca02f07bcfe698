CREATE TABLE "plugin" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"type" text NOT NULL,
	"handle" text NOT NULL,
	"settings_data" jsonb NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"credentials" text,
	"account_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plugin" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plugin_login" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"plugin_id" text NOT NULL,
	"user_id" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"browser_hash" text NOT NULL,
	"code_verifier" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plugin_login" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "agent_access" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"embed_secret" text,
	"embed_public_key" text,
	"api_key_hash" text,
	"api_key_preview" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_access" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "allowance" (
	"key" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp with time zone[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visitor" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"user_id" text NOT NULL,
	"subject" text,
	"refresh_hash" text,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "visitor" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "allowed_origins" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "plugin" ADD CONSTRAINT "plugin_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_login" ADD CONSTRAINT "plugin_login_plugin_id_plugin_id_fk" FOREIGN KEY ("plugin_id") REFERENCES "public"."plugin"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plugin_login" ADD CONSTRAINT "plugin_login_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_access" ADD CONSTRAINT "agent_access_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visitor" ADD CONSTRAINT "visitor_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visitor" ADD CONSTRAINT "visitor_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plugin_agent" ON "plugin" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "plugin_login_ticket" ON "plugin_login" USING btree ("ticket_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_access_api_key" ON "agent_access" USING btree ("api_key_hash");--> statement-breakpoint
CREATE INDEX "allowance_expires" ON "allowance" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "visitor_subject" ON "visitor" USING btree ("agent_id","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "visitor_refresh_hash" ON "visitor" USING btree ("refresh_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "visitor_user" ON "visitor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "visitor_last_seen" ON "visitor" USING btree ("last_seen_at");--> statement-breakpoint
CREATE POLICY "of_organization" ON "plugin" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "plugin_login" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "agent_access" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "visitor" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));