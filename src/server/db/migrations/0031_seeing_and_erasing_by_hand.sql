-- What makes a conversation be counted again though nobody need have written in it. Whoever does it, a request, a job or the
-- deletion of a person or an agent, notes it in its own transaction.
CREATE FUNCTION note_changed_conversation() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO insight_change (organization_id, agent_id, conversation_id) VALUES (NEW.organization_id, NEW.agent_id, NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER note_changed AFTER UPDATE OF deleted_at, user_id ON conversation FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at OR OLD.user_id <> NEW.user_id)
  EXECUTE FUNCTION note_changed_conversation();
--> statement-breakpoint
CREATE FUNCTION note_deleted_conversations() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO insight_change (organization_id, agent_id, conversation_id)
    SELECT organization_id, agent_id, id FROM gone WHERE NOT temporary AND agent_version IS NULL
       AND EXISTS (SELECT FROM agent a WHERE a.id = gone.agent_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER note_deleted AFTER DELETE ON conversation REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_conversations();
--> statement-breakpoint
-- Of a rating that goes with its conversation nothing is found, and nothing need be noted.
CREATE FUNCTION note_rated_conversation() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO insight_change (organization_id, agent_id, conversation_id)
    SELECT c.organization_id, c.agent_id, c.id FROM message m
      JOIN conversation c ON c.id = m.conversation_id AND c.organization_id = m.organization_id
     WHERE m.id = CASE TG_OP WHEN 'DELETE' THEN OLD.message_id ELSE NEW.message_id END;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER note_rated AFTER INSERT OR DELETE OR UPDATE OF rating ON message_feedback
  FOR EACH ROW EXECUTE FUNCTION note_rated_conversation();
--> statement-breakpoint
-- With an agent goes what was still to be counted of it. Conversations that go with it note nothing.
CREATE FUNCTION forget_changes() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  DELETE FROM insight_change WHERE agent_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER forget_changes AFTER DELETE ON agent
  FOR EACH ROW EXECUTE FUNCTION forget_changes();
--> statement-breakpoint
-- The rule of 0024 with what has come since.
CREATE OR REPLACE FUNCTION move_agent(moved_id text, from_id text, to_id text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  IF (SELECT count(DISTINCT organization_id) FROM member WHERE organization_id IN (from_id, to_id)
       AND user_id = current_setting('parley.user', true) AND role IN ('owner', 'admin')) <> 2
     OR from_id <> current_setting('parley.organization', true) THEN
    RAISE EXCEPTION 'Only who manages both organizations can move an agent.';
  END IF;
  -- In the order in which others lock them: what is being begun is finished before, or does not find the agent.
  PERFORM FROM agent WHERE id = moved_id AND organization_id = from_id FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'There is no such agent.'; END IF;
  PERFORM FROM conversation WHERE agent_id = moved_id ORDER BY id FOR UPDATE;
  PERFORM FROM knowledge WHERE agent_id = moved_id ORDER BY id FOR UPDATE;

  WITH stopped AS (
    SELECT m.id, m.reserved, to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
      FROM message m JOIN conversation c ON c.id = m.conversation_id
     WHERE c.agent_id = moved_id AND m.runner IS NOT NULL FOR UPDATE OF m),
  back AS (
    UPDATE credit_usage SET reserved = credit_usage.reserved - held.reserved
      FROM (SELECT month, sum(reserved) AS reserved FROM stopped GROUP BY month) held
     WHERE credit_usage.organization_id = from_id AND credit_usage.month = held.month)
  UPDATE message SET state = 'stopped', error = NULL, runner = NULL, reserved = 0, held = 0, updated_at = now()
    FROM stopped WHERE message.id = stopped.id;

  DELETE FROM team_agent WHERE agent_id = moved_id;
  DELETE FROM upload WHERE file_id IN (SELECT file_id FROM source WHERE agent_id = moved_id);
  UPDATE file SET organization_id = to_id WHERE id IN (SELECT file_id FROM source WHERE agent_id = moved_id);

  UPDATE agent SET organization_id = to_id, updated_at = now() WHERE id = moved_id;
  UPDATE agent_version SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE agent_access SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE agent_image SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE visitor SET organization_id = to_id WHERE agent_id = moved_id;

  UPDATE knowledge SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE knowledge_revision SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE source SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE index_block SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE chunk SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE posting SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE chunk_vector SET organization_id = to_id WHERE agent_id = moved_id;

  -- Members of the one organization do not answer for the other.
  UPDATE conversation SET organization_id = to_id, answering = NULL, assignee_id = NULL,
    handling = CASE handling WHEN 'human' THEN 'bot' WHEN 'waiting' THEN 'bot' ELSE handling END WHERE agent_id = moved_id;
  UPDATE handover SET organization_id = to_id, ended_at = COALESCE(ended_at, now()) FROM conversation c
   WHERE c.id = handover.conversation_id AND c.agent_id = moved_id;
  UPDATE conversation_note SET organization_id = to_id FROM conversation c
   WHERE c.id = conversation_note.conversation_id AND c.agent_id = moved_id;
  UPDATE channel_saying SET organization_id = to_id FROM conversation c
   WHERE c.id = channel_saying.conversation_id AND c.agent_id = moved_id;
  UPDATE message SET organization_id = to_id FROM conversation c
   WHERE c.id = message.conversation_id AND c.agent_id = moved_id;
  UPDATE message_feedback SET organization_id = to_id FROM message m JOIN conversation c ON c.id = m.conversation_id
   WHERE m.id = message_feedback.message_id AND c.agent_id = moved_id;
  UPDATE attachment SET organization_id = to_id FROM conversation c
   WHERE c.id = attachment.conversation_id AND c.agent_id = moved_id;
  UPDATE chat_link SET organization_id = to_id FROM conversation c
   WHERE c.id = chat_link.conversation_id AND c.agent_id = moved_id;
  UPDATE lead SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE participant SET organization_id = to_id FROM conversation c
   WHERE c.id = participant.conversation_id AND c.agent_id = moved_id;

  UPDATE plugin_login SET organization_id = to_id FROM plugin p
   WHERE p.id = plugin_login.plugin_id AND p.agent_id = moved_id;
  UPDATE channel_message SET organization_id = to_id FROM plugin p
   WHERE p.id = channel_message.plugin_id AND p.agent_id = moved_id;
  UPDATE channel_thread SET organization_id = to_id FROM plugin p
   WHERE p.id = channel_thread.plugin_id AND p.agent_id = moved_id;
  UPDATE webhook_delivery SET organization_id = to_id FROM plugin p
   WHERE p.id = webhook_delivery.plugin_id AND p.agent_id = moved_id;
  UPDATE plugin SET organization_id = to_id WHERE agent_id = moved_id;

  -- Accounts of end users were given to the organization that asked for them, and not to another.
  DELETE FROM tool_login WHERE tool_id IN (SELECT id FROM tool WHERE agent_id = moved_id);
  DELETE FROM tool_account WHERE tool_id IN (SELECT id FROM tool WHERE agent_id = moved_id);
  UPDATE tool_call SET organization_id = to_id FROM tool t WHERE t.id = tool_call.tool_id AND t.agent_id = moved_id;
  UPDATE tool_operation SET organization_id = to_id FROM tool t WHERE t.id = tool_operation.tool_id AND t.agent_id = moved_id;
  UPDATE tool SET organization_id = to_id WHERE agent_id = moved_id;

  -- What people have bought they keep. It was paid to the old organization's account, so nothing of it is for sale here.
  UPDATE product SET organization_id = to_id, account_id = NULL, provider_product_id = NULL, price_id = NULL,
    state = CASE WHEN state = 'active' AND payment_config ->> 'kind' <> 'free' THEN 'draft' ELSE state END WHERE agent_id = moved_id;
  UPDATE agent SET sells = EXISTS (SELECT FROM product WHERE agent_id = moved_id AND state = 'active') WHERE id = moved_id;
  UPDATE purchase SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE payment SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE entitlement SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE ledger_entry SET organization_id = to_id FROM entitlement e
   WHERE e.id = ledger_entry.entitlement_id AND e.agent_id = moved_id;

  -- Questions that are being asked are stopped with their answers.
  UPDATE test_run SET organization_id = to_id, state = CASE state WHEN 'running' THEN 'stopped' ELSE state END,
    finished_at = CASE state WHEN 'running' THEN now() ELSE finished_at END WHERE agent_id = moved_id;
  UPDATE test_result SET organization_id = to_id FROM test_run r
   WHERE r.id = test_result.test_run_id AND r.agent_id = moved_id;
  UPDATE test_case SET organization_id = to_id FROM test_set s
   WHERE s.id = test_case.test_set_id AND s.agent_id = moved_id;
  UPDATE test_set SET organization_id = to_id WHERE agent_id = moved_id;

  UPDATE insight_rollup SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_conversation SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_member SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_hour SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_share SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_person SET organization_id = to_id WHERE agent_id = moved_id;
  UPDATE insight_change SET organization_id = to_id WHERE agent_id = moved_id;
END $$;
--> statement-breakpoint
-- The rule of 0024 with what has come since.
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

  -- And their own account at a service.
  UPDATE tool_account AS guests SET user_id = person_id WHERE user_id = guest_id AND NOT EXISTS
    (SELECT FROM tool_account AS theirs WHERE theirs.user_id = person_id AND theirs.tool_id = guests.tool_id);

  -- What was bought, with what is left of it. Whom a provider knows already, it goes on knowing.
  UPDATE purchase SET user_id = person_id WHERE user_id = guest_id;
  UPDATE entitlement SET user_id = person_id WHERE user_id = guest_id;
  UPDATE payment_customer AS guests SET user_id = person_id WHERE user_id = guest_id AND NOT EXISTS
    (SELECT FROM payment_customer AS theirs WHERE theirs.user_id = person_id AND theirs.account_id = guests.account_id);

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

  UPDATE conversation SET assignee_id = person_id WHERE assignee_id = guest_id;
  -- Their own conversations are counted anew by a trigger; these by their work in those of others.
  INSERT INTO insight_change (organization_id, agent_id, conversation_id)
    SELECT DISTINCT organization_id, agent_id, conversation_id FROM insight_member WHERE user_id = guest_id;
  UPDATE handover SET taken_by = person_id WHERE taken_by = guest_id;
  UPDATE conversation_note SET author_id = person_id WHERE author_id = guest_id;
  UPDATE organization SET created_by = person_id WHERE created_by = guest_id;
  UPDATE organization SET referred_by = person_id WHERE referred_by = guest_id;
  UPDATE invite SET invited_by = person_id WHERE invited_by = guest_id;
  UPDATE api_key SET created_by = person_id WHERE created_by = guest_id;
  UPDATE file SET created_by = person_id WHERE created_by = guest_id;
  UPDATE upload SET created_by = person_id WHERE created_by = guest_id;
  UPDATE knowledge_revision SET created_by = person_id WHERE created_by = guest_id;
  UPDATE knowledge_revision SET approved_by = person_id WHERE approved_by = guest_id;
  UPDATE agent_version SET created_by = person_id WHERE created_by = guest_id;
  UPDATE agent_version SET published_by = person_id WHERE published_by = guest_id;
  UPDATE test_run SET started_by = person_id WHERE started_by = guest_id;
  UPDATE agent_import SET created_by = person_id WHERE created_by = guest_id;
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
--> statement-breakpoint
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
