ALTER TABLE "posting" DROP CONSTRAINT "posting_block_id_index_block_id_fk";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION remove_postings() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  DELETE FROM posting WHERE block_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER remove_postings AFTER DELETE ON index_block
  FOR EACH ROW EXECUTE FUNCTION remove_postings();
