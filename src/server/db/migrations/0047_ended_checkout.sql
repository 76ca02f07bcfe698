CREATE TABLE "ended_checkout" (
	"session_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"tried_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ended_checkout" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
-- Nobody pays for what is gone: not by a page that was open when it went either.
CREATE OR REPLACE FUNCTION end_checkout_of_purchase() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO ended_checkout (session_id, account_id)
    SELECT OLD.session_id, OLD.account_id WHERE OLD.account_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER end_checkout AFTER DELETE ON purchase
  FOR EACH ROW WHEN (OLD.session_id IS NOT NULL AND OLD.state = 'pending') EXECUTE FUNCTION end_checkout_of_purchase();
--> statement-breakpoint
CREATE TRIGGER end_checkout_of_nobody AFTER UPDATE OF user_id ON purchase
  FOR EACH ROW WHEN (OLD.session_id IS NOT NULL AND OLD.state = 'pending' AND NEW.user_id IS NULL)
  EXECUTE FUNCTION end_checkout_of_purchase();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION end_checkouts_of_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO ended_checkout (session_id, account_id)
    SELECT session_id, account_id FROM purchase
     WHERE agent_id = NEW.id AND session_id IS NOT NULL AND account_id IS NOT NULL AND state = 'pending'
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER end_checkouts AFTER UPDATE OF deleted_at ON agent
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION end_checkouts_of_agent();
