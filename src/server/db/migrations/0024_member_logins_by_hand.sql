DROP TRIGGER stay_with_parent ON tool_login;
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON tool_login
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('tool', 'tool_id');
--> statement-breakpoint
-- Who was about to connect an account agreed to give it to the organization that the tool was of.
CREATE FUNCTION end_tool_logins() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
BEGIN
  DELETE FROM tool_login WHERE tool_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER end_tool_logins AFTER UPDATE OF organization_id ON tool
  FOR EACH ROW EXECUTE FUNCTION end_tool_logins();
