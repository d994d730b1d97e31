-- Finds the session of a token, unless it has ended or was idle for too long, or its account is blocked or waits for its
-- erasure. It runs with every call of a logged-in player. Columns have the names that TypeScript uses. Tokens that a
-- confirmation has replaced are searched only if no session has the token.
select
  s.session_id as "sessionId",
  s.user_num as "userNum",
  s.last_seen_at as "lastSeenAt",
  s.secret_answer_until as "secretAnswerUntil",
  s.confirmed_at as "confirmedAt",
  a.user_id as "userId",
  a.user_type as "userType",
  a.claim_step as "takeOverStep",
  :token_hash::text as "tokenHash"
from sessions s
join accounts a on a.user_num = s.user_num
where s.session_id = coalesce(
    (select session_id from sessions where token_hash = :token_hash),
    (select session_id from replaced_tokens where token_hash = :token_hash and ends_at >= :now))
  and s.ends_at > :now
  and s.last_seen_at > :idle_since
  and not is_blocked(a.blocked_at, a.blocked_until, :now)
  and a.erasure_due_at is null
