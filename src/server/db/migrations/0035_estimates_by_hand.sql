-- The rules of 0031 for what is estimated.
CREATE TRIGGER stay_with_parent AFTER INSERT ON conversation_estimate
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('conversation', 'conversation_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON estimate_setting
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
-- What was estimated goes where the agent goes. Who takes it over has not said yet that their credits may be spent on more.
CREATE FUNCTION estimates_follow_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  UPDATE estimate_setting SET organization_id = NEW.organization_id, enabled_at = NULL WHERE agent_id = NEW.id;
  UPDATE conversation_estimate SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER estimates_follow AFTER UPDATE OF organization_id ON agent
  FOR EACH ROW WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION estimates_follow_agent();
