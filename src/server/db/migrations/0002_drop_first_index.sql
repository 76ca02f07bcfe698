DROP POLICY "of_organization" ON "chunk" CASCADE;--> statement-breakpoint
DROP TABLE "chunk" CASCADE;--> statement-breakpoint
DROP POLICY "of_organization" ON "posting" CASCADE;--> statement-breakpoint
DROP TABLE "posting" CASCADE;