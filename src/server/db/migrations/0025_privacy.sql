CREATE TABLE "erasure" (
	"id" text PRIMARY KEY NOT NULL,
	"scope" text NOT NULL,
	"person_id" text,
	"of_agent" text,
	"erased" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"kept" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"storage_keys" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rows_gone_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	"receipt" text,
	"public_key" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erasure_person" ON "erasure" USING btree ("person_id");