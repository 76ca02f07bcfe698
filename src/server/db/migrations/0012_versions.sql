CREATE TABLE "test_case" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"test_set_id" text NOT NULL,
	"position" integer NOT NULL,
	"question" text NOT NULL,
	"expectations" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "test_case" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "test_result" (
	"organization_id" text NOT NULL,
	"test_run_id" text NOT NULL,
	"test_case_id" text NOT NULL,
	"position" integer NOT NULL,
	"question" text NOT NULL,
	"expectations" jsonb NOT NULL,
	"answer" text NOT NULL,
	"cited" jsonb NOT NULL,
	"passed" boolean NOT NULL,
	"failures" jsonb NOT NULL,
	"seconds" real NOT NULL,
	"credits" integer NOT NULL,
	"model" text NOT NULL,
	CONSTRAINT "test_result_test_run_id_test_case_id_pk" PRIMARY KEY("test_run_id","test_case_id")
);
--> statement-breakpoint
ALTER TABLE "test_result" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "test_run" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"test_set_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"version" integer NOT NULL,
	"revision" integer NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"passed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	"started_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "test_run" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "test_set" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"name" text NOT NULL,
	"is_gate" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "test_set" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "agent_version" (
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"number" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"knowledge" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp (3) with time zone,
	"published_by" text,
	CONSTRAINT "agent_version_agent_id_number_pk" PRIMARY KEY("agent_id","number")
);
--> statement-breakpoint
ALTER TABLE "agent_version" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "live_version" integer;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "agent_version" integer;--> statement-breakpoint
ALTER TABLE "test_case" ADD CONSTRAINT "test_case_test_set_id_test_set_id_fk" FOREIGN KEY ("test_set_id") REFERENCES "public"."test_set"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_result" ADD CONSTRAINT "test_result_test_run_id_test_run_id_fk" FOREIGN KEY ("test_run_id") REFERENCES "public"."test_run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_run" ADD CONSTRAINT "test_run_test_set_id_test_set_id_fk" FOREIGN KEY ("test_set_id") REFERENCES "public"."test_set"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_set" ADD CONSTRAINT "test_set_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_version" ADD CONSTRAINT "agent_version_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_case_set" ON "test_case" USING btree ("test_set_id","position");--> statement-breakpoint
CREATE INDEX "test_run_set" ON "test_run" USING btree ("test_set_id","created_at");--> statement-breakpoint
CREATE INDEX "test_set_agent" ON "test_set" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "agent_version_published" ON "agent_version" USING btree ("agent_id","published_at");--> statement-breakpoint
CREATE POLICY "of_organization" ON "test_case" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "test_result" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "test_run" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "test_set" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "agent_version" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));