CREATE TABLE "agent_image" (
	"address" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_image" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "agent_import" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"upload_id" text,
	"from_agent_id" text,
	"name" text,
	"state" text DEFAULT 'queued' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"error" text,
	"made_agent_id" text,
	"storage_keys" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_import" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "agent_image" ADD CONSTRAINT "agent_image_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_import" ADD CONSTRAINT "agent_import_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_image_agent" ON "agent_image" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "agent_import_organization" ON "agent_import" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE POLICY "of_organization" ON "agent_image" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "agent_import" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));