CREATE TABLE "api_minute" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"minute" integer NOT NULL,
	"taken" integer NOT NULL,
	"granted" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_minute" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plan_subscription" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"session_id" text,
	"subscription_id" text,
	"state" text DEFAULT 'none' NOT NULL,
	"period_ends_at" timestamp (3) with time zone,
	"ends_at_period_end" boolean DEFAULT false NOT NULL,
	"next_plan_type" text,
	"past_due_since" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plan_subscription" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_alert" (
	"organization_id" text NOT NULL,
	"month" text NOT NULL,
	"percent" integer NOT NULL,
	"used" integer NOT NULL,
	"limit" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_alert_organization_id_month_percent_pk" PRIMARY KEY("organization_id","month","percent")
);
--> statement-breakpoint
ALTER TABLE "usage_alert" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "credit_stop" text DEFAULT 'hard' NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "stop_message" text;--> statement-breakpoint
ALTER TABLE "api_minute" ADD CONSTRAINT "api_minute_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_subscription" ADD CONSTRAINT "plan_subscription_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_alert" ADD CONSTRAINT "usage_alert_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plan_subscription_customer" ON "plan_subscription" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "plan_subscription_read" ON "plan_subscription" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "attachment_organization" ON "attachment" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "source_organization" ON "source" USING btree ("organization_id") WHERE retired_in is null;--> statement-breakpoint
CREATE POLICY "of_organization" ON "api_minute" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "plan_subscription" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "usage_alert" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
-- Says nothing of who may see it.
CREATE FUNCTION organization_of_customer(customer text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM plan_subscription WHERE customer_id = customer $$;
