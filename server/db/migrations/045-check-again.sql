-- When somebody at the desk asked a bridge to check the game again; empty once the bridge was told.
alter table bridges add column check_asked_at timestamptz;
