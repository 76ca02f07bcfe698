CREATE SEQUENCE "public"."chunk_number" INCREMENT BY 1 MINVALUE 1 MAXVALUE 1099511627775 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "chunk" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"source_id" text NOT NULL,
	"block_id" bigint NOT NULL,
	"ordinal" integer NOT NULL,
	"text" text NOT NULL,
	"heading_path" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"page" integer,
	"offset" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chunk" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "index_block" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "index_block_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"knowledge_id" text NOT NULL,
	"chunk_count" integer NOT NULL,
	"word_count" bigint NOT NULL,
	"languages" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "index_block" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "posting" (
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"term" text NOT NULL,
	"block_id" bigint NOT NULL,
	"entries" "bytea" NOT NULL,
	CONSTRAINT "posting_agent_id_term_block_id_pk" PRIMARY KEY("agent_id","term","block_id")
);
--> statement-breakpoint
ALTER TABLE "posting" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_source_id_source_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."source"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_block_id_index_block_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."index_block"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "index_block" ADD CONSTRAINT "index_block_knowledge_id_knowledge_id_fk" FOREIGN KEY ("knowledge_id") REFERENCES "public"."knowledge"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posting" ADD CONSTRAINT "posting_block_id_index_block_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."index_block"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chunk_number_unique" ON "chunk" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "chunk_source_ordinal" ON "chunk" USING btree ("source_id","ordinal");--> statement-breakpoint
CREATE INDEX "chunk_block" ON "chunk" USING btree ("block_id");--> statement-breakpoint
CREATE INDEX "index_block_agent" ON "index_block" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "index_block_knowledge" ON "index_block" USING btree ("knowledge_id");--> statement-breakpoint
CREATE INDEX "posting_block" ON "posting" USING btree ("block_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "chunk" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "index_block" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "posting" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));