CREATE TABLE "tool" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"server_url" text,
	"servers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"document_url" text,
	"authentication" jsonb NOT NULL,
	"secret" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tool_call" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"tool_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"function_name" text NOT NULL,
	"summary" text NOT NULL,
	"conversation_id" text,
	"message_id" text,
	"step" integer NOT NULL,
	"position" integer NOT NULL,
	"model_call_id" text NOT NULL,
	"model_metadata" jsonb,
	"arguments" jsonb NOT NULL,
	"state" text NOT NULL,
	"once_key" text,
	"result" text,
	"status" integer,
	"duration_ms" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_call" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tool_operation" (
	"tool_id" text NOT NULL,
	"id" text NOT NULL,
	"organization_id" text NOT NULL,
	"position" integer NOT NULL,
	"function_name" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"summary" text NOT NULL,
	"description" text NOT NULL,
	"input_schema" jsonb NOT NULL,
	"plan" jsonb NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"policy" text NOT NULL,
	CONSTRAINT "tool_operation_tool_id_id_pk" PRIMARY KEY("tool_id","id")
);
--> statement-breakpoint
ALTER TABLE "tool_operation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "tool" ADD CONSTRAINT "tool_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_operation" ADD CONSTRAINT "tool_operation_tool_id_tool_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tool"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_agent" ON "tool" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "tool_call_tool" ON "tool_call" USING btree ("tool_id","created_at");--> statement-breakpoint
CREATE INDEX "tool_call_message" ON "tool_call" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_call_once" ON "tool_call" USING btree ("conversation_id","once_key") WHERE once_key is not null;--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_call" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));--> statement-breakpoint
CREATE POLICY "of_organization" ON "tool_operation" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select current_setting('parley.organization', true))) WITH CHECK (organization_id = (select current_setting('parley.organization', true)));