ALTER TABLE "usage_alert" DROP CONSTRAINT "usage_alert_organization_id_month_percent_pk";--> statement-breakpoint
ALTER TABLE "usage_alert" ADD COLUMN "kind" text DEFAULT 'credits' NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_alert" ADD COLUMN "told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "usage_alert" ALTER COLUMN "used" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "usage_alert" ALTER COLUMN "limit" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "usage_alert" ADD CONSTRAINT "usage_alert_organization_id_kind_month_percent_pk" PRIMARY KEY("organization_id","kind","month","percent");--> statement-breakpoint
-- Until now an alert was written down when its owners were told.
UPDATE "usage_alert" SET "told_at" = "created_at";--> statement-breakpoint
CREATE INDEX "usage_alert_untold" ON "usage_alert" USING btree ("created_at") WHERE told_at is null;
