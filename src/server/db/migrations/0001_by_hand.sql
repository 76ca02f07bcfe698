-- Which organization an id belongs to, and nothing else: the one question that must be answered before a transaction
-- can be scoped. They run as the owner, so row-level security does not hide the answer from the app's role.
CREATE OR REPLACE FUNCTION organization_of_agent(agent_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM agent WHERE id = agent_id AND deleted_at IS NULL $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_handle(agent_handle text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM agent WHERE handle = agent_handle AND deleted_at IS NULL $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_conversation(conversation_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT c.organization_id FROM conversation c JOIN agent a ON a.id = c.agent_id
        WHERE c.id = conversation_id AND a.deleted_at IS NULL $$;
--> statement-breakpoint
-- Byte order, whatever the database's language: the search looks for terms by their beginning, and compares many.
ALTER TABLE "posting" ALTER COLUMN "term" TYPE text COLLATE "C";
