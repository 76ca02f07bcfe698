CREATE TABLE "tool_account" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"tool_id" text NOT NULL,
	"user_id" text NOT NULL,
	"tokens" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tool_login" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"call_id" text NOT NULL,
	"user_id" text NOT NULL,
	"code_verifier" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_login" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "tool_call" ADD COLUMN "waits_for" text DEFAULT 'word' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_account" ADD CONSTRAINT "tool_account_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_account" ADD CONSTRAINT "tool_account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_call_id_tool_call_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."tool_call"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_account_person" ON "tool_account" USING btree ("tool_id","user_id");--> statement-breakpoint
CREATE INDEX "tool_account_user" ON "tool_account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tool_login_call" ON "tool_login" USING btree ("call_id");--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_account" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "own_rows" ON "tool_account" AS PERMISSIVE FOR SELECT TO public USING (user_id = (select current_setting('parley.user', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_login" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));