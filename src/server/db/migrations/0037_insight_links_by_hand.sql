-- Whose numbers a link shows, for who holds it and belongs to no organization.
CREATE FUNCTION organization_of_insight_link(link_token_hash text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT organization_id FROM insight_link WHERE token_hash = link_token_hash AND (expires_at IS NULL OR expires_at > now()) $$;
--> statement-breakpoint
-- Who gave them out decides nothing for another organization.
CREATE FUNCTION insight_links_end_with_move() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  DELETE FROM insight_link WHERE agent_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER insight_links_end_with_move AFTER UPDATE OF organization_id ON agent FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id)
  EXECUTE FUNCTION insight_links_end_with_move();
--> statement-breakpoint
-- All is counted once more in the background: of the answers that there are, how many have a cost that is not known.
UPDATE insight_rollup SET counted_until = 'epoch';
