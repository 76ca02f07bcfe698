CREATE TABLE "chunk_vector" (
	"chunk_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"model" text NOT NULL,
	"bits" bit varying NOT NULL,
	"vector" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chunk_vector" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "knowledge_revision" (
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"knowledge_id" text NOT NULL,
	"number" integer NOT NULL,
	"state" text DEFAULT 'building' NOT NULL,
	"cause" text NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_by" text,
	"approved_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_revision_knowledge_id_number_pk" PRIMARY KEY("knowledge_id","number")
);
--> statement-breakpoint
ALTER TABLE "knowledge_revision" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "upload" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"created_by" text NOT NULL,
	"name" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"received_bytes" bigint DEFAULT 0 NOT NULL,
	"file_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "upload" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "removed_bytes" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"removed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "removed_bytes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "source" DROP CONSTRAINT "source_file_id_file_id_fk";
--> statement-breakpoint
ALTER TABLE "knowledge" ADD COLUMN "site" jsonb;--> statement-breakpoint
ALTER TABLE "knowledge" ADD COLUMN "schedule" text DEFAULT 'manual' NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge" ADD COLUMN "synced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "knowledge" ADD COLUMN "next_sync_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "retired_in" integer;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "checked_in" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "same_as" text;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "card" jsonb;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "characters" integer GENERATED ALWAYS AS (coalesce(length(text), 0)) STORED;--> statement-breakpoint
ALTER TABLE "chunk_vector" ADD CONSTRAINT "chunk_vector_chunk_id_chunk_id_fk" FOREIGN KEY ("chunk_id") REFERENCES "public"."chunk"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_revision" ADD CONSTRAINT "knowledge_revision_knowledge_id_knowledge_id_fk" FOREIGN KEY ("knowledge_id") REFERENCES "public"."knowledge"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" ADD CONSTRAINT "upload_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chunk_vector_agent" ON "chunk_vector" USING btree ("agent_id","model");--> statement-breakpoint
CREATE INDEX "upload_organization" ON "upload" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "upload_expires" ON "upload" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "source" ADD CONSTRAINT "source_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_next_sync" ON "knowledge" USING btree ("next_sync_at");--> statement-breakpoint
CREATE UNIQUE INDEX "source_revision_url" ON "source" USING btree ("knowledge_id","revision","url");--> statement-breakpoint
CREATE INDEX "source_file" ON "source" USING btree ("file_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "chunk_vector" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "knowledge_revision" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "upload" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));