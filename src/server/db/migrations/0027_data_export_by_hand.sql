-- As for files: bytes follow their rows. Another try at the same file writes to another place.
CREATE FUNCTION forget_what_export_wrote() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO removed_bytes (storage_key) VALUES (OLD.storage_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER forget_what_it_wrote AFTER DELETE ON data_export
  FOR EACH ROW WHEN (OLD.storage_key IS NOT NULL) EXECUTE FUNCTION forget_what_export_wrote();
--> statement-breakpoint
CREATE TRIGGER forget_what_it_had_written AFTER UPDATE OF storage_key ON data_export
  FOR EACH ROW WHEN (OLD.storage_key IS NOT NULL AND OLD.storage_key IS DISTINCT FROM NEW.storage_key)
  EXECUTE FUNCTION forget_what_export_wrote();
