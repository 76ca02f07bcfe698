CREATE TABLE "insight_report" (
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"every" text NOT NULL,
	"time_zone" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insight_report_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "insight_report" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "insight_report" ADD CONSTRAINT "insight_report_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_report" ADD CONSTRAINT "insight_report_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "insight_report_due" ON "insight_report" USING btree ("due_at");--> statement-breakpoint
CREATE POLICY "of_organization" ON "insight_report" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));