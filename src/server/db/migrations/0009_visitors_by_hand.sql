-- As in 0001: which organization something belongs to, and nothing else. What hangs on a deleted agent is not found.
CREATE OR REPLACE FUNCTION organization_of_agent_key(key_hash text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT k.organization_id FROM agent_access k JOIN agent a ON a.id = k.agent_id
        WHERE k.api_key_hash = key_hash AND a.deleted_at IS NULL $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_plugin(plugin_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT p.organization_id FROM plugin p JOIN agent a ON a.id = p.agent_id
        WHERE p.id = plugin_id AND a.deleted_at IS NULL $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_plugin_login(login_state_hash text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM plugin_login WHERE state_hash = login_state_hash $$;
--> statement-breakpoint
-- A visitor's user has no other life: it goes with the visitor, and so with the agent.
CREATE OR REPLACE FUNCTION forget_user_of_visitor() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  DELETE FROM "user" WHERE id = OLD.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER forget_user AFTER DELETE ON visitor FOR EACH ROW EXECUTE FUNCTION forget_user_of_visitor();
