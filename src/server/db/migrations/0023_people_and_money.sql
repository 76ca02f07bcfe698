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
CREATE TABLE "canned_answer" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "canned_answer" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "channel_saying" (
	"message_id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"parts_sent" integer DEFAULT 0 NOT NULL,
	"error" text,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "channel_saying" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "conversation_note" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"author_id" text,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation_note" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "handover" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"by" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_by" text,
	"taken_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "handover" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "inbox_setting" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"office_hours" jsonb,
	"away_message" text NOT NULL,
	"notify" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inbox_setting" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "connect_account" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"generation" integer DEFAULT 0 NOT NULL,
	"charges_enabled" boolean DEFAULT false NOT NULL,
	"was_ready" boolean DEFAULT false NOT NULL,
	"requirements" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connect_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ended_subscription" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"at_period_end" boolean NOT NULL,
	"tried_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ended_subscription" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "entitlement" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"is_unlimited" boolean NOT NULL,
	"credits_left" integer DEFAULT 0 NOT NULL,
	"credits_held" integer DEFAULT 0 NOT NULL,
	"period_start" timestamp (3) with time zone,
	"replenished_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"renews" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "entitlement_not_negative" CHECK ("entitlement"."credits_left" >= 0 and "entitlement"."credits_held" >= 0)
);
--> statement-breakpoint
ALTER TABLE "entitlement" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"organization_id" text NOT NULL,
	"entitlement_id" text NOT NULL,
	"account" text NOT NULL,
	"amount" integer NOT NULL,
	"reason" text NOT NULL,
	"message_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_entry" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "payment" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"currency" text NOT NULL,
	"amount" integer NOT NULL,
	"refunded" integer NOT NULL,
	"fee" integer NOT NULL,
	"is_disputed" boolean NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "payment_customer" (
	"organization_id" text NOT NULL,
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"customer_id" text NOT NULL,
	CONSTRAINT "payment_customer_account_id_user_id_pk" PRIMARY KEY("account_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "payment_customer" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "product" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"payment_config" jsonb NOT NULL,
	"details_config" jsonb NOT NULL,
	"account_id" text,
	"provider_product_id" text,
	"price_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "purchase" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"product_id" text NOT NULL,
	"user_id" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"terms" jsonb NOT NULL,
	"name" text NOT NULL,
	"conversation_id" text,
	"account_id" text,
	"customer_id" text,
	"price_id" text,
	"session_id" text,
	"session_url" text,
	"subscription_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "purchase" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
ALTER TABLE "agent" ADD COLUMN "offers_person" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "sells" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_usage" ADD COLUMN "included" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_usage" ADD COLUMN "bonus_used" integer;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "handling" text DEFAULT 'bot' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "assignee_id" text;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "entitlement_id" text;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "held" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "spent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "referral_code" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "credit_stop" text DEFAULT 'hard' NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "stop_message" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "bonus_credits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "referred_by" text;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "rewarded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_minute" ADD CONSTRAINT "api_minute_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_subscription" ADD CONSTRAINT "plan_subscription_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_alert" ADD CONSTRAINT "usage_alert_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "canned_answer" ADD CONSTRAINT "canned_answer_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_saying" ADD CONSTRAINT "channel_saying_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_saying" ADD CONSTRAINT "channel_saying_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_note" ADD CONSTRAINT "conversation_note_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_note" ADD CONSTRAINT "conversation_note_author_id_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handover" ADD CONSTRAINT "handover_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handover" ADD CONSTRAINT "handover_taken_by_user_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_setting" ADD CONSTRAINT "inbox_setting_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_account" ADD CONSTRAINT "connect_account_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlement" ADD CONSTRAINT "entitlement_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlement" ADD CONSTRAINT "entitlement_purchase_id_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlement" ADD CONSTRAINT "entitlement_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_entitlement_id_entitlement_id_fk" FOREIGN KEY ("entitlement_id") REFERENCES "public"."entitlement"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_purchase_id_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customer" ADD CONSTRAINT "payment_customer_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customer" ADD CONSTRAINT "payment_customer_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "storefront" ADD CONSTRAINT "storefront_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "plan_subscription_customer" ON "plan_subscription" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "plan_subscription_read" ON "plan_subscription" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "canned_answer_organization" ON "canned_answer" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "channel_saying_conversation" ON "channel_saying" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "conversation_note_conversation" ON "conversation_note" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "conversation_note_author" ON "conversation_note" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "handover_conversation" ON "handover" USING btree ("conversation_id","asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "handover_open" ON "handover" USING btree ("conversation_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "handover_taken_by" ON "handover" USING btree ("taken_by");--> statement-breakpoint
CREATE UNIQUE INDEX "connect_account_id" ON "connect_account" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlement_purchase" ON "entitlement" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "entitlement_user" ON "entitlement" USING btree ("user_id","agent_id");--> statement-breakpoint
CREATE INDEX "entitlement_agent" ON "entitlement" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "ledger_entry_transaction" ON "ledger_entry" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "ledger_entry_entitlement" ON "ledger_entry" USING btree ("entitlement_id","message_id");--> statement-breakpoint
CREATE INDEX "payment_purchase" ON "payment" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "payment_agent" ON "payment" USING btree ("agent_id","paid_at");--> statement-breakpoint
CREATE INDEX "payment_customer_user" ON "payment_customer" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "product_agent" ON "product" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "purchase_user" ON "purchase" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "purchase_agent" ON "purchase" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "purchase_product" ON "purchase" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_session" ON "purchase" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_subscription" ON "purchase" USING btree ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "storefront_agent" ON "storefront" USING btree ("agent_id");--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_assignee_id_user_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization" ADD CONSTRAINT "organization_referred_by_user_id_fk" FOREIGN KEY ("referred_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_organization" ON "attachment" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "conversation_inbox" ON "conversation" USING btree ("organization_id","handling","updated_at","id") WHERE handling <> 'bot';--> statement-breakpoint
CREATE INDEX "conversation_assignee" ON "conversation" USING btree ("assignee_id") WHERE assignee_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "user_referral_code" ON "user" USING btree ("referral_code");--> statement-breakpoint
CREATE INDEX "source_organization" ON "source" USING btree ("organization_id") WHERE retired_in is null;--> statement-breakpoint
CREATE INDEX "organization_referred_by" ON "organization" USING btree ("referred_by");--> statement-breakpoint
CREATE POLICY "of_organization" ON "api_minute" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "plan_subscription" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "usage_alert" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "canned_answer" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "channel_saying" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "conversation_note" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "handover" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "inbox_setting" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "connect_account" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "entitlement" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "own_rows" ON "entitlement" AS PERMISSIVE FOR SELECT TO public USING (user_id = (select current_setting('parley.user', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "ledger_entry" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "payment" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "payment_customer" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "own_rows" ON "payment_customer" AS PERMISSIVE FOR SELECT TO public USING (user_id = (select current_setting('parley.user', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "product" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "purchase" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "own_rows" ON "purchase" AS PERMISSIVE FOR SELECT TO public USING (user_id = (select current_setting('parley.user', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "storefront" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));