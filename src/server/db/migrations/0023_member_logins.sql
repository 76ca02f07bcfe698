-- None of them is good for longer than ten minutes.
DELETE FROM "tool_login";--> statement-breakpoint
ALTER TABLE "tool_login" ALTER COLUMN "call_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_login" ADD COLUMN "tool_id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_login" ADD CONSTRAINT "tool_login_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_login_tool" ON "tool_login" USING btree ("tool_id");