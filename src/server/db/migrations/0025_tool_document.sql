ALTER TABLE "tool" ADD COLUMN "has_document" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "tool" SET "has_document" = true WHERE "kind" = 'openapi' AND ("document_url" IS NOT NULL OR "servers" <> '[]' OR EXISTS (SELECT FROM "tool_operation" o WHERE o."tool_id" = "tool"."id"));
