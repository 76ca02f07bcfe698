-- Said by a transaction of a request as it commits, if it has changed something. One whose key was let go of meanwhile, since nobody
-- heard of it, does not commit: the request may have been made again.
CREATE FUNCTION mark_key_written(key_user text, key_name text, key_runner bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
BEGIN
  IF pg_current_xact_id_if_assigned() IS NULL THEN
    RETURN;
  END IF;
  UPDATE idempotency_key SET written = true WHERE user_id = key_user AND key = key_name AND runner = key_runner;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The key of this request is not held any more.' USING ERRCODE = 'serialization_failure';
  END IF;
END $$;
