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
ALTER TABLE "credit_usage" ADD COLUMN "included" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_usage" ADD COLUMN "bonus_used" integer;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "referral_code" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "credit_stop" text DEFAULT 'hard' NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "stop_message" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "bonus_credits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "referred_by" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "rewarded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_minute" ADD CONSTRAINT "api_minute_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_subscription" ADD CONSTRAINT "plan_subscription_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_alert" ADD CONSTRAINT "usage_alert_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plan_subscription_customer" ON "plan_subscription" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "plan_subscription_read" ON "plan_subscription" USING btree ("read_at");--> statement-breakpoint
ALTER TABLE "organization" ADD CONSTRAINT "organization_referred_by_user_id_fk" FOREIGN KEY ("referred_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_organization" ON "attachment" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_referral_code" ON "user" USING btree ("referral_code");--> statement-breakpoint
CREATE INDEX "source_organization" ON "source" USING btree ("organization_id") WHERE retired_in is null;--> statement-breakpoint
CREATE INDEX "organization_referred_by" ON "organization" USING btree ("referred_by");--> statement-breakpoint
CREATE POLICY "of_organization" ON "api_minute" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "plan_subscription" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "usage_alert" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
-- Says nothing of who may see it.
CREATE FUNCTION organization_of_customer(customer text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM plan_subscription WHERE customer_id = customer $$;
--> statement-breakpoint
CREATE FUNCTION referrals_of(person text) RETURNS TABLE (came integer, rewarded integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT count(*)::int, count(rewarded_at)::int FROM organization
        WHERE referred_by = person AND person = current_setting('parley.user', true) $$;
--> statement-breakpoint
-- Of the organization that the transaction speaks for. Their own link rewards nobody, nor does that of a member of it.
CREATE FUNCTION reward_referral(paying_id text, credits integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
DECLARE
  referrer text;
  theirs text;
BEGIN
  SELECT referred_by INTO referrer FROM organization
   WHERE id = paying_id AND id = current_setting('parley.organization', true)
     AND referred_by IS NOT NULL AND rewarded_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM member WHERE organization_id = paying_id AND user_id = referrer) THEN RETURN; END IF;
  SELECT o.id INTO theirs FROM member m JOIN organization o ON o.id = m.organization_id
   WHERE m.user_id = referrer AND m.role = 'owner' ORDER BY o.created_at, o.id LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE organization SET rewarded_at = now() WHERE id = paying_id;
  UPDATE organization SET bonus_credits = bonus_credits + credits WHERE id IN (paying_id, theirs);
END $$;
