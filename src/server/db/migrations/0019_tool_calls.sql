ALTER TABLE "tool_call" DROP CONSTRAINT "tool_call_message_id_message_id_fk";
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "has_tool_calls" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE set null ON UPDATE no action;