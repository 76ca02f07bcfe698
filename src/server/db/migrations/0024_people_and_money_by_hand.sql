CREATE TRIGGER stay_with_parent AFTER INSERT ON handover
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('conversation', 'conversation_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON conversation_note
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('conversation', 'conversation_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON channel_saying
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('conversation', 'conversation_id');
--> statement-breakpoint
-- Built-in tools that are there already can do this too.
INSERT INTO tool_operation (tool_id, id, organization_id, position, function_name, method, path, summary, description,
    input_schema, plan, enabled, policy)
  SELECT id, 'handOver', organization_id, 5, 'handOver', 'GET', '', 'Hand over to a person',
    'Asks a person of the team to answer in this conversation in your place. Use it when somebody wants to talk to a person, is upset, or needs what you cannot do. Tell them afterwards what you were answered.',
    '{"type": "object", "properties": {"reason": {"type": "string", "description": "What the person wants, in one sentence."}}, "required": [], "additionalProperties": false}',
    '{"parameters": [{"name": "reason", "in": "query", "required": false, "description": "What the person wants, in one sentence.", "property": "reason", "style": "form", "explode": true}], "bodyType": null}',
    false, 'allow' FROM tool WHERE kind = 'builtin' ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- Says nothing of who may see it.
CREATE FUNCTION organization_of_customer(customer text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM plan_subscription WHERE customer_id = customer $$;
--> statement-breakpoint
CREATE FUNCTION referrals_of(person text) RETURNS TABLE (came integer, rewarded integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT count(*)::int, count(rewarded_at)::int FROM organization
        WHERE referred_by = person AND person = current_setting('parley.user', true) $$;
--> statement-breakpoint
-- Of the organization that the transaction speaks for. Their own link rewards nobody, nor does that of a member of it.
CREATE FUNCTION reward_referral(paying_id text, credits integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
DECLARE
  referrer text;
  theirs text;
BEGIN
  SELECT referred_by INTO referrer FROM organization
   WHERE id = paying_id AND id = current_setting('parley.organization', true)
     AND referred_by IS NOT NULL AND rewarded_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM member WHERE organization_id = paying_id AND user_id = referrer) THEN RETURN; END IF;
  SELECT o.id INTO theirs FROM member m JOIN organization o ON o.id = m.organization_id
   WHERE m.user_id = referrer AND m.role = 'owner' ORDER BY o.created_at, o.id LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE organization SET rewarded_at = now() WHERE id = paying_id;
  UPDATE organization SET bonus_credits = bonus_credits + credits WHERE id IN (paying_id, theirs);
END $$;
--> statement-breakpoint
-- As in 0001: which organization something belongs to, and nothing else. What was bought stays one's own when the agent is deleted.
CREATE OR REPLACE FUNCTION organization_of_product(product_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT p.organization_id FROM product p JOIN agent a ON a.id = p.agent_id
        WHERE p.id = product_id AND a.deleted_at IS NULL $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_purchase(purchase_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM purchase WHERE id = purchase_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_payment(payment_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM payment WHERE id = payment_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_connect_account(provider_account_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM connect_account WHERE account_id = provider_account_id $$;
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON product
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON purchase
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('product', 'product_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON payment
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('purchase', 'purchase_id');
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON entitlement
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('purchase', 'purchase_id');
--> statement-breakpoint
-- The only writer of the ledger and of the balances: both change together or not at all. False when there is not so much.
CREATE OR REPLACE FUNCTION move_credits(whose text, of_organization text, source text, target text, moved int, why text, of_message text)
  RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
DECLARE
  entries uuid := gen_random_uuid();
BEGIN
  IF moved = 0 THEN RETURN true; END IF;
  IF moved < 0 THEN RAISE EXCEPTION 'Credits move forward only.'; END IF;
  UPDATE entitlement SET
      credits_left = credits_left - CASE WHEN source = 'left' THEN moved ELSE 0 END + CASE WHEN target = 'left' THEN moved ELSE 0 END,
      credits_held = credits_held - CASE WHEN source = 'held' THEN moved ELSE 0 END + CASE WHEN target = 'held' THEN moved ELSE 0 END,
      updated_at = now()
    WHERE id = whose AND organization_id = of_organization
      AND (source <> 'left' OR credits_left >= moved) AND (source <> 'held' OR credits_held >= moved);
  IF NOT FOUND THEN RETURN false; END IF;
  -- By the clock, since the balance is locked: so that what comes later says so.
  INSERT INTO ledger_entry (transaction_id, organization_id, entitlement_id, account, amount, reason, message_id, created_at)
    VALUES (entries, of_organization, whose, source, -moved, why, of_message, clock_timestamp()),
           (entries, of_organization, whose, target, moved, why, of_message, clock_timestamp());
  RETURN true;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION require_balanced_entries() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
BEGIN
  IF (SELECT sum(amount) FROM ledger_entry WHERE transaction_id = NEW.transaction_id) <> 0 THEN
    RAISE EXCEPTION 'The entries of a transaction come to nothing together.' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT OR UPDATE OF amount, transaction_id ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_balanced_entries();
--> statement-breakpoint
-- Whoever lets go of what an answer holds, its maker, the sweep for makers that have died, a move or a deletion, settles it:
-- what it took is spent, the rest is given back, once. What was given back after a refund or for an earlier period is gone.
CREATE OR REPLACE FUNCTION settle_held_credits() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
DECLARE
  taken int := 0;
  is_over boolean;
BEGIN
  IF TG_OP = 'UPDATE' THEN taken := least(OLD.held, NEW.spent - OLD.spent); END IF;
  SELECT state IN ('ended', 'refunded', 'disputed') OR replenished_at > (SELECT max(l.created_at) FROM ledger_entry l
      WHERE l.entitlement_id = entitlement.id AND l.message_id = OLD.id AND l.reason = 'hold') INTO is_over FROM entitlement
    WHERE id = OLD.entitlement_id AND organization_id = OLD.organization_id FOR UPDATE;
  PERFORM move_credits(OLD.entitlement_id, OLD.organization_id, 'held', 'spent', taken, 'spend', OLD.id);
  PERFORM move_credits(OLD.entitlement_id, OLD.organization_id, 'held', CASE WHEN is_over THEN 'expired' ELSE 'left' END,
    OLD.held - taken, CASE WHEN is_over THEN 'expire' ELSE 'give back' END, OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER settle_held AFTER UPDATE OF held ON message
  FOR EACH ROW WHEN (OLD.held > 0 AND NEW.held = 0) EXECUTE FUNCTION settle_held_credits();
--> statement-breakpoint
CREATE TRIGGER settle_held_of_deleted AFTER DELETE ON message
  FOR EACH ROW WHEN (OLD.held > 0) EXECUTE FUNCTION settle_held_credits();
--> statement-breakpoint
-- People do not go on paying for what is gone.
CREATE OR REPLACE FUNCTION end_subscription_of_purchase() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO ended_subscription (subscription_id, account_id, at_period_end)
    SELECT OLD.subscription_id, OLD.account_id, false WHERE OLD.account_id IS NOT NULL
    ON CONFLICT (subscription_id) DO UPDATE SET at_period_end = false;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER end_subscription AFTER DELETE ON purchase
  FOR EACH ROW WHEN (OLD.subscription_id IS NOT NULL AND OLD.state = 'paid') EXECUTE FUNCTION end_subscription_of_purchase();
--> statement-breakpoint
CREATE TRIGGER end_subscription_of_nobody AFTER UPDATE OF user_id ON purchase
  FOR EACH ROW WHEN (OLD.subscription_id IS NOT NULL AND OLD.state = 'paid' AND NEW.user_id IS NULL)
  EXECUTE FUNCTION end_subscription_of_purchase();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION end_subscriptions_of_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  INSERT INTO ended_subscription (subscription_id, account_id, at_period_end)
    SELECT subscription_id, account_id, true FROM purchase
     WHERE agent_id = NEW.id AND subscription_id IS NOT NULL AND account_id IS NOT NULL AND state = 'paid'
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER end_subscriptions AFTER UPDATE OF deleted_at ON agent
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION end_subscriptions_of_agent();
--> statement-breakpoint
-- As in 0001: which organization something belongs to, and nothing else. What hangs on a deleted agent is not found.
CREATE OR REPLACE FUNCTION organization_of_storefront(storefront_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT s.organization_id FROM storefront s JOIN agent a ON a.id = s.agent_id
        WHERE s.id = storefront_id AND a.deleted_at IS NULL $$;
--> statement-breakpoint
CREATE TRIGGER stay_with_parent AFTER INSERT ON storefront
  FOR EACH ROW EXECUTE FUNCTION stay_with_parent('agent', 'agent_id');
--> statement-breakpoint
-- A storefront goes where its agent goes.
CREATE OR REPLACE FUNCTION storefront_follows_agent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
BEGIN
  UPDATE storefront SET organization_id = NEW.organization_id WHERE agent_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER storefront_follows AFTER UPDATE OF organization_id ON agent
  FOR EACH ROW WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION storefront_follows_agent();
--> statement-breakpoint
-- The rule of 0022 with what has come since.
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
END $$;
--> statement-breakpoint
-- The rule of 0022 with what has come since.
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
