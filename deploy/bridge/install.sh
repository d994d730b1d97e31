#!/bin/sh
# Installs the bridge as a systemd service that starts with the machine and restarts when it ends. Run it as root.
set -eu
cd "$(dirname "$0")"
folder=$(pwd)
[ "$(id -u)" = 0 ] || { echo 'Run this as root: sudo -E ./install.sh' >&2; exit 1; }
[ -f bridge.key ] || { echo 'Pair the bridge first, see README.txt.' >&2; exit 1; }
node=$(command -v node) || { echo 'Node.js is missing: https://nodejs.org/en/download' >&2; exit 1; }
if [ -z "${GAME_PASSWORD:-}" ]; then
  printf "Password of the database's account: "
  stty -echo; read -r GAME_PASSWORD; stty echo; echo
fi
id bridge >/dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin bridge
umask 077
printf 'GAME_PASSWORD=%s\n' "$GAME_PASSWORD" > environment
chown bridge: bridge.key
chmod 600 bridge.key
umask 022
cat > /etc/systemd/system/tambayan-bridge.service <<UNIT
[Unit]
Description=Bridge between the game and its site
After=network-online.target
Wants=network-online.target

[Service]
User=bridge
WorkingDirectory=$folder
EnvironmentFile=$folder/environment
ExecStart=$node $folder/bridge.mjs --config $folder/bridge.json
Restart=always
RestartSec=5
ProtectSystem=strict
ProtectHome=read-only
NoNewPrivileges=true

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now tambayan-bridge
echo 'The bridge runs. Read its log with: journalctl -u tambayan-bridge'
