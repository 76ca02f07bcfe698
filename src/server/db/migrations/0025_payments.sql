CREATE SCHEMA "payment_local";
--> statement-breakpoint
CREATE TABLE "payment_local"."delivery" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_status" integer
);
--> statement-breakpoint
CREATE TABLE "payment_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"account" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_local"."object" (
	"account" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"body" jsonb NOT NULL,
	"hidden" jsonb NOT NULL,
	"position" bigserial NOT NULL,
	CONSTRAINT "object_account_id_pk" PRIMARY KEY("account","id")
);
--> statement-breakpoint
CREATE TABLE "payment_local"."request" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"hash" text NOT NULL,
	"status" integer NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE TABLE "payment_local"."setting" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "delivery_due" ON "payment_local"."delivery" USING btree ("due_at") WHERE "payment_local"."delivery"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payment_event_created" ON "payment_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "object_kind" ON "payment_local"."object" USING btree ("account","kind","position");--> statement-breakpoint
CREATE INDEX "object_id" ON "payment_local"."object" USING btree ("id");