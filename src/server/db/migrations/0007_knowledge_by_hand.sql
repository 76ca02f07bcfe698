-- What was read before there were revisions is the first one of its item.
INSERT INTO knowledge_revision (organization_id, agent_id, knowledge_id, number, state, cause, added, created_at)
  SELECT k.organization_id, k.agent_id, k.id, 1,
         CASE WHEN k.state = 'ready' THEN 'active' WHEN k.state = 'failed' THEN 'failed' ELSE 'building' END, 'created',
         (SELECT count(*) FROM source s WHERE s.knowledge_id = k.id AND s.state = 'ready'), k.created_at
    FROM knowledge k
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE knowledge SET synced_at = updated_at WHERE state = 'ready' AND type = 'website';
--> statement-breakpoint
UPDATE knowledge SET site = '{"mode": "links", "include": [], "exclude": [], "maxPages": 10000, "maxDepth": 5}'::jsonb
  WHERE type = 'website';
--> statement-breakpoint
-- The items whose hour to be read again has come. Each is named to one caller only, and again after ten minutes if that
-- one has not said in between when it is due next: a process that dies with it loses nothing.
CREATE OR REPLACE FUNCTION take_due_items(most int)
  RETURNS TABLE (organization_id text, agent_id text, knowledge_id text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public
  AS $$
    UPDATE knowledge SET next_sync_at = now() + interval '10 minutes'
     WHERE id IN (SELECT k.id FROM knowledge k JOIN agent a ON a.id = k.agent_id
                   WHERE k.next_sync_at <= now() AND a.deleted_at IS NULL
                   ORDER BY k.next_sync_at LIMIT most FOR UPDATE OF k SKIP LOCKED)
    RETURNING organization_id, agent_id, id $$;
--> statement-breakpoint
-- Uploads that nobody has finished in their time: the caller removes their bytes, then the rows, in their organization.
CREATE OR REPLACE FUNCTION expired_uploads(most int)
  RETURNS TABLE (organization_id text, upload_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id, id FROM upload WHERE expires_at <= now() ORDER BY expires_at LIMIT most $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_upload(upload_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM upload WHERE id = upload_id $$;
--> statement-breakpoint
-- What nobody has a row for any more is removed from the storage, whatever deleted the row. They run as the owner, since
-- the app's role cannot see the list.
CREATE OR REPLACE FUNCTION remember_bytes_of_row() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO removed_bytes (storage_key) SELECT key FROM (SELECT CASE TG_TABLE_NAME
    WHEN 'file' THEN to_jsonb(OLD) ->> 'storage_key'
    WHEN 'upload' THEN to_jsonb(OLD) ->> 'id'
    -- A picture of ours, not a placeholder.
    ELSE 'img_' || substring(to_jsonb(OLD) ->> 'profile_photo' FROM '^/images/([0-9a-f]{32})\.webp$') END AS key) AS gone
   WHERE key IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER remember_bytes AFTER DELETE ON file FOR EACH ROW EXECUTE FUNCTION remember_bytes_of_row();
--> statement-breakpoint
CREATE TRIGGER remember_bytes AFTER DELETE ON upload FOR EACH ROW EXECUTE FUNCTION remember_bytes_of_row();
--> statement-breakpoint
CREATE TRIGGER remember_bytes AFTER DELETE ON agent FOR EACH ROW EXECUTE FUNCTION remember_bytes_of_row();
--> statement-breakpoint
CREATE TRIGGER remember_bytes AFTER DELETE ON organization FOR EACH ROW EXECUTE FUNCTION remember_bytes_of_row();
--> statement-breakpoint
CREATE TRIGGER remember_bytes AFTER DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION remember_bytes_of_row();
--> statement-breakpoint
-- With the last source that was read from a file goes the file; with the last card that shows a picture, the picture.
CREATE OR REPLACE FUNCTION forget_what_source_had() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
DECLARE
  picture text := substring(OLD.card ->> 'image' FROM '^/images/([0-9a-f]{32})\.webp$');
BEGIN
  IF OLD.file_id IS NOT NULL THEN
    DELETE FROM file WHERE id = OLD.file_id AND NOT EXISTS (SELECT FROM source WHERE file_id = OLD.file_id);
  END IF;
  IF picture IS NOT NULL AND NOT EXISTS (SELECT FROM source WHERE card ->> 'image' = OLD.card ->> 'image') THEN
    INSERT INTO removed_bytes (storage_key) VALUES ('img_' || picture) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER forget_what_it_had AFTER DELETE ON source FOR EACH ROW EXECUTE FUNCTION forget_what_source_had();
--> statement-breakpoint
CREATE INDEX source_picture ON source ((card ->> 'image')) WHERE card IS NOT NULL;
--> statement-breakpoint
-- A guest turns out to be a person who has been here before: everything of the guest becomes the person's, and the guest
-- ends. The rule is docs/decisions/0010. It runs as the owner, because what a guest has lies in many organizations and the
-- app's role sees one at a time; so it refuses by itself to merge anybody who is not a guest. Answers the sessions that ended.
CREATE OR REPLACE FUNCTION merge_guest(guest_id text, person_id text) RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
DECLARE
  guest "user"%ROWTYPE;
BEGIN
  -- Both rows, in one order, so that two merges at once wait for each other instead of for ever.
  PERFORM FROM "user" WHERE id IN (guest_id, person_id) ORDER BY id FOR UPDATE;
  SELECT * INTO guest FROM "user" WHERE id = guest_id AND is_anonymous;
  IF NOT FOUND OR NOT EXISTS (SELECT FROM "user" WHERE id = person_id AND NOT is_anonymous) THEN
    RAISE EXCEPTION 'Only a guest can be merged, and only into somebody who is none.';
  END IF;

  UPDATE conversation SET user_id = person_id WHERE user_id = guest_id;

  -- In an organization that has both, the higher role stays.
  UPDATE member AS theirs SET role = guests.role FROM member AS guests
    WHERE theirs.user_id = person_id AND guests.user_id = guest_id
      AND guests.organization_id = theirs.organization_id
      AND array_position(ARRAY['owner', 'admin', 'editor', 'viewer'], guests.role)
        < array_position(ARRAY['owner', 'admin', 'editor', 'viewer'], theirs.role);
  UPDATE member AS guests SET user_id = person_id WHERE user_id = guest_id
    AND NOT EXISTS (SELECT FROM member AS theirs
      WHERE theirs.user_id = person_id AND theirs.organization_id = guests.organization_id);
  INSERT INTO team_member (organization_id, team_id, user_id)
    SELECT organization_id, team_id, person_id FROM team_member WHERE user_id = guest_id
    ON CONFLICT DO NOTHING;

  UPDATE organization SET created_by = person_id WHERE created_by = guest_id;
  UPDATE invite SET invited_by = person_id WHERE invited_by = guest_id;
  UPDATE api_key SET created_by = person_id WHERE created_by = guest_id;
  UPDATE file SET created_by = person_id WHERE created_by = guest_id;
  UPDATE upload SET created_by = person_id WHERE created_by = guest_id;
  UPDATE knowledge_revision SET created_by = person_id WHERE created_by = guest_id;
  UPDATE knowledge_revision SET approved_by = person_id WHERE approved_by = guest_id;
  INSERT INTO onboarding_event (user_id, event, created_at)
    SELECT person_id, event, created_at FROM onboarding_event WHERE user_id = guest_id
    ON CONFLICT DO NOTHING;

  RETURN QUERY SELECT id FROM session WHERE user_id = guest_id AND revoked_at IS NULL;
  -- With the guest go their sessions and what is left of their rows.
  DELETE FROM idempotency_key WHERE user_id = guest_id;
  DELETE FROM "user" WHERE id = guest_id;

  -- The person's own profile stays; a registration that only the guest had finished is not asked for again.
  UPDATE "user" SET username = COALESCE(username, guest.username), registered_at = guest.registered_at
    WHERE id = person_id AND registered_at IS NULL AND guest.registered_at IS NOT NULL;
  UPDATE "user" SET location = guest.location WHERE id = person_id AND location IS NULL;
END $$;
--> statement-breakpoint
-- Numbers in a row, answered by the first of them: a block's postings then name their chunks by their place.
CREATE OR REPLACE FUNCTION reserve_chunk_numbers(amount bigint) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
DECLARE
  first bigint;
BEGIN
  -- Not until the end of the transaction: a sequence does not go back, and others must not wait for an index.
  PERFORM pg_advisory_lock(7210004);
  BEGIN
    first := nextval('chunk_number');
    PERFORM setval('chunk_number', first + amount - 1);
  EXCEPTION WHEN OTHERS THEN
    PERFORM pg_advisory_unlock(7210004);
    RAISE;
  END;
  PERFORM pg_advisory_unlock(7210004);
  RETURN first;
END $$;
