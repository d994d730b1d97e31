-- Finds the live session of a token: not past its end, not idle for too long, and its account not blocked. The columns
-- are named as TypeScript uses them. It runs with every call of a logged-in player.
select
  s.session_id as "sessionId",
  s.user_num as "userNum",
  s.last_seen_at as "lastSeenAt",
  s.secret_answer_until as "secretAnswerUntil",
  s.confirmed_at as "confirmedAt",
  a.user_id as "userId",
  a.user_type as "userType",
  a.claim_step as "claimStep"
from sessions s
join accounts a on a.user_num = s.user_num
where s.token_hash = :token_hash
  and s.ends_at > :now
  and s.last_seen_at > :idle_since
  and not is_blocked(a.blocked_at, a.blocked_until, :now)
