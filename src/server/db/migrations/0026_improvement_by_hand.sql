CREATE TRIGGER stay_with_parent AFTER INSERT ON question
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('conversation', 'conversation_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON question_cluster
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON topic
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON question_reading
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
-- What an agent is asked goes where the agent goes.
CREATE OR REPLACE FUNCTION questions_follow_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  UPDATE question SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  UPDATE question_cluster SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  UPDATE topic SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  UPDATE question_reading SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER questions_follow AFTER UPDATE OF organization_id ON agent
  FOR EACH ROW WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION questions_follow_agent();
