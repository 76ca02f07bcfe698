-- As in 0001: which organization something belongs to, and nothing else.
CREATE OR REPLACE FUNCTION organization_of_team(team_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM team WHERE id = team_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_member(member_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM member WHERE id = member_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_invite(invite_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM invite WHERE id = invite_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_invite_token(invite_token_hash text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM invite WHERE token_hash = invite_token_hash $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_api_key(key_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM api_key WHERE id = key_id $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION organization_of_api_key_secret(key_secret_hash text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS $$ SELECT organization_id FROM api_key WHERE secret_hash = key_secret_hash AND revoked_at IS NULL $$;
