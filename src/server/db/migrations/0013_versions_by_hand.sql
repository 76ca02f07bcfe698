-- What each agent is now is the version that it has come to.
INSERT INTO agent_version (organization_id, agent_id, number, settings, created_at)
SELECT organization_id, id, version, jsonb_build_object('customInstructions', custom_instructions,
    'enableKnowledgeBaseMode', enable_knowledge_base_mode, 'appearance', appearance, 'voiceEnabled', voice_enabled,
    'conversationStarters', conversation_starters, 'welcomeMessage', welcome_message, 'fallbackMessage', fallback_message,
    'language', language, 'modelSettings', model_settings), updated_at
  FROM agent ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- The rule of 0004 with what has come since.
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
  UPDATE message SET author_id = person_id WHERE author_id = guest_id;
  UPDATE attachment SET user_id = person_id WHERE user_id = guest_id;
  -- Where both are in a room or have rated an answer, the person's own stays.
  UPDATE message_feedback AS guests SET user_id = person_id WHERE user_id = guest_id AND NOT EXISTS
    (SELECT FROM message_feedback AS theirs WHERE theirs.user_id = person_id AND theirs.message_id = guests.message_id);
  UPDATE participant AS guests SET user_id = person_id WHERE user_id = guest_id AND NOT EXISTS
    (SELECT FROM participant AS theirs WHERE theirs.user_id = person_id AND theirs.conversation_id = guests.conversation_id);

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
  UPDATE agent_version SET created_by = person_id WHERE created_by = guest_id;
  UPDATE agent_version SET published_by = person_id WHERE published_by = guest_id;
  UPDATE test_run SET started_by = person_id WHERE started_by = guest_id;
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
