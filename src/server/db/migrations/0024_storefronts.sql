CREATE TABLE "storefront" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"draft" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"published" jsonb,
	"published_revision" integer,
	"published_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "storefront" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "storefront" ADD CONSTRAINT "storefront_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "storefront_agent" ON "storefront" USING btree ("agent_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "storefront" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));
--> statement-breakpoint
-- As in 0001: which organization something belongs to, and nothing else. What hangs on a deleted agent is not found.
CREATE OR REPLACE FUNCTION organization_of_storefront(storefront_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT s.organization_id FROM storefront s JOIN agent a ON a.id = s.agent_id
        WHERE s.id = storefront_id AND a.deleted_at IS NULL $$;
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON storefront
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
-- A storefront goes where its agent goes.
CREATE OR REPLACE FUNCTION storefront_follows_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  UPDATE storefront SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER storefront_follows AFTER UPDATE OF organization_id ON agent
  FOR EACH ROW WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION storefront_follows_agent();
